"""What is compared of a picture: its lines, each with its place, looks and a profile. Pure.

A line is what stands side by side on a page, mostly a line of text: strokes with small gaps. Its
profile says how much ink each strip of it has from left to right; the same words in the same
letters have the same profile wherever they stand on the page, also after JPEG. For that a picture
is looked at pixel by pixel: reduced to half, a page that moved down by one pixel has other letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from webgeist.analyses.changes.attention import attention, means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from webgeist.capture.screenshot import Screenshot

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]
    Pixels = NDArray[np.uint8]

WIDTH = 640  # units of a picture's width: places and sizes are told in these
STRIPS = 96  # of a profile
WIDEST = 1_600  # pixels; a wider picture is reduced
TALLEST = 80_000  # rows that are looked at
_BAND = 4_000  # rows that are looked at together
_EDGE = 28  # difference of brightness that is a stroke
_GAP = 9  # units between words
_LEAST = (3.0, 2.5)  # units, wide and tall: what is smaller is dirt
_BLANK = 6  # square units of strokes that a line has at least
_MOST = 6_000  # lines; a picture with more is compared as far as these go
_INK = 3.0  # what a line must have to be one; borders and shadows have less
_BEGIN = 0.5  # ink before a line begins
_FAINT = 12  # difference of brightness that JPEG may have made
_TALL = 16  # units: what is taller is a picture, and counts as if it were not
_EDGES = np.arange(STRIPS + 1) * (WIDTH / STRIPS)


@dataclass(frozen=True, eq=False)
class Sketch:
    """The lines of a picture from top to bottom: `boxes` are left, top, right, bottom in units,
    `profiles` the ink of each strip, `content` how likely each is content by its place on the
    picture (see `attention`). `scale` times a box gives the original's pixels.
    """

    width: int
    height: int
    scale: float
    boxes: Floats
    profiles: Floats
    content: Floats

    def __len__(self) -> int:
        return len(self.boxes)


def sketch_of(shot: Screenshot) -> Sketch:
    """The lines of a picture of any size."""
    grey, by = shot.grey(WIDEST, TALLEST)
    return sketch(grey, by)


def sketch(grey: Pixels, by: int = 1, attend: Callable[[Pixels], Floats] = attention) -> Sketch:
    """The same of its brightness, which was reduced `by` so much."""
    unit = grey.shape[1] / WIDTH
    boxes = np.concatenate([_lines(grey, top, end, unit) for top, end in _bands(grey)])
    boxes = boxes[np.lexsort((boxes[:, 0], boxes[:, 1]))][:_MOST]
    profiles = _profiles(boxes, grey, unit)
    inked = profiles.sum(axis=1) >= _INK
    places = (boxes[inked] / unit).astype(np.float32)
    content = means(attend(grey), places, WIDTH) if len(places) else np.zeros(0, np.float32)
    return Sketch(WIDTH, round(len(grey) / unit), unit * by, places, profiles[inked], content)


def _bands(grey: Pixels) -> Iterator[tuple[int, int]]:
    """Parts of a tall picture, cut where nothing is, if there is such a place."""
    top = 0
    while top < len(grey):
        end = min(top + _BAND, len(grey))
        if end < len(grey):
            half = grey[top + _BAND // 2 : end]
            empty = np.flatnonzero(half.max(axis=1) - half.min(axis=1) < _FAINT)
            end = top + _BAND // 2 + int(empty[-1]) + 1 if len(empty) else end
        yield top, end
        top = end


def _lines(grey: Pixels, first: int, end: int, unit: float) -> Ints:
    """Boxes of what stands side by side in some rows."""
    gap = np.ones((1, round(_GAP * unit) | 1), np.uint8)
    joined = cv2.morphologyEx(_strokes(grey[first:end]), cv2.MORPH_CLOSE, gap)
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=4)
    left, top, wide, tall, area = stats[1:].T
    kept = (wide >= _LEAST[0] * unit) & (tall >= _LEAST[1] * unit) & (area >= _BLANK * unit**2)
    top = top + first
    boxes = np.column_stack([left, top, left + wide, top + tall])
    return np.asarray(boxes[kept], np.int32)


def _strokes(grey: Pixels) -> Pixels:
    """Where brightness changes at once, whatever the ground is."""
    kernel = np.ones((1, 3), np.uint8)
    steep = cv2.subtract(cv2.dilate(grey, kernel), cv2.erode(grey, kernel))
    return np.asarray(steep > _EDGE, np.uint8)


def _profiles(boxes: Ints, grey: Pixels, unit: float) -> Floats:
    profiles = np.zeros((len(boxes), STRIPS), np.float32)
    for number, (left, top, right, bottom) in enumerate(boxes.tolist()):
        crop = grey[top:bottom, left:right]
        ink = cv2.absdiff(crop, np.full_like(crop, _ground(crop)))
        ink[ink < _FAINT] = 0
        tall = _TALL * unit / max(_TALL * unit, bottom - top)
        columns = ink.sum(axis=0, dtype=np.float32) * (tall / 255 / unit**2)
        profiles[number] = _strips(columns, unit)
    return profiles


def _ground(crop: Pixels) -> int:
    """The most frequent brightness: of bold letters, half of all pixels are ink."""
    return int(np.bincount(crop[::2].ravel() >> 3, minlength=32).argmax()) * 8 + 4


def _strips(columns: Floats, unit: float) -> Floats:
    """The ink of each strip, from where it begins: a faint edge may be seen or not."""
    sums = np.concatenate([[0.0], np.cumsum(columns)])
    begin = float(np.interp(_BEGIN, sums, np.arange(len(sums))))
    edges = np.minimum(begin + _EDGES * unit, len(columns))
    ink = np.diff(np.interp(edges, np.arange(len(sums)), sums))
    return np.asarray(ink, np.float32)
