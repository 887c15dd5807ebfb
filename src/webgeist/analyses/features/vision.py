"""What blocks look like, read from the page's picture for all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.features.boxes import areas, cut, sums
from webgeist.analyses.features.edges import edges as edges_of
from webgeist.analyses.features.palette import COLOURS, palettes
from webgeist.analyses.features.samples import samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.features.samples import Samples

CALM = 8  # steps of each channel by which background may differ from a block's own colour

_WHITE = 255


@dataclass(frozen=True)
class Vision:
    """One entry for each box, in their order. An empty box looks like a blank white one."""

    average: NDArray[np.float32]  # (n, 3) RGB
    frequent: NDArray[np.uint8]  # (n, 3) RGB, the first colour of the palette
    edges: NDArray[np.int64]  # (n,) pixels on edges
    edge_share: NDArray[np.float32]  # (n,) of all pixels, 0 to 1
    palette: NDArray[np.uint8]  # (n, 5, 3) RGB, largest share first, zeros where there are fewer
    palette_shares: NDArray[np.float32]  # (n, 5) of all pixels, 0 where there are fewer
    whitespace: NDArray[np.float32]  # (n,) share of pixels near `frequent` and on no edge


def look(picture: NDArray[np.uint8], boxes: NDArray[np.int32]) -> Vision:
    """What the boxes (left, top, right, bottom) of an RGB picture look like.

    Average and edges are exact; palette, most frequent colour and whitespace are counted in at
    most 1,024 pixels of a box. What a box has outside the picture does not count.
    """
    distinct, numbers = np.unique(cut(boxes, picture), axis=0, return_inverse=True)
    found = _blank(len(distinct))
    if areas(distinct).any():
        _fill(found, picture, distinct)
    return Vision(**{part.name: getattr(found, part.name)[numbers] for part in fields(Vision)})


def _blank(count: int) -> Vision:
    palette = np.zeros((count, COLOURS, 3), np.uint8)
    palette[:, 0] = _WHITE
    return Vision(
        average=np.full((count, 3), _WHITE, np.float32),
        frequent=palette[:, 0],  # a view: filled with the palette
        edges=np.zeros(count, np.int64),
        edge_share=np.zeros(count, np.float32),
        palette=palette,
        palette_shares=np.eye(1, COLOURS, dtype=np.float32).repeat(count, 0),
        whitespace=np.ones(count, np.float32),
    )


def _fill(found: Vision, picture: NDArray[np.uint8], boxes: NDArray[np.int64]) -> None:
    """What the boxes that are not empty look like."""
    area = areas(boxes)
    filled = np.flatnonzero(area)
    found.average[filled] = sums(picture, boxes[filled]) / area[filled, None]
    marks = edges_of(picture)
    found.edges[filled] = sums(marks, boxes[filled])[:, 0]
    found.edge_share[filled] = found.edges[filled] / area[filled]
    for looked in samples(picture, marks, boxes):
        palette, shares = palettes(looked)
        found.palette[looked.boxes], found.palette_shares[looked.boxes] = palette, shares
        found.whitespace[looked.boxes] = _whitespace(looked, palette[:, 0])


def _whitespace(looked: Samples, frequent: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The share of the pixels that differ little from the most frequent colour, off edges."""
    wide = frequent.astype(np.int16).T[..., None]
    low = np.maximum(wide - CALM, 0).astype(np.uint8)
    high = np.minimum(wide + CALM, 255).astype(np.uint8)
    calm = looked.used & (looked.edges == 0)
    for channel, lower, upper in zip(looked.colours, low, high, strict=True):
        calm &= (channel >= lower) & (channel <= upper)
    shares: NDArray[np.float32] = (calm.sum(1) / looked.counts).astype(np.float32)
    return shares
