"""Which pixels of a page's picture are edges.

J. Canny, "A computational approach to edge detection", IEEE Transactions on Pattern Analysis and
Machine Intelligence 8 (1986), as OpenCV has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEAK, STRONG = 100, 200  # Sobel gradients of grey: an edge goes on above WEAK, starts above STRONG

_BAND_PIXELS = 2**23  # looked at together; Canny needs some ten bytes for each
_OVERLAP = 32  # rows seen beyond a band, so that edges go on across its border


def edges(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 for each pixel on an edge, 0 elsewhere.

    Pictures above 8 million pixels are looked at in bands of rows. An edge that is weak for more
    than 32 rows on one side of a border and strong only on the other may stop near the border.
    """
    height, width = picture.shape[:2]
    rows = max(2 * _OVERLAP, _BAND_PIXELS // max(1, width))
    found = np.empty((height, width), np.uint8)
    for top in range(0, height, rows):
        first, bottom = max(0, top - _OVERLAP), min(height, top + rows)
        band = _canny(picture[first : bottom + _OVERLAP])
        np.bitwise_and(band[top - first : bottom - first], 1, out=found[top:bottom])
    return found


def _canny(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return cv2.Canny(grey, WEAK, STRONG).astype(np.uint8, copy=False)
