"""What speaks for and against that a line of a picture that changed is content. Pure.

A page's main column is where its wide lines of text begin; what stands in it, among such lines, is
likely its content. As with passages, nothing tells how much changed elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.changes.sketch_alignment import likeness, twins

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.changes.sketch import Sketch
    from webgeist.analyses.changes.sketch_alignment import Twins

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

_WIDE = 0.25  # of the picture's width: a line of prose
_TEXT = (4, 16)  # pixels: how tall lines of text are
_SLACK = 4  # pixels that lines of a column may begin apart
_AROUND = 4  # lines before and after
_PICTURE = 3  # times as tall as most lines of text
NAMES = (
    *("wide", "tall", "main_between", "wide_around", "row", "stack", "picture", "is_main"),
    *("alike", "run", "main_run", "content"),
)


@dataclass(frozen=True, eq=False)
class Layout:
    """A picture's main column: where it begins and ends, and which lines are its text."""

    left: float
    right: float
    main: NDArray[np.bool_]
    usual: float  # height of most lines of text


@dataclass(frozen=True, eq=False)
class Differences:
    """Lines that changed: numbers of those of the first and of the second picture, what is known
    of each in that order, and the twins of all others.
    """

    before: Ints
    after: Ints
    evidence: Floats
    twins: Twins
    alike: tuple[Floats, Floats]


def differences(one: Sketch, other: Sketch) -> Differences:
    found = twins(one, other)
    alike = likeness(one, other, found)
    left, right = np.flatnonzero(found.before < 0), np.flatnonzero(found.after < 0)
    rows = np.concatenate([_rows(one, left, alike[0]), _rows(other, right, alike[1])])
    return Differences(left, right, rows.astype(np.float32), found, alike)


def layout(sketch: Sketch) -> Layout:
    boxes = sketch.boxes
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    text = (tall >= _TEXT[0]) & (tall <= _TEXT[1])
    usual = float(np.median(tall[text])) if text.any() else 8.0
    prose = text & (wide > _WIDE * sketch.width)
    if not prose.any():
        return Layout(0.0, float(sketch.width), prose, usual)
    begins = np.bincount((boxes[prose, 0] // _SLACK).astype(int), wide[prose])
    left = float(np.convolve(begins, [1, 1])[1:].argmax() * _SLACK) if len(begins) > 1 else 0.0
    main = prose & (boxes[:, 0] >= left - _SLACK) & (boxes[:, 0] <= left + 2 * _SLACK)
    if not main.any():
        main = prose
    return Layout(left, float(np.percentile(boxes[main, 2], 90)), main, usual)


def _rows(sketch: Sketch, chosen: Ints, alike: Floats) -> Floats:
    """Numbers for the chosen lines, in the order of NAMES."""
    if not len(chosen):
        return np.zeros((0, len(NAMES)), np.float32)
    plan, (left, top, right, bottom) = layout(sketch), sketch.boxes[chosen].T
    prose = (sketch.boxes[:, 2] - sketch.boxes[:, 0]) > _WIDE * sketch.width
    changed = np.zeros(len(sketch), np.float32)
    changed[chosen] = 1
    columns = (
        (right - left) / sketch.width,
        np.log1p((bottom - top) / plan.usual),
        _between(sketch, plan, top),
        _mean_around(prose, chosen),
        np.log1p(_in_row(sketch, chosen)),
        np.log1p(_stacked(sketch, plan, chosen)),
        bottom - top > _PICTURE * plan.usual,
        plan.main[chosen],
        alike[chosen],
        np.log1p(_runs(changed)[chosen]),
        np.log1p(_runs_of(changed, plan.main)[chosen]),
        sketch.content[chosen],
    )
    return np.column_stack(columns).astype(np.float32)


def _between(sketch: Sketch, plan: Layout, top: Floats) -> Floats:
    """The share of the main column's lines above or below, whichever is smaller."""
    tops = np.sort(sketch.boxes[plan.main, 1])
    total = max(len(tops), 1)
    before = np.searchsorted(tops, top) / total
    after = 1 - np.searchsorted(tops, top, side="right") / total
    found: Floats = np.minimum(before, after).astype(np.float32)
    return found


def _mean_around(values: NDArray[np.bool_], chosen: Ints) -> Floats:
    sums = np.concatenate([[0], np.cumsum(values)])
    low = np.maximum(chosen - _AROUND, 0)
    high = np.minimum(chosen + _AROUND + 1, len(values))
    found: Floats = (sums[high] - sums[low] - values[chosen]) / np.maximum(high - low - 1, 1)
    return found


def _in_row(sketch: Sketch, chosen: Ints) -> Floats:
    """How many lines begin at the same height."""
    tops = np.sort(sketch.boxes[:, 1])
    mine = sketch.boxes[chosen, 1]
    found: Floats = np.searchsorted(tops, mine + 2, side="right") - np.searchsorted(tops, mine - 2)
    return found


def _stacked(sketch: Sketch, plan: Layout, chosen: Ints) -> Floats:
    """How many lines begin at the same left within ten lines above and below."""
    order = np.lexsort((sketch.boxes[:, 1], sketch.boxes[:, 0] // 2))
    keys = (sketch.boxes[:, 0] // 2) * 1e6 + sketch.boxes[:, 1]
    ordered, reach = keys[order], 20 * plan.usual
    ends = np.searchsorted(ordered, keys[chosen] + reach)
    return np.asarray(ends - np.searchsorted(ordered, keys[chosen] - reach), np.float32)


def _runs(changed: Floats) -> Floats:
    """For each place, how long the run of ones is that it is in."""
    found = np.zeros(len(changed), np.float32)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], changed, [0]])))
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        found[first:last] = last - first
    return found


def _runs_of(changed: Floats, some: NDArray[np.bool_]) -> Floats:
    """The same among some lines, as if there were no others; 0 for those."""
    found = np.zeros(len(changed), np.float32)
    found[some] = _runs(changed[some])
    return found
