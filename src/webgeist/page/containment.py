"""Which box lies in which: the smallest one around it that was painted before. Pure, on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]

SLACK = (
    2.0  # pixels by which a box may stick out and still lie inside: letters are taller than lines
)
_AT_ONCE = 256  # boxes compared with all others around their height


def containers(boxes: Floats, order: Ints, layer: Ints, holds: Bools) -> Ints:
    """For each box (left, top, right, bottom) the number of the one that it lies in, or -1.

    That is the smallest of those which reach around it, hold something at all, were painted before
    it (`order`) and move with it when the page is scrolled (`layer`; the first box is the page and
    holds every layer). Of equal ones it is the one painted last. Since a container was painted
    before, there are no circles.
    """
    found = np.full(len(boxes), -1, np.int32)
    by_size = np.lexsort((-order, _areas(boxes)))
    rank = by_size[holds[by_size]]  # the smallest first
    for some in _bands(boxes):
        near = rank[_overlap(boxes, rank, some)]
        inside = around(boxes[near], boxes[some], SLACK)
        inside &= order[near][None] < order[some][:, None]
        inside &= (layer[near][None] == layer[some][:, None]) | (near == 0)[None]
        found[some] = _first(near, inside)
    return found


def covered(boxes: Floats, order: Ints, opaque: Bools) -> Bools:
    """Which boxes lie wholly behind an opaque one that was painted in a later round.

    Here `order` has equal numbers for what is painted in one round: there, neighbours may touch but
    do not hide each other.
    """
    hidden = np.zeros(len(boxes), bool)
    covers = np.flatnonzero(opaque & (order > order.min(initial=0)))
    for some in _bands(boxes):
        near = covers[_overlap(boxes, covers, some)]
        behind = around(boxes[near], boxes[some], 0.0)
        behind &= order[near][None] > order[some][:, None]
        hidden[some] = behind.any(axis=1)
    return hidden


def around(outer: Floats, inner: Floats, slack: float) -> Bools:
    """For each inner box (rows) and each outer one (columns) whether the first is in the second."""
    inside: Bools = outer[None, :, 0] <= inner[:, None, 0] + slack
    inside &= outer[None, :, 1] <= inner[:, None, 1] + slack
    inside &= outer[None, :, 2] >= inner[:, None, 2] - slack
    inside &= outer[None, :, 3] >= inner[:, None, 3] - slack
    return inside


def _areas(boxes: Floats) -> Floats:
    sizes = boxes[:, 2:] - boxes[:, :2]
    areas: Floats = sizes[:, 0] * sizes[:, 1]
    return areas


def _bands(boxes: Floats) -> list[Ints]:
    """The boxes from top to bottom, some at a time: only few others reach around those."""
    down = np.argsort(boxes[:, 1], kind="stable").astype(np.int32)
    return [down[start : start + _AT_ONCE] for start in range(0, len(down), _AT_ONCE)]


def _overlap(boxes: Floats, which: Ints, some: Ints) -> Bools:
    """Which of these can reach around one of some boxes."""
    top, bottom = boxes[some, 1].max() + SLACK, boxes[some, 3].min() - SLACK
    reach: Bools = (boxes[which, 1] <= top) & (boxes[which, 3] >= bottom)
    return reach


def _first(near: Ints, inside: Bools) -> Ints:
    """For each row the first of `near` that is marked, or -1."""
    if not len(near):
        return np.full(len(inside), -1, np.int32)
    at = inside.argmax(axis=1)
    return np.where(inside[np.arange(len(at)), at], near[at], -1).astype(np.int32)
