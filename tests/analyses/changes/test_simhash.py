"""Fingerprints of texts: alike for much the same words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.changes.pages import LAST, MORE, PROSE

from webgeist.analyses.changes.simhash import distance, simhash

TEXT = f"{PROSE} {MORE} {LAST}".split()
SHOP = "Our new shop sells lamps and chairs at fair prices to all who like wood"


def test_no_words_and_the_same_words() -> None:
    assert simhash([]) == 0
    assert distance(simhash(TEXT), simhash(list(TEXT))) == 0.0


def test_it_is_the_same_on_every_machine() -> None:
    assert simhash(["bridge"]) == 0xEE0F8CA517BCC426


@given(st.permutations(TEXT))
def test_the_order_of_words_does_not_matter(words: list[str]) -> None:
    assert simhash(words) == simhash(TEXT)


def test_one_other_word_is_nearer_than_another_text() -> None:
    edited = ["five" if word == "three" else word for word in TEXT]
    other = SHOP.split()
    near = distance(simhash(TEXT), simhash(edited))
    far = distance(simhash(TEXT), simhash(other))
    assert near < 0.2 < far


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_distance_is_a_share_of_the_bits_either_way_round(one: int, other: int) -> None:
    assert distance(one, other) == distance(other, one)
    assert distance(one, ~one & (2**64 - 1)) == 1.0
    assert 0.0 <= distance(one, other) <= 1.0
