"""What is compared of a picture: its lines, each with its place, looks and a profile. Pure.

A line is what stands side by side on a page, mostly a line of text: strokes with small gaps. Its
profile says how much ink each strip of it has from left to right; the same words in the same
letters have the same profile wherever they stand on the page, also after JPEG.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.capture.screenshot import Screenshot

    Floats = NDArray[np.float32]
    Pixels = NDArray[np.uint8]

WIDTH = 640  # pixels that a picture is compared at: half of the usual viewport
STRIPS = 96  # of a profile
_STRIP = WIDTH / STRIPS
_EDGE = 28  # difference of brightness that is a stroke
_GAP = 9  # pixels between words
_LEAST = 3  # pixels: what is smaller is dirt
_READ = 4  # one of so many pixels is read of a picture
_MOST = 6_000  # lines; a picture with more is compared as far as these go
_TALLEST = 40_000  # rows of the reduced picture that are looked at
_INK = 3.0  # what a line must have to be one; borders and shadows have less
_BLANK = 6  # lines that have fewer pixels of ink in all show nothing


@dataclass(frozen=True, eq=False)
class Sketch:
    """The lines of a picture from top to bottom: `boxes` are left, top, right, bottom in pixels of
    the reduced picture, `profiles` the ink of each strip. `scale` times a box gives the
    original's pixels.
    """

    width: int
    height: int
    scale: float
    boxes: Floats
    profiles: Floats

    def __len__(self) -> int:
        return len(self.boxes)


def sketch(pixels: Pixels) -> Sketch:
    """The lines of an RGB picture of any size; it is reduced to a fixed width."""
    scale = pixels.shape[1] / WIDTH
    small = _reduced(pixels)
    height = small.shape[0]
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)
    strokes = _strokes(grey)
    boxes = _lines(strokes)
    profiles = _profiles(boxes, grey)
    inked = profiles.sum(axis=1) >= _INK
    return Sketch(WIDTH, height, scale, boxes[inked].astype(np.float32), profiles[inked])


def sketch_of(shot: Screenshot) -> Sketch:
    """The same of a capture's picture, which is read at half its size where it is large enough."""
    most = max(1, shot.info.width * shot.info.height // _READ)
    return sketch(shot.pixels(most)[0])


def _reduced(pixels: Pixels) -> Pixels:
    height = max(1, round(pixels.shape[0] * WIDTH / pixels.shape[1]))
    if pixels.shape[1] != WIDTH:
        pixels = np.asarray(
            cv2.resize(pixels, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8
        )
    return pixels[:_TALLEST]


def _strokes(grey: Pixels) -> Pixels:
    """Where brightness changes at once, whatever the ground is."""
    kernel = np.ones((1, 3), np.uint8)
    steep = cv2.subtract(cv2.dilate(grey, kernel), cv2.erode(grey, kernel))
    return np.asarray(steep > _EDGE, np.uint8)


def _lines(strokes: Pixels) -> NDArray[np.int32]:
    """Boxes of what stands side by side, by their top and left."""
    joined = cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, np.ones((1, _GAP), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=4)
    stats = stats[1:]
    wide, tall = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    stats = stats[(wide >= _LEAST) & (tall >= _LEAST) & (stats[:, cv2.CC_STAT_AREA] >= _BLANK)]
    boxes = np.column_stack(
        [stats[:, 0], stats[:, 1], stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]]
    )
    order = np.lexsort((boxes[:, 0], boxes[:, 1]))
    return boxes[order][:_MOST].astype(np.int32)


def _profiles(boxes: NDArray[np.int32], grey: Pixels) -> Floats:
    """The ink of each line; a row more on both sides, as strokes may end between two."""
    profiles = np.zeros((len(boxes), STRIPS), np.float32)
    for number, (left, top, right, bottom) in enumerate(boxes.tolist()):
        crop = grey[max(top - 1, 0) : bottom + 1, left:right]
        ground = float(np.median(crop[:, :: max(1, crop.shape[1] // 60)]))
        ink = np.abs(crop.astype(np.float32) - ground)
        ink[ink < _FAINT] = 0
        columns = ink.sum(axis=0) * (_TALL / max(_TALL, bottom - top) / 255)
        profiles[number] = _strips(columns)
    return profiles


def _strips(columns: Floats) -> Floats:
    """The ink of each strip, from where it begins: a faint edge may be seen or not."""
    sums = np.concatenate([[0.0], np.cumsum(columns)])
    begin = float(np.interp(_BEGIN, sums, np.arange(len(sums))))
    edges = np.minimum(begin + _EDGES, len(columns))
    ink = np.diff(np.interp(edges, np.arange(len(sums)), sums))
    return np.asarray(ink, np.float32)


_BEGIN = 1.0  # ink before a line begins
_FAINT = 9  # difference of brightness that JPEG may have made
_TALL = 16  # pixels: what is taller is a picture, and counts as if it were not
_EDGES = np.arange(STRIPS + 1) * _STRIP
