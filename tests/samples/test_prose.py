"""The made-up English: repeatable, varied, and without the mistakes that templates make."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.samples.prose import NOUNS, Prose


def everything(seed: str) -> list[object]:
    prose = Prose(seed)
    return [
        prose.word(),
        prose.title(),
        prose.sentence(),
        prose.paragraph(),
        prose.person(),
        prose.company(),
        prose.place(),
        prose.pick("abc"),
        prose.number(1, 1000),
    ]


@given(st.text())
def test_the_same_seed_says_the_same(seed: str) -> None:
    assert everything(seed) == everything(seed)


def test_another_seed_says_something_else() -> None:
    assert len({str(everything(f"seed {number}")) for number in range(100)}) == 100


@pytest.mark.parametrize("words", [1, 2, 3])
def test_short_titles_have_exactly_the_words_asked_for(words: int) -> None:
    assert len(Prose("title").title(words).split()) == words


@given(st.text(), st.integers(4, 12))
def test_titles_are_capitalised_and_filled(seed: str, words: int) -> None:
    title = Prose(seed).title(words)
    assert title[0].isupper() or title[0].isdigit()
    assert "{" not in title


@given(st.text())
def test_sentences_end_and_use_the_right_article(seed: str) -> None:
    sentence = Prose(seed).sentence()
    assert sentence.endswith((".", ".”"))
    assert not re.search(r"\b[Aa] [aeio]", sentence)
    assert not re.search(r"\b[Aa]n [^aeiou]", sentence)


@given(st.text())
def test_no_noun_stands_twice_in_a_sentence(seed: str) -> None:
    words = [word for word in re.findall(r"\w+", Prose(seed).sentence()) if word in NOUNS]
    assert len(words) == len(set(words))


def test_a_paragraph_has_the_sentences_asked_for() -> None:
    prose, again = Prose("p"), Prose("p")
    assert prose.paragraph(3) == " ".join(again.sentence() for _ in range(3))


@given(st.integers(-50, 50), st.integers(0, 50))
def test_numbers_stay_within_both_ends(low: int, span: int) -> None:
    assert low <= Prose("n").number(low, low + span) <= low + span
