"""How a capture differs from another of the same page: how it ended, its nodes, its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webgeist.capture.screenshot import Area
from webgeist.page.compare import compare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.capture.model import Capture
    from webgeist.capture.screenshot import Screenshot
    from webgeist.page.compare import Difference

_BAND = 4_096  # rows of a picture that are compared at a time


@dataclass(frozen=True)
class CaptureDifference:
    """`facts` are those that differ, each with what was and what is: outcome, url, title, status.

    `page` is None unless both have one. `pixels` is the share of pixels that differ, from 0 to 1;
    None where there is no picture on either side.
    """

    facts: dict[str, tuple[object, object]]
    page: Difference | None
    pixels: float | None

    @property
    def same(self) -> bool:
        """Whether nothing at all is different."""
        return not self.facts and (not self.page or self.page.same) and not self.pixels


def compare_captures(before: Capture, after: Capture) -> CaptureDifference:
    """What is different in `after`. Times, and what a capture says of its making, don't count."""
    one, other = _facts(before), _facts(after)
    return CaptureDifference(
        {name: (one[name], other[name]) for name in one if one[name] != other[name]},
        compare(before.page, after.page) if before.page and after.page else None,
        differing_pixels(before.screenshot, after.screenshot),
    )


def _facts(capture: Capture) -> dict[str, object]:
    info = capture.info
    return {
        "outcome": str(info.outcome),
        "url": info.url,
        "title": info.metadata.title if info.metadata else None,
        "status": info.status,
        "nodes": info.nodes,
        "picture": f"{info.screenshot.width}x{info.screenshot.height}" if info.screenshot else None,
    }


def differing_pixels(before: Screenshot | None, after: Screenshot | None) -> float | None:
    """The share of pixels that are not equal; where only one picture reaches, they are not."""
    if before is None or after is None:
        return None if before is after else 1.0
    if before == after:  # the same bytes
        return 0.0
    shared = Area(
        0,
        0,
        min(before.info.width, after.info.width),
        min(before.info.height, after.info.height),
    )
    all_pixels = _pixels(before) + _pixels(after) - shared.width * shared.height
    equal = sum(_equal(before, after, band) for band in _bands(shared))
    return (all_pixels - equal) / all_pixels


def _pixels(shot: Screenshot) -> int:
    return shot.info.width * shot.info.height


def _bands(area: Area) -> Iterator[Area]:
    for y in range(0, area.height, _BAND):
        yield Area(0, y, area.width, min(_BAND, area.height - y))


def _equal(before: Screenshot, after: Screenshot, area: Area) -> int:
    one, other = (np.asarray(shot.image(area)) for shot in (before, after))
    return int((one == other).all(axis=2).sum())
