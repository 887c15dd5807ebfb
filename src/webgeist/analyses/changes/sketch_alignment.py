"""Which lines of two pictures are the same, wherever they stand. Pure, and symmetric.

A line is the same if no strip of it has other ink: what moved down because something above it grew
has not changed. Where a line stands on several places, the nearest one by its rank is its twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.changes.sketch import Sketch

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

_SAME = 3.2  # ink that a strip may differ by: a letter has more, JPEG makes less
_ROUNDS = 30  # twins are looked for among those without; of equal lines, a few find one each time
_RANK = 0.5  # what being at the other end of the page counts, in ink
_CHUNK = 1_000  # lines that are compared with all others at a time


@dataclass(frozen=True, eq=False)
class Twins:
    """The twin of each line of the first picture in the second, and the other way; -1 is none."""

    before: Ints
    after: Ints


def twins(one: Sketch, other: Sketch) -> Twins:
    mine, theirs = np.full(len(one), -1), np.full(len(other), -1)
    for _ in range(_ROUNDS):
        left, right = np.flatnonzero(mine < 0), np.flatnonzero(theirs < 0)
        if not len(left) or not len(right):
            break
        first, second = _mutual(one, other, left, right)
        same = _apart(one, other, first, second) <= _SAME
        mine[first[same]], theirs[second[same]] = second[same], first[same]
        if not same.any():
            break
    return Twins(mine, theirs)


def _apart(one: Sketch, other: Sketch, first: Ints, second: Ints) -> Floats:
    """The most that a strip of each pair differs by; lines of other heights differ by much."""
    ink: Floats = np.abs(one.profiles[first] - other.profiles[second]).max(axis=1, initial=0)
    return ink + _taller(one, other, first, second)


def _taller(one: Sketch, other: Sketch, first: Ints, second: Ints) -> Floats:
    mine, theirs = (_heights(s)[at] for s, at in ((one, first), (other, second)))
    found: Floats = np.where(np.abs(mine - theirs) > np.maximum(2, 0.1 * mine), 10.0, 0.0)
    return found


def _heights(sketch: Sketch) -> Floats:
    found: Floats = sketch.boxes[:, 3] - sketch.boxes[:, 1]
    return found


def _mutual(one: Sketch, other: Sketch, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Lines that are nearest to each other."""
    nearest = np.empty(len(left), np.int64)
    best = np.full(len(right), np.inf)
    back = np.zeros(len(right), np.int64)
    for start in range(0, len(left), _CHUNK):
        rows = left[start : start + _CHUNK]
        distance = _distances(one, other, rows, right)
        nearest[start : start + len(rows)] = distance.argmin(axis=1)
        least = distance.min(axis=0)
        closer = least < best
        best[closer], back[closer] = least[closer], start + distance.argmin(axis=0)[closer]
    mutual = back[nearest] == np.arange(len(left))
    return left[mutual], right[nearest[mutual]]


def _distances(one: Sketch, other: Sketch, rows: Ints, columns: Ints) -> Floats:
    mine, theirs = one.profiles[rows], other.profiles[columns]
    squares = (mine**2).sum(axis=1)[:, None] + (theirs**2).sum(axis=1) - 2 * mine @ theirs.T
    ranks = np.abs(rows[:, None] / max(len(one), 1) - columns / max(len(other), 1))
    found: Floats = np.sqrt(np.maximum(squares, 0)) + _RANK * ranks
    return found


def likeness(one: Sketch, other: Sketch, found: Twins) -> tuple[Floats, Floats]:
    """How much each line without a twin is like the most similar one of the other picture that has
    none either: the share of strips with the same ink. 1 for lines with a twin.
    """
    left, right = np.flatnonzero(found.before < 0), np.flatnonzero(found.after < 0)
    mine, theirs = np.ones(len(one), np.float32), np.ones(len(other), np.float32)
    mine[left], theirs[right] = 0, 0
    if not len(left) or not len(right):
        return mine, theirs
    for sketch, rows, twin, columns, alike in (
        (one, left, other, right, mine),
        (other, right, one, left, theirs),
    ):
        nearest = columns[_nearest(sketch, twin, rows, columns)]
        alike[rows] = _alike(sketch.profiles[rows], twin.profiles[nearest])
    return mine, theirs


def _nearest(one: Sketch, other: Sketch, rows: Ints, columns: Ints) -> Ints:
    parts = [
        _distances(one, other, rows[start : start + _CHUNK], columns).argmin(axis=1)
        for start in range(0, len(rows), _CHUNK)
    ]
    return np.concatenate(parts)


def _alike(mine: Floats, theirs: Floats) -> Floats:
    inked = (mine > 0) | (theirs > 0)
    same = (np.abs(mine - theirs) <= _SAME) & inked
    found: Floats = (same.sum(axis=1) / np.maximum(inked.sum(axis=1), 1)).astype(np.float32)
    return found
