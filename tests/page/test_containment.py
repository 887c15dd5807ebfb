"""Boxes in boxes: the vectorised search against one that looks at every pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from webgeist.page.containment import SLACK, containers, covered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Boxes = NDArray[np.float32]

COUNT = st.integers(1, 40)


@st.composite
def scenes(
    draw: st.DrawFn,
) -> tuple[Boxes, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Small boxes on a small page, so that many lie in each other; the first is the page."""
    count = draw(COUNT)
    corners = draw(arrays.arrays(np.int32, (count, 2), elements=st.integers(0, 12)))
    sizes = draw(arrays.arrays(np.int32, (count, 2), elements=st.integers(1, 12)))
    boxes = np.concatenate([corners, corners + sizes], axis=1).astype(np.float32) * 3
    boxes[0] = (0, 0, 72, 72)
    order = np.array(draw(st.permutations(range(1, count))), np.int32)
    layer = draw(arrays.arrays(np.int32, count, elements=st.integers(-1, 0)))
    holds = draw(arrays.arrays(np.bool_, count))
    holds[0] = True
    return boxes, np.append(np.int32(0), order), layer, holds


def _inside(outer: Boxes, inner: Boxes, slack: float) -> bool:
    return bool((outer[:2] <= inner[:2] + slack).all() and (outer[2:] >= inner[2:] - slack).all())


def _area(box: Boxes) -> float:
    return float((box[2] - box[0]) * (box[3] - box[1]))


@given(scenes())
def test_containers_are_what_looking_at_every_pair_finds(
    scene: tuple[Boxes, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]],
) -> None:
    boxes, order, layer, holds = scene
    expected = []
    for inner in range(len(boxes)):
        around = [
            outer
            for outer in range(len(boxes))
            if holds[outer]
            and order[outer] < order[inner]
            and (outer == 0 or layer[outer] == layer[inner])
            and _inside(boxes[outer], boxes[inner], SLACK)
        ]
        best = min(around, key=lambda o: (_area(boxes[o]), -order[o]), default=-1)
        expected.append(best)
    assert containers(boxes, order, layer, holds).tolist() == expected


@given(scenes())
def test_covered_is_what_lies_behind_an_opaque_box_of_a_later_round(
    scene: tuple[Boxes, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]],
) -> None:
    boxes, order, _, opaque = scene
    rounds = (order // 4).astype(np.int32)
    expected = [
        any(
            opaque[cover] and rounds[cover] > rounds[inner] and _inside(boxes[cover], box, 0)
            for cover in range(len(boxes))
        )
        for inner, box in enumerate(boxes)
    ]
    assert covered(boxes, rounds, opaque).tolist() == expected


def test_thousands_of_equal_boxes_hang_in_a_chain_of_painting() -> None:
    count = 3000
    boxes = np.tile(np.array([[0, 0, 10, 10]], np.float32), (count, 1))
    order = np.arange(count, dtype=np.int32)
    same = np.full(count, -1, np.int32)
    found = containers(boxes, order, same, np.ones(count, bool))
    assert found.tolist() == list(range(-1, count - 1))


def test_nothing_contains_nothing() -> None:
    none = np.zeros(0, np.int32)
    empty = np.zeros((0, 4), np.float32)
    assert not len(containers(empty, none, none, np.zeros(0, bool)))
    assert not len(covered(empty, none, np.zeros(0, bool)))
