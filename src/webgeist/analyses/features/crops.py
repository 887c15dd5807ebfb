"""Each block's part of the page's picture, as small squares of one size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from webgeist.analyses.features.boxes import areas, cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]

_WHITE = 255


def crops(picture: Pixels, boxes: NDArray[np.int32], size: int) -> Pixels:
    """A square of `size` pixels for each box (left, top, right, bottom), by area averaging.

    What a box has outside the picture is not shown; an empty one is white. A large box is taken
    from the smallest halved picture in which it still has `size` pixels each way, because blocks
    contain each other and their pixels would be averaged again and again; its borders then lie
    within half a pixel of the square.
    """
    distinct, numbers = np.unique(cut(boxes, picture), axis=0, return_inverse=True)
    found = np.full((len(distinct), size, size, 3), _WHITE, np.uint8)
    pyramid = [picture]
    for number in np.flatnonzero(areas(distinct)).tolist():
        left, top, right, bottom = distinct[number].tolist()
        level = _level(min(right - left, bottom - top), size)
        shown = _picture(pyramid, level)[
            _scaled(top, level) : _scaled(bottom, level),
            _scaled(left, level) : _scaled(right, level),
        ]
        found[number] = _square(shown, size)
    return found[numbers.reshape(-1)]


def _level(side: int, size: int) -> int:
    """How often a side can be halved and still has `size` pixels."""
    return max(0, (side // size).bit_length() - 1)


def _scaled(edge: int, level: int) -> int:
    """A border in a picture halved this often, to the nearest pixel."""
    return (edge + (1 << level >> 1)) >> level


def _picture(pyramid: list[Pixels], level: int) -> Pixels:
    """The picture halved this often; the last line of an odd side, which has no pair, is left."""
    while len(pyramid) <= level:
        last = pyramid[-1]
        height, width = last.shape[:2]
        even = last[: height // 2 * 2, : width // 2 * 2]
        pyramid.append(_resized(even, width // 2, height // 2))
    return pyramid[level]


def _square(shown: Pixels, size: int) -> Pixels:
    """Averaged first along the side that is too long, if only one is.

    OpenCV averages areas only where neither side grows; elsewhere it would drop pixels.
    """
    height, width = shown.shape[:2]
    if (height < size) != (width < size):
        shown = _resized(shown, min(width, size), min(height, size))
    return _resized(shown, size, size)


def _resized(picture: Pixels, width: int, height: int) -> Pixels:
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8, copy=False)
