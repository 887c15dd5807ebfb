"""Boxes of blocks in a page's picture: cut to it, and sums of what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BAND_PIXELS = 2**20  # of one summed-area table: 12 MB for three colours; 255 times it is an int32


def cut(boxes: NDArray[np.int32], picture: NDArray[np.uint8]) -> NDArray[np.int64]:
    """(left, top, right, bottom) within the picture; right is never below left, nor bottom top."""
    height, width = picture.shape[:2]
    inside = np.clip(boxes.reshape(-1, 4).astype(np.int64), 0, [width, height, width, height])
    inside[:, 2:] = np.maximum(inside[:, 2:], inside[:, :2])
    return inside


def areas(boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pixels each box has."""
    area: NDArray[np.int64] = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return area


def sums(picture: NDArray[np.uint8], boxes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum of each channel in each box (n, channels), however many boxes overlap.

    From summed-area tables of bands of the picture, so that no sum in them exceeds 32 bits and
    the memory of a tall page stays that of one band.
    """
    planes = picture.reshape(*picture.shape[:2], -1)
    height, width, channels = planes.shape
    rows = max(1, _BAND_PIXELS // max(1, width))
    total = np.zeros((len(boxes), channels), np.int64)
    for top in range(0, height, rows):
        band = cv2.integral(planes[top : top + rows], sdepth=cv2.CV_32S)
        table = band.astype(np.int32, copy=False).reshape(*band.shape[:2], channels)
        total += _corners(table, boxes, top)
    return total


def _corners(table: NDArray[np.int32], boxes: NDArray[np.int64], top: int) -> NDArray[np.int32]:
    """What a table that begins at this row holds of each box."""
    left, right = boxes[:, 0], boxes[:, 2]
    upper, lower = np.clip(boxes[:, 1::2].T - top, 0, len(table) - 1)
    found: NDArray[np.int32] = table[lower, right] - table[lower, left]
    found -= table[upper, right] - table[upper, left]
    return found
