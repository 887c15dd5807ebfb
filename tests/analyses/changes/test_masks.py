"""Which part of a page a mark means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.changes.pages import LAST, MORE, PROSE, passage

from webgeist.analyses.changes.addresses import Address
from webgeist.analyses.changes.masks import Mask, masks
from webgeist.analyses.changes.noise import plain, tokens

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Passage


def _place(
    text: str, *names: str, heading: str = "", nesting: int = 1, **more: object
) -> tuple[Passage, Address]:
    words = frozenset(tokens(plain(text)))
    return passage(text, **more), Address(names, nesting, heading, words)


ARTICLE = [_place(text, ".article", ".page") for text in (PROSE, MORE, LAST)]


def test_the_innermost_name_that_means_no_prose() -> None:
    links = [_place(f"Link {n}", ".item", ".related", ".page", within=0) for n in range(3)]
    assert masks({3}, [*ARTICLE, *links]) == (Mask(".item"),)


def test_a_name_of_most_of_the_page_is_too_wide() -> None:
    links = [_place(f"Link {n}", ".page", within=0, nesting=2) for n in range(9)]
    assert masks({0}, links) == (Mask(nesting=2, heading=""),)


def test_without_a_name_by_nesting_and_heading() -> None:
    other = _place("Gold 12", ".page", heading="stocks", nesting=7, within=3)
    assert masks({3}, [*ARTICLE, other]) == (Mask(nesting=7, heading="stocks"),)


def test_one_paragraph_among_others_by_its_words() -> None:
    (mask,) = masks({1}, ARTICLE)
    assert mask.words
    assert mask.heading is None
    assert [mask.covers(address) for _, address in ARTICLE] == [False, True, False]
    edited = Address((".new",), 1, "", frozenset(tokens(plain(MORE.replace("bridge", "tunnel")))))
    assert mask.covers(edited)


def test_a_mark_on_several_passages_of_a_block_is_one_mask() -> None:
    links = [_place(f"Link {n}", ".related", ".page", within=0) for n in range(3)]
    assert masks({3, 4, 5}, [*ARTICLE, *links]) == (Mask(".related"),)


def test_a_change_is_covered_on_every_version_that_has_it() -> None:
    inside, outside = Address((".ad",), 1, "", frozenset()), Address((), 1, "", frozenset())
    mask = Mask(".ad")
    assert mask.covers_change(inside, None)
    assert mask.covers_change(inside, inside)
    assert not mask.covers_change(inside, outside)


def test_by_words_one_version_is_enough() -> None:
    old, new = (Address((), 1, "", frozenset(words)) for words in ("abcd", "wxyz"))
    assert Mask(nesting=1, words=tuple("abcd")).covers_change(old, new)


def test_masks_say_what_they_mean() -> None:
    said = [Mask(".ad"), Mask(nesting=1, heading="stocks"), Mask(nesting=1, words=("a", "b"))]
    assert list(map(str, said)) == [".ad", "below 'stocks'", "like 'a b'"]
