"""GIST: what a block looks like at a glance, as 960 numbers.

A. Oliva and A. Torralba, "Modeling the shape of the scene: a holistic representation of the
spatial envelope", International Journal of Computer Vision 42 (2001): the energy of oriented
filters of three scales in the cells of a 4 x 4 grid, after the local contrast was made even.

We differ from their program in two places, for speed: only a window of each filter's spectrum is
kept, and its answer is looked at in 3 x 3 places of each cell. The result correlates with the
full form by 0.99 on blocks of real pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.features.gabor import CELLS, ORIENTATIONS, SIZE, bank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.features.gabor import Bank, Scale

    Floats = NDArray[np.float32]

LENGTH = 3 * sum(ORIENTATIONS) * CELLS**2  # numbers of a descriptor: 960

_TOGETHER = 8  # crops at a time: what they become on the way fits in the processor's cache
_PIECES = 16  # of a product with many columns, see _product
_CALM = np.float32(0.2)  # contrast below which a place is not made more lively


def gist(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """One descriptor for each 64 x 64 RGB crop.

    Its numbers run over colour (red, green, blue), scale (from fine to coarse), orientation
    (8, 8 and 4; from vertical strokes on, turning by equal angles), row and column of the
    grid, the last fastest. Equal crops are looked at once: pages repeat icons, rules and blanks.
    """
    if crops.ndim != 4 or crops.shape[1:] != (SIZE, SIZE, 3):  # noqa: PLR2004  axes
        raise ValueError(f"crops have the shape {crops.shape}, not (n, {SIZE}, {SIZE}, 3)")
    firsts, numbers = _distinct(crops)
    found = np.empty((len(firsts), LENGTH), np.float32)
    for start in range(0, len(firsts), _TOGETHER):
        part = firsts[start : start + _TOGETHER]
        found[start : start + _TOGETHER] = _described(crops[part], bank())
    return found[numbers]


def _distinct(crops: NDArray[np.uint8]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each different crop is first, and for all crops which of them it is."""
    seen: dict[bytes, int] = {}
    numbers = np.array([seen.setdefault(crop.tobytes(), len(seen)) for crop in crops], np.intp)
    return np.unique(numbers, return_index=True)[1], numbers


def _described(crops: NDArray[np.uint8], filters: Bank) -> Floats:
    """The descriptors. Inside, crops are the last axis, so that each product serves all."""
    spectra = _spectra(_whitened(crops, filters), filters)
    energies = [_energy(spectra, scale, filters.pool) for scale in filters.scales]
    together = np.concatenate(energies, 1).reshape(CELLS**2, -1, 3, len(crops))
    return together.transpose(3, 2, 1, 0).reshape(len(crops), LENGTH)


def _whitened(crops: NDArray[np.uint8], filters: Bank) -> Floats:
    """Crops as (row, column, colour and crop), less their low frequencies, of even contrast."""
    count = len(crops)
    lines = np.ascontiguousarray(crops.transpose(1, 2, 3, 0)).astype(np.float32)
    lines += 1
    picture = np.log(lines, out=lines).reshape(SIZE, SIZE, 3 * count)
    picture -= _smooth(picture, filters)
    colours = picture.reshape(SIZE, SIZE, 3, count)
    grey = colours[:, :, 0] + colours[:, :, 1]
    grey += colours[:, :, 2]
    grey *= np.float32(1 / 3)
    grey *= grey
    colours /= (np.sqrt(np.abs(_smooth(grey, filters))) + _CALM)[:, :, None]
    return picture


def _smooth(picture: Floats, filters: Bank) -> Floats:
    """A picture's low frequencies."""
    rank, crops = len(filters.narrow), picture.shape[2]
    rows = _product(filters.narrow, picture).reshape(rank, SIZE, crops)
    small = np.matmul(filters.widen, np.matmul(filters.narrow, rows))
    return _product(filters.widen, small).reshape(picture.shape)


def _product(matrix: Floats, columns: Floats, pieces: int = _PIECES) -> Floats:
    """The matrix times all that is below each entry of the first axis.

    In pieces that stay in the cache, and below 2^18 multiplications each: from there on OpenBLAS
    wakes its other threads, which cost four times the processor time that one thread needs.
    """
    found = np.empty((len(matrix), columns.size // len(columns)), np.float32)
    np.matmul(
        matrix,
        columns.reshape(len(columns), pieces, -1).transpose(1, 0, 2),
        out=found.reshape(len(matrix), pieces, -1).transpose(1, 0, 2),
    )
    return found


def _spectra(picture: Floats, filters: Bank) -> Floats:
    """Four planes of frequencies down and across, from 0 on, for each colour of each crop.

    The real and the (negative) imaginary part where both frequencies have one sign, then the two
    parts where they have not. As the picture is real, the rest of its spectrum is conjugate.
    """
    half, count = SIZE // 2, len(filters.cosines)
    top, bottom = picture[:half], picture[: half - 1 : -1]
    rows = np.concatenate(
        [
            _product(filters.cosines, top + bottom),
            _product(filters.sines, top - bottom),
        ]
    ).reshape(2, count, SIZE, -1)
    left, right = rows[:, :, :half], rows[:, :, : half - 1 : -1]
    even, odd = np.matmul(filters.cosines, left + right), np.matmul(filters.sines, left - right)
    planes = np.empty((4, *even.shape[1:]), np.float32)
    np.subtract(even[0], odd[1], out=planes[0])
    np.add(even[1], odd[0], out=planes[1])
    np.add(even[0], odd[1], out=planes[2])
    np.subtract(even[1], odd[0], out=planes[3])
    return planes.reshape(-1, planes.shape[-1])


def _energy(spectra: Floats, scale: Scale, pool: Floats) -> Floats:
    """The mean magnitude of each filter's answer, as (cell, orientation, colour and crop)."""
    size, crops, samples = scale.window, spectra.shape[1], pool.shape[1]
    windows = spectra.take(scale.places, 0).reshape(size, 2, size, scale.orientations, crops)
    windows *= scale.gains
    across = np.matmul(scale.across, windows.reshape(size, 2 * size, -1))
    down = _product(scale.down, across.reshape(2 * size, -1), samples)
    parts = down.reshape(2, samples, -1)
    parts *= parts
    magnitude = np.sqrt(parts[0] + parts[1])
    rows = (pool @ magnitude).reshape(CELLS, samples, -1)
    cells: Floats = np.matmul(pool, rows).reshape(CELLS**2, scale.orientations, crops)
    return cells
