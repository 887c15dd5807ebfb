"""Which nodes of two pages are the same: what is paired, whatever the trees are like."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page.conftest import page_of

from webgeist.page.alignment import align
from webgeist.page.schema import NODES

if TYPE_CHECKING:
    from tests.page.conftest import Tree

    from webgeist.page.model import Page


def leaf(name: str) -> Tree:
    return (name, [])


def paragraph(name: str, text: str) -> Tree:
    return (name, [leaf(f"={text}")])


LEAVES = st.sampled_from(["=a", "=b", "br", "img", "p"]).map(leaf)
TREES: st.SearchStrategy[Tree] = st.recursive(
    LEAVES,
    lambda below: st.tuples(st.sampled_from(["div", "ul", "p"]), st.lists(below, max_size=5)),
    max_leaves=25,
)
PAGES: st.SearchStrategy[Tree] = TREES.map(lambda tree: ("html", [tree]))


def aligned(before: Tree, after: Tree) -> list[tuple[str, str]]:
    """The paired nodes by what they are."""
    one, other = page_of(before), page_of(after)
    return [(said(one, left), said(other, right)) for left, right in align(one, other)]


def said(page: Page, node: int) -> str:
    return page.texts[node] or page.names[node]


def items(*texts: str) -> Tree:
    return ("ul", [("li", [(f"={text}", [])]) for text in texts])


@given(PAGES)
def test_a_page_is_paired_with_itself_node_by_node(tree: Tree) -> None:
    page = page_of(tree)
    assert align(page, page_of(tree)) == [(node, node) for node in range(len(page))]


@given(PAGES, PAGES)
def test_pairs_keep_order_and_parents_and_are_the_same_either_way(one: Tree, other: Tree) -> None:
    before, after = page_of(one), page_of(other)
    pairs = align(before, after)
    assert pairs == sorted(pairs)
    assert len({left for left, _ in pairs}) == len(pairs)
    rights = [right for _, right in pairs]
    assert rights == sorted(set(rights)), "no two cross"
    paired = {(-1, -1), *pairs}
    for left, right in pairs:
        assert (int(before.parent[left]), int(after.parent[right])) in paired
        assert before.names[left] == after.names[right]
    assert sorted((left, right) for right, left in align(after, before)) == pairs


@pytest.mark.parametrize(
    ("before", "after", "lost", "found"),
    [
        (items("a", "b", "c"), items("new", "a", "b", "c"), 0, 2),
        (items("a", "b", "c"), items("a", "new", "b", "more", "c"), 0, 4),
        (items("a", "b", "c"), items("a", "c"), 2, 0),
        (items("a", "a", "a"), items("a", "a"), 2, 0),
        (items("a", "b", "c"), items("c", "a", "b"), 2, 2),
        (items("a", "b"), items("c", "d"), 0, 0),  # other texts in the same items
        (items(), items("a"), 0, 2),
    ],
)
def test_what_is_in_one_page_only(before: Tree, after: Tree, lost: int, found: int) -> None:
    one, other = page_of(before), page_of(after)
    pairs = align(one, other)
    assert (len(one) - len(pairs), len(other) - len(pairs)) == (lost, found)


def test_what_was_edited_keeps_its_place_between_what_was_not() -> None:
    before = [paragraph("p", "one"), leaf("hr"), paragraph("p", "two"), leaf("b")]
    after = [leaf("i"), paragraph("p", "ONE"), leaf("hr"), paragraph("p", "TWO")]
    pairs = aligned(("div", before), ("div", after))
    assert ("one", "ONE") in pairs
    assert ("two", "TWO") in pairs


def test_equal_names_at_shifted_places_are_paired_in_turn() -> None:
    words = iter("abcdefghijkl")
    mixed = [paragraph(name, next(words)) for name in "pqpq"]
    shifted = [paragraph(name, next(words)) for name in "pqpqpq"]
    pairs = aligned(("html", [leaf("div"), *mixed, leaf("span")]), ("html", shifted))
    assert [pair for pair in pairs if pair[0] in {"p", "q"}] == [("p", "p"), ("q", "q")] * 2


def test_siblings_that_split_again_and_again_are_no_endless_work() -> None:
    """Each split makes one more unique: 8,000 levels deep where nobody stops it."""
    names: list[str] = ["x0"]
    for number in range(1, 8_000):
        names += [f"x{number}", f"x{number - 1}"]
    before, after = (
        page_of(("html", [leaf(first), *map(leaf, names), leaf(last)]))
        for first, last in (("first", "last"), ("start", "stop"))
    )
    assert len(align(before, after)) == len(names) + 1


def test_a_tree_deeper_than_python_recurses() -> None:
    assert len(align(deep("one"), deep("other"))) == 5_000


def deep(text: str) -> Page:
    """5,000 nodes, each in the one before. (The maker of pages is recursive, so not by it.)"""
    page = page_of(leaf("div"))
    (row,) = page.nodes.to_pylist()
    rows = [
        row | {"node": node, "parent": node - 1 if node else None, "end": 5_000, "depth": node}
        for node in range(5_000)
    ]
    rows[-1]["text"] = text
    return replace(page, nodes=pa.Table.from_pylist(rows, schema=NODES))
