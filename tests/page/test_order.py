"""Documents put together by runs of nodes stand as a walk through the page would find them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webgeist.page.order import merge_documents

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass
class Forest:
    """Parents within each document, and which node shows which document."""

    parents: list[list[int]]
    frames: list[dict[int, int]]


@st.composite
def forests(draw: st.DrawFn, *, nested: bool) -> Forest:
    """Documents of random shape; each but the first is shown by a random node or by none.

    A frame's element stands below another one's (`nested`) only where a script put it there.
    """
    parents = [draw(trees()) for _ in range(draw(st.integers(1, 5)))]
    frames: list[dict[int, int]] = [{} for _ in parents]
    for child in range(1, len(parents)):
        owner = draw(st.integers(0, child - 1))
        nodes = range(len(parents[owner]))
        free = [node for node in nodes if node not in frames[owner]]
        if not nested:
            free = [node for node in free if not related(parents[owner], node, frames[owner])]
        shown = draw(st.booleans())
        if free and shown:
            frames[owner][draw(st.sampled_from(free))] = child
    return Forest(parents, [shuffled(draw, part) for part in frames])


def related(parents: list[int], node: int, others: Iterable[int]) -> bool:
    """Whether `node` stands above or below one of the others."""
    return any(node in line(parents, other) or other in line(parents, node) for other in others)


def line(parents: list[int], node: int) -> set[int]:
    found = {node}
    while (node := parents[node]) >= 0:
        found.add(node)
    return found


def shuffled(draw: st.DrawFn, part: dict[int, int]) -> dict[int, int]:
    return dict(draw(st.permutations(list(part.items()))))


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """A tree in document order: each node hangs below the one before it or one of its ancestors."""
    parents = [-1]
    for node in range(1, draw(st.integers(1, 8))):
        above = [node - 1]
        while parents[above[-1]] >= 0:
            above.append(parents[above[-1]])
        parents.append(draw(st.sampled_from(above)))
    return parents


@dataclass
class Walk:
    """The model: a recursive walk. A frame's document comes after the frame's own children."""

    forest: Forest
    order: list[tuple[int, int]] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    end: dict[int, int] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)

    def visit(self, document: int, node: int, parent: int, depth: int) -> None:
        number = len(self.order)
        self.order.append((document, node))
        self.parent.append(parent)
        self.depth.append(depth)
        parents = self.forest.parents[document]
        for child in (other for other, up in enumerate(parents) if up == node):
            self.visit(document, child, number, depth + 1)
        if (shown := self.forest.frames[document].get(node)) is not None:
            self.owner[shown] = number
            self.visit(shown, 0, number, depth + 1)
        self.end[number] = len(self.order)


def walk(forest: Forest) -> Walk:
    shown = {child for part in forest.frames for child in part.values()}
    found = Walk(forest)
    for document in range(len(forest.parents)):
        if document not in shown:
            found.visit(document, 0, -1, 0)
    return found


@given(forests(nested=False))
def test_documents_are_merged_as_a_walk_would_find_them(forest: Forest) -> None:
    compare(forest)


@given(forests(nested=True))
def test_frames_may_stand_inside_frames_elements(forest: Forest) -> None:
    compare(forest)


def compare(forest: Forest) -> None:
    parents = [np.array(part, np.int32) for part in forest.parents]
    merged = merge_documents(parents, forest.frames)
    expected = walk(forest)

    flat = [(d, node) for d, part in enumerate(forest.parents) for node in range(len(part))]
    assert [flat[place] for place in merged.order] == expected.order
    assert merged.document.tolist() == [document for document, _ in expected.order]
    assert merged.parent.tolist() == expected.parent
    assert merged.depth.tolist() == expected.depth
    assert merged.end.tolist() == [expected.end[node] for node in range(len(flat))]
    assert merged.owner.tolist() == [expected.owner.get(d, -1) for d in range(len(parents))]


def test_a_page_without_frames_keeps_its_order() -> None:
    merged = merge_documents([np.array([-1, 0, 1, 0], np.int32)], [{}])
    assert merged.order.tolist() == [0, 1, 2, 3]
    assert merged.end.tolist() == [4, 3, 3, 4]
    assert merged.depth.tolist() == [0, 1, 2, 1]


def test_a_document_that_no_frame_shows_stands_at_the_end_with_no_parent() -> None:
    parents = [np.array([-1, 0], np.int32), np.array([-1, 0], np.int32)]
    merged = merge_documents(parents, [{}, {}])
    assert merged.parent.tolist() == [-1, 0, -1, 2]
    assert merged.owner.tolist() == [-1, -1]


def test_the_merged_arrays_are_narrow() -> None:
    merged = merge_documents([np.array([-1], np.int32)], [{}])
    kinds = {array.dtype for array in vars(merged).values()}
    assert kinds == {np.dtype(np.int32)}
