"""Where on a picture the content of a page likely is, by a small convolutional network.

It learned from pages whose elements were known which parts of their pictures hold the prose
(`python -m benchmarks changes --only pictures`), and sees nothing but the picture: grey, 160
pixels wide, whatever its height, and how far each row is from the top and the bottom. What it
answers is for cells of 32 CSS pixels at the usual viewport. Run by ONNX Runtime, on one thread.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Pixels = NDArray[np.uint8]

WIDE = 160  # pixels of what the network sees
CELL = 4  # pixels of it for which there is one answer
_FAR = 400  # rows from the top or bottom, beyond which it does not matter how many
_FURTHEST = 1.5


def attention(grey: Pixels) -> Floats:
    """For each cell, 0..1: rows of `WIDE` / `CELL` numbers. `grey` is a picture's brightness."""
    planes = seen(reduced(grey))
    (found,) = _network().run(None, {"picture": planes[None]})
    return np.asarray(found[0], np.float32)


def reduced(grey: Pixels) -> Pixels:
    """What the network sees of a picture."""
    height = max(1, round(grey.shape[0] * WIDE / grey.shape[1]))
    return np.asarray(cv2.resize(grey, (WIDE, height), interpolation=cv2.INTER_AREA), np.uint8)


def seen(small: Pixels, first: int = 0, total: int | None = None) -> Floats:
    """The network's input for some rows of a reduced picture of `total` rows."""
    total = len(small) if total is None else total
    rows = np.arange(first, first + len(small), dtype=np.float32)
    planes = np.empty((3, *small.shape), np.float32)
    planes[0] = 1 - small.astype(np.float32) / 255
    planes[1] = np.minimum(rows / _FAR, _FURTHEST)[:, None]
    planes[2] = np.minimum((total - rows) / _FAR, _FURTHEST)[:, None]
    return planes


def means(cells: Floats, boxes: Floats, width: float) -> Floats:
    """The mean answer for each box (left, top, right, bottom) of a picture that is `width` wide."""
    tall, wide = cells.shape
    sums = np.zeros((tall + 1, wide + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    places = boxes * (wide / width)
    left, top = (
        np.clip(np.floor(places[:, n]).astype(int), 0, m - 1) for n, m in ((0, wide), (1, tall))
    )
    right = np.clip(np.ceil(places[:, 2]).astype(int), left + 1, wide)
    bottom = np.clip(np.ceil(places[:, 3]).astype(int), top + 1, tall)
    inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    return np.asarray(inside / ((right - left) * (bottom - top)), np.float32)


@lru_cache(maxsize=1)
def _network() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    data = (files("webgeist.analyses.changes") / "attention.onnx").read_bytes()
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
