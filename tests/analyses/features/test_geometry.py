"""Structure of any tree, against counting by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.features.geometry import geometry, structure
from webgeist.page.hierarchy import Hierarchy


def tree(parents: list[int]) -> Hierarchy:
    """A hierarchy in walking order, in which block n hangs below one of those before it."""
    below: dict[int, list[int]] = {}
    for child, parent in enumerate(parents, start=1):
        below.setdefault(parent % child, []).append(child)
    order: list[tuple[int, int, int, int]] = []

    def walk(block: int, parent: int, depth: int, place: int) -> None:
        number = len(order)
        order.append((parent, depth, place, block))
        for at, child in enumerate(below.get(block, [])):
            walk(child, number, depth + 1, at)

    walk(0, -1, 0, 0)
    columns = np.array(order, np.int32)
    count = len(order)
    box = np.tile(np.array([[0, 0, 10, 10]], np.float32), (count, 1))
    return Hierarchy(
        node=np.arange(count, dtype=np.int32),
        parent=columns[:, 0],
        end=columns[:, 0],
        depth=columns[:, 1],
        order=columns[:, 2],
        kind=np.zeros(count, np.uint8),
        box=box,
        also=np.zeros((0, 2), np.int32),
        owner=np.zeros(0, np.int32),
        paints=np.zeros(0, bool),
    )


@given(st.lists(st.integers(0, 30), max_size=25))
def test_structure_is_what_counting_finds(parents: list[int]) -> None:
    found = tree(parents)
    columns = structure(found)
    above = found.parent.tolist()
    for block, parent in enumerate(above):
        assert columns["children"][block] == above.count(block)
        siblings = above.count(parent) - 1 if parent >= 0 else 0
        assert columns["siblings"][block] == siblings
        assert 0 <= columns["fractionalSiblingOrder"][block] <= 1
        assert 0 <= columns["fractionalLevel"][block] <= 1


def test_no_blocks_have_no_features() -> None:
    found = tree([])
    empty = Hierarchy(**{name: getattr(found, name)[:0] for name in vars(found)})
    assert all(len(values) == 0 for values in geometry(empty).values())
    assert all(len(values) == 0 for values in structure(empty).values())
