"""How two pages differ: properties over made-up trees, and each kind of change on real ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page.conftest import page_of
from tests.page.test_alignment import PAGES, items

from webgeist.page.compare import KINDS, compare
from webgeist.page.schema import NODES

if TYPE_CHECKING:
    from tests.conftest import Shooter
    from tests.page.conftest import Tree

    from webgeist.page.compare import Difference
    from webgeist.page.model import Page

HTML = """<!doctype html><style>b {{ color: {colour} }} i {{ position: absolute; left: {left}px }}</style>
<p>{text} <b>bold</b> <i>moved</i> <a class={name} href=x>link</a><input value={value}></p>"""
FIRST = {"colour": "red", "left": "10", "text": "words", "name": "a", "value": "v"}


def without(page: Page, node: int) -> Page:
    """The page without a node and all that is below it."""
    end, size = int(page.end[node]), int(page.end[node]) - node
    rows: list[dict[str, Any]] = page.nodes.to_pylist()
    kept = [row for row in rows if not node <= row["node"] < end]

    def moved(number: int | None) -> int | None:
        return number - size if number is not None and number >= end else number

    for row in kept:
        row |= {name: moved(row[name]) for name in ("node", "parent", "end")}
    return replace(page, nodes=pa.Table.from_pylist(kept, schema=NODES))


def paths(page: Page, nodes: tuple[int, ...]) -> list[tuple[str, str | None]]:
    return [(page.names[node], page.texts[node]) for node in nodes]


@given(PAGES)
def test_a_page_is_the_same_as_itself(tree: Tree) -> None:
    found = compare(page_of(tree), page_of(tree))
    assert found.same
    assert set(found.counts().values()) == {0}


@given(PAGES, st.data())
def test_a_removed_subtree_is_exactly_that(tree: Tree, data: st.DataObject) -> None:
    page = page_of(tree)
    node = data.draw(st.integers(1, len(page) - 1))
    less = without(page, node)
    found = compare(page, less)
    assert not found.same
    assert (found.added, found.changed) == ((), ())
    # Of equal neighbours it may be another one that went: what went is the same.
    gone = tuple(range(node, int(page.end[node])))
    assert paths(page, found.removed) == paths(page, gone)
    assert compare(less, page).added == found.removed


@given(PAGES, PAGES)
def test_counts_are_the_same_either_way(one: Tree, other: Tree) -> None:
    there = compare(page_of(one), page_of(other)).counts()
    back = compare(page_of(other), page_of(one)).counts()
    assert (there.pop("added"), there.pop("removed")) == (back.pop("removed"), back.pop("added"))
    assert there == back


@given(PAGES, PAGES)
def test_every_node_is_counted_once(one: Tree, other: Tree) -> None:
    before, after = page_of(one), page_of(other)
    found = compare(before, after)
    stayed = len(before) - len(found.removed)
    assert stayed == len(after) - len(found.added)
    assert not set(found.removed) & {change.before for change in found.changed}
    assert found.same == (page_of(one).nodes.equals(page_of(other).nodes))


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({"colour": "blue"}, {"style"}),
        ({"left": "60"}, {"style", "box"}),
        ({"text": "wordy"}, {"text"}),
        ({"name": "b"}, {"attributes"}),
        ({"value": "w"}, {"attributes", "state"}),
    ],
)
def test_each_kind_of_change(shoot_html: Shooter, changes: dict[str, str], kinds: set[str]) -> None:
    found = compare_html(shoot_html, FIRST, FIRST | changes)
    assert not found.same
    assert (found.removed, found.added) == ((), ())
    seen = {kind for change in found.changed for kind in change.kinds}
    # The style sheet is a text of the page too, and words take room.
    assert seen - {"text", "box", "style"} == kinds - {"text", "box", "style"}
    assert kinds <= seen


def compare_html(shoot_html: Shooter, one: dict[str, str], other: dict[str, str]) -> Difference:
    before = shoot_html(HTML.format(**one)).page
    after = shoot_html(HTML.format(**other)).page
    assert before
    assert after
    return compare(before, after)


def test_one_node_more_changes_only_boxes_after_it(shoot_html: Shooter) -> None:
    """Numbers of nodes and of style vectors shift; what the nodes are does not."""
    rows = [f"<p style='width: {100 + n}px'>line {n}</p>" for n in range(20)]
    before = shoot_html("".join(rows)).page
    after = shoot_html("".join([*rows[:5], "<h1>new</h1>", *rows[5:]])).page
    assert before
    assert after
    found = compare(before, after)
    assert len(found.added) == 2
    assert found.removed == ()
    lines = set(before.find("p"))
    changed = {change.before: change.kinds for change in found.changed if change.before in lines}
    assert len(changed) == 15
    assert set(changed.values()) == {("box",)}


@pytest.mark.parametrize(("by", "moved"), [(0.5, False), (1.5, True), (None, True)])
def test_a_box_counts_as_moved_from_one_pixel_on(by: float | None, moved: bool) -> None:
    page = page_of(items("a", "b"))
    at, then = (boxed(page, x) for x in (10.0, 10.0 + by if by else None))
    found = compare(at, then)
    assert not found.same, "the tables are not equal"
    assert [change.kinds for change in found.changed] == ([("box",)] if moved else [])


def boxed(page: Page, x: float | None) -> Page:
    rows: list[dict[str, Any]] = page.nodes.to_pylist()
    rows[1] |= dict.fromkeys(("x", "y", "width", "height"), x)
    return replace(page, nodes=pa.Table.from_pylist(rows, schema=NODES))


def test_the_order_of_attributes_means_nothing_and_paint_order_is_no_change() -> None:
    page = page_of(items("a"))
    rows: list[dict[str, Any]] = page.nodes.to_pylist()
    one, other = [("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]
    before = pa.Table.from_pylist([rows[0] | {"attributes": one}, *rows[1:]], schema=NODES)
    after = pa.Table.from_pylist(
        [rows[0] | {"attributes": other, "paint_order": 7}, *rows[1:]], schema=NODES
    )
    found = compare(replace(page, nodes=before), replace(page, nodes=after))
    assert (found.same, found.changed) == (False, ())


def test_properties_that_one_browser_lacks_do_not_count(shoot_html: Shooter) -> None:
    page = shoot_html("<p>words").page
    assert page
    less = replace(page, styles_own=page.styles_own.drop_columns(["width", "opacity"]))
    assert compare(page, less).same


def test_counts_name_every_kind() -> None:
    found = compare(page_of(items("a")), page_of(items("b", "c")))
    assert list(found.counts()) == ["removed", "added", "changed", *KINDS]
    assert found.counts()["text"] == 1
