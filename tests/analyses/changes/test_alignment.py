"""Which passages of two versions belong together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.changes.pages import LAST, MORE, PROSE, passage

from webgeist.analyses.changes.alignment import Pair, align

TEXTS = st.lists(
    st.sampled_from([PROSE, MORE, LAST, "Home", "Sport", "a b c d", "a b c e"]), max_size=9
)


def test_equal_versions_are_paired_in_order() -> None:
    texts = [passage(text) for text in (PROSE, MORE, "Home", "Home")]
    assert align(texts, texts) == [Pair(n, n) for n in range(4)]


def test_an_edited_passage_keeps_its_twin_and_one_more_is_added() -> None:
    before = [passage(PROSE), passage(LAST)]
    after = [passage(PROSE.replace("three", "five")), passage(MORE), passage(LAST)]
    assert align(before, after) == [Pair(0, 0), Pair(None, 1), Pair(1, 2)]


def test_what_stands_elsewhere_was_moved() -> None:
    before = [passage(text) for text in (PROSE, MORE, LAST)]
    after = [before[1], before[2], before[0]]
    assert {pair for pair in align(before, after) if pair.moved} == {Pair(0, 2, moved=True)}


def test_between_the_same_neighbours_other_words_are_an_edit() -> None:
    before = [passage(PROSE), passage("Jobs"), passage(LAST)]
    after = [passage(PROSE), passage("Careers"), passage(LAST)]
    assert Pair(1, 1) in align(before, after)


def test_not_where_they_are_nested_otherwise() -> None:
    before = [passage(PROSE), passage("Jobs", path=7), passage(LAST)]
    after = [passage(PROSE), passage("Careers", path=8), passage(LAST)]
    assert {Pair(1, None), Pair(None, 1)} <= set(align(before, after))


def test_a_picture_is_no_twin_of_a_text() -> None:
    text, picture = passage("the old bridge"), passage("the old bridge here", picture=True)
    assert set(align([text], [picture])) == {Pair(0, None), Pair(None, 0)}


@given(TEXTS, TEXTS)
def test_every_passage_is_in_exactly_one_pair(mine: list[str], theirs: list[str]) -> None:
    pairs = align([passage(text) for text in mine], [passage(text) for text in theirs])
    assert sorted(p.before for p in pairs if p.before is not None) == list(range(len(mine)))
    assert sorted(p.after for p in pairs if p.after is not None) == list(range(len(theirs)))


@given(TEXTS, TEXTS)
def test_equal_texts_are_never_called_added_and_removed_at_once(
    mine: list[str], theirs: list[str]
) -> None:
    pairs = align([passage(text) for text in mine], [passage(text) for text in theirs])
    gone = {mine[p.before] for p in pairs if p.before is not None and p.after is None}
    came = {theirs[p.after] for p in pairs if p.after is not None and p.before is None}
    assert not gone & came


@given(TEXTS, TEXTS)
def test_exchanged_versions_are_aligned_the_same_way(mine: list[str], theirs: list[str]) -> None:
    before, after = ([passage(text) for text in texts] for texts in (mine, theirs))
    back = {Pair(pair.after, pair.before, pair.moved) for pair in align(after, before)}
    assert set(align(before, after)) == back
