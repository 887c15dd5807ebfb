"""What VICD sees of a page: its picture, grey, 100 by 100. Pure.

Paper, "rendering layer": the screenshot is scaled to 100 by 100 and turned to grey, whatever its
aspect ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Grey = NDArray[np.float32]

SIDE = 100


@dataclass(frozen=True, eq=False)
class Example:
    """Two versions of a page as VICD sees them. `site` is what must not be on both sides of a
    split, `names` tell which pictures are the same.
    """

    before: Grey
    after: Grey
    important: bool
    site: str
    names: tuple[str, str]


@dataclass(frozen=True, eq=False)
class Triplet:
    """An anchor, a version of it with the same content, and one with other content."""

    anchor: Grey
    same: Grey
    other: Grey


def small(pixels: NDArray[np.uint8]) -> Grey:
    """An RGB picture as VICD sees it, 0 to 1."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    made = cv2.resize(grey, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(np.asarray(made, np.float32) / 255, np.float32)


def triplets(examples: Sequence[Example]) -> list[Triplet]:
    """For each important pair, an unimportant one that shares a picture with it. Where there is
    none, the anchor moved by a pixel is the version with the same content.
    """
    same: dict[str, list[Grey]] = {}
    for each in examples:
        if not each.important:
            same.setdefault(each.names[0], []).append(each.after)
            same.setdefault(each.names[1], []).append(each.before)
    found: list[Triplet] = []
    for each in examples:
        if each.important:
            for name, anchor, other in (
                (each.names[0], each.before, each.after),
                (each.names[1], each.after, each.before),
            ):
                twins = same.get(name, [np.roll(anchor, 1, axis=0)])[:2]
                found += [Triplet(anchor, twin, other) for twin in twins]
    return found
