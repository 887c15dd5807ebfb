"""Pictures made by a seed: a page with boxes, lines of text, a gradient and noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import strategies as st

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]


def noise(height: int, width: int, seed: int) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def photo(size: int, seed: int) -> Pixels:
    """Noise of all scales, the coarse ones stronger, as in photographs."""
    total = np.zeros((size, size, 3))
    for side in (4, 8, 16, 32, 64):
        part = cv2.resize(
            noise(side, side, seed + side), (size, size), interpolation=cv2.INTER_CUBIC
        )
        total += part.astype(np.float64) / side
    found: Pixels = (255 * (total - total.min()) / np.ptp(total)).astype(np.uint8)
    return found


def text(size: int, seed: int) -> Pixels:
    """Dark lines of letters on white."""
    shown = np.full((size, size, 3), 255, np.uint8)
    letters = np.random.default_rng(seed).integers(97, 123, (size, 12), np.uint8)
    for row, line in enumerate(letters[: size // 10]):
        words = line.tobytes().decode()
        cv2.putText(shown, words, (2, 9 + 10 * row), cv2.FONT_HERSHEY_PLAIN, 0.6, (20, 20, 60), 1)
    return shown


def controls(size: int, seed: int) -> Pixels:
    """Filled boxes with borders, one within another."""
    random, shown = np.random.default_rng(seed), np.full((size, size, 3), 245, np.uint8)
    for _ in range(5):
        left, top = (int(part) for part in random.integers(0, size - 8, 2))
        corner = (left + int(random.integers(8, size)), top + int(random.integers(8, size)))
        red, green, blue = (int(part) for part in random.integers(0, 256, 3))
        cv2.rectangle(shown, (left, top), corner, (red, green, blue), -1)
        cv2.rectangle(shown, (left, top), corner, (60, 60, 60), 1)
    return shown


def gradient(size: int, seed: int) -> Pixels:
    first, last = np.random.default_rng(seed).integers(0, 256, (2, 3))
    steps = np.linspace(0, 1, size)[:, None]
    line = (first * (1 - steps) + last * steps).astype(np.uint8)
    shown = np.broadcast_to(line, (size, size, 3))
    return np.ascontiguousarray(shown if seed % 2 else shown.transpose(1, 0, 2))


def flat(size: int, seed: int) -> Pixels:
    return np.full((size, size, 3), np.random.default_rng(seed).integers(0, 256, 3), np.uint8)


@pytest.fixture(scope="session")
def page() -> Pixels:
    """A page of 640 x 400 with something of everything."""
    kinds = (photo, text, controls, gradient, flat)
    rows = [
        np.concatenate([kinds[(row + column) % 5](80, 9 * row + column) for column in range(8)], 1)
        for row in range(5)
    ]
    return np.concatenate(rows)


def boxes_within(width: int, height: int, least: int = 0) -> st.SearchStrategy[list[list[int]]]:
    """Lists of boxes that lie in a picture, with sides of at least so many pixels."""
    across = st.tuples(st.integers(0, width - least), st.integers(least, width))
    down = st.tuples(st.integers(0, height - least), st.integers(least, height))
    box = st.tuples(across, down).map(
        lambda pair: [
            pair[0][0],
            pair[1][0],
            min(width, pair[0][0] + pair[0][1]),
            min(height, pair[1][0] + pair[1][1]),
        ]
    )
    return st.lists(box, min_size=1, max_size=8)
