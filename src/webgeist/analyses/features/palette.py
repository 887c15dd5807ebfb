"""The few colours that a block is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.features.samples import Samples

COLOURS = 5  # of a palette, at most
LEVELS = 16  # of each channel: colours are counted in 4,096 bins
NEAR = 24  # distance in RGB up to which a smaller bin is counted with a larger one

_CANDIDATES = 16  # largest bins that are looked at; what is beyond them is no dominant colour
_COLOUR_BITS, _BIN_SHIFT = 24, 12
_NONE = 1 << _COLOUR_BITS  # sorts after all colours


def _key_table() -> NDArray[np.uint32]:
    """For each channel what a value adds to a key, whose upper half is the bin."""
    value = np.arange(256, dtype=np.uint32)
    upper, lower = value >> 4, value & 15
    return np.stack([upper << 20 | lower << 8, upper << 16 | lower << 4, upper << 12 | lower])


_KEYS = _key_table()


@dataclass(frozen=True)
class _Bins:
    """The bins that occur in some boxes, box by box."""

    row: NDArray[np.intp]
    count: NDArray[np.int64]
    colour: NDArray[np.int64]  # the key of the most frequent colour in it


def palettes(looked: Samples) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The dominant colours of each box (n, 5, 3) and their shares of its pixels (n, 5).

    Largest share first; a box of fewer colours has zeros after them. Pixels are counted in bins of
    16 levels per channel. A bin speaks by its own most frequent colour, so that what is named is a
    colour of the page; from the largest of the 16 largest bins on, those nearer than 24 in RGB
    are counted with it.
    """
    found = _largest(_bins(_keys(looked)), len(looked.boxes))
    colours, counts = _merged(*found)
    order = np.argsort(-counts, axis=1, kind="stable")[:, :COLOURS]
    counts = np.take_along_axis(counts, order, 1)
    colours = np.take_along_axis(colours, order[..., None], 1)
    shares = (counts / looked.counts[:, None]).astype(np.float32)
    return np.where(counts[..., None] > 0, colours, 0).astype(np.uint8), shares


def _keys(looked: Samples) -> NDArray[np.uint32]:
    """Each box's colours as sorted numbers, those of one bin together."""
    keys: NDArray[np.uint32] = _KEYS[0].take(looked.colours[0])
    keys |= _KEYS[1].take(looked.colours[1])
    keys |= _KEYS[2].take(looked.colours[2])
    keys[~looked.used] = _NONE
    keys.sort(axis=1)
    return keys


def _bins(keys: NDArray[np.uint32]) -> _Bins:
    """Runs of one colour, then runs of one bin."""
    starts = _starts(keys)
    lengths = np.diff(starts, append=keys.size)
    run = keys.reshape(-1)[starts].astype(np.int64)
    real = run < _NONE
    row, run, lengths = starts[real] // keys.shape[1], run[real], lengths[real]
    first = _starts(row << _BIN_SHIFT | run >> _BIN_SHIFT)
    # The longest run of each bin; of equal ones that of the brighter colour.
    longest = np.maximum.reduceat(lengths << _COLOUR_BITS | run, first)
    return _Bins(row[first], np.add.reduceat(lengths, first), longest & (_NONE - 1))


def _starts(values: NDArray[np.uint32] | NDArray[np.int64]) -> NDArray[np.intp]:
    """Where in the flattened values another one begins; each row begins anew."""
    begins = np.ones(values.shape, np.bool_)
    np.not_equal(values[..., 1:], values[..., :-1], out=begins[..., 1:])
    return np.flatnonzero(begins)


def _largest(bins: _Bins, boxes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Colours (boxes, candidates, 3) and pixels (boxes, candidates) of the largest bins."""
    order = np.lexsort((-bins.count, bins.row))
    row = bins.row[order]
    rank = np.arange(len(row)) - np.searchsorted(row, np.arange(boxes))[row]
    order, row, rank = (part[rank < _CANDIDATES] for part in (order, row, rank))
    colours = np.zeros((boxes, _CANDIDATES, 3), np.int64)
    counts = np.zeros((boxes, _CANDIDATES), np.int64)
    colours[row, rank] = _unpacked(bins.colour[order])
    counts[row, rank] = bins.count[order]
    return colours, counts


def _unpacked(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The RGB colours (n, 3) of keys."""
    channels = [(keys >> (20 - down) & 15) << 4 | keys >> (8 - down) & 15 for down in (0, 4, 8)]
    return np.stack(channels, 1)


def _merged(
    colours: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each bin, from large to small, counted with the largest before it that is near, if any."""
    counts, narrow = counts.copy(), colours.astype(np.int32)
    apart = ((narrow[:, :, None] - narrow[:, None]) ** 2).sum(3)
    for number in range(1, _CANDIDATES):
        near = (apart[:, number, :number] <= NEAR**2) & (counts[:, :number] > 0)
        joins = np.flatnonzero(near.any(1))
        counts[joins, near.argmax(1)[joins]] += counts[joins, number]
        counts[joins, number] = 0
    return colours, counts
