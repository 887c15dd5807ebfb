"""The filters of GIST as matrices, made once.

Every transform of `gist` is a product of small real matrices: for windows of a dozen frequencies
that took a third of the time of FFTs. What the matrices hold is here; the order of the products
is in `gist`.

The filters are those of A. Oliva and A. Torralba, "Modeling the shape of the scene: a holistic
representation of the spatial envelope", International Journal of Computer Vision 42 (2001), with
the numbers of their own program LMgist.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

SIZE = 64  # pixels of a crop's side
CELLS = 4  # of the grid, each way
ORIENTATIONS = (8, 8, 4)  # of the filters of each scale, from fine to coarse

_BORDER = 8  # mirrored round a crop before it is filtered: an eighth of it, as in LMgist
_PERIOD = SIZE + 2 * _BORDER
_CENTRES = tuple(0.3 * _PERIOD / 1.85**scale for scale in range(len(ORIENTATIONS)))
_RADIAL = 3.5  # how narrow a filter is along its direction
_WINDOWS = (20, 16, 12)  # frequencies that are kept of each scale's filters, each way
_SAMPLES = 12  # places, each way, at which an answer is looked at

_WHITENING_BORDER = 5
_WHITENING_CUT = 4 / np.sqrt(np.log(2))  # the Gaussian passes half of 4 cycles per crop
_WHITENING_RANK = 24  # with 24 of its 64 directions the Gaussian is itself to 1 in 10,000

_Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Scale:
    """The filters of one scale.

    A filter's answer is needed in magnitude only, and that does not change when its spectrum is
    moved. So each filter has a small window round its centre, all windows of a scale have one
    size, and one matrix leads from any of them to the answer. The axes of a batch of windows are
    (frequency down, real or imaginary, frequency across, orientation, crop).
    """

    window: int
    orientations: int
    places: NDArray[np.intp]  # in the planes of `gist._spectra`, of each window's frequencies
    gains: _Floats  # of the filters there; negative where the plane holds the conjugate
    across: _Floats  # from (part, frequency) to (part, sample)
    down: _Floats  # from (frequency, part) to (part, sample)


@dataclass(frozen=True)
class Bank:
    """All that `gist` multiplies with."""

    narrow: _Floats  # the whitening's Gaussian is `widen @ narrow` along each axis
    widen: _Floats
    cosines: _Floats  # from the even half of a crop's line to its frequencies
    sines: _Floats  # from the odd half
    scales: tuple[Scale, ...]
    pool: _Floats  # from samples to the mean of each cell


@cache
def bank() -> Bank:
    """The filters for crops of 64 x 64 pixels."""
    left, weights, right = np.linalg.svd(_gaussian())
    kept = _WHITENING_RANK
    cosines, sines = _waves(_frequencies())
    return Bank(
        narrow=_floats(right[:kept]),
        widen=_floats(left[:, :kept] * weights[:kept]),
        cosines=_floats(cosines),
        sines=_floats(sines),
        scales=tuple(_scale(number) for number in range(len(ORIENTATIONS))),
        pool=_floats(np.repeat(np.eye(CELLS), _SAMPLES // CELLS, 1) * CELLS / _SAMPLES),
    )


def _gaussian() -> NDArray[np.float64]:
    """The low-pass filter of the whitening along one axis, mirrored borders included."""
    size = SIZE + 2 * _WHITENING_BORDER
    passed = np.exp(-((np.fft.fftfreq(size, 1 / size) / _WHITENING_CUT) ** 2))
    turning = np.fft.ifft(passed[:, None] * np.fft.fft(np.eye(size), axis=0), axis=0).real
    inside: NDArray[np.float64] = turning[_WHITENING_BORDER:-_WHITENING_BORDER]
    return inside @ _mirrored(_WHITENING_BORDER)


def _mirrored(border: int) -> NDArray[np.float64]:
    """The matrix that adds mirrored borders to a line of a crop."""
    return np.pad(np.eye(SIZE), ((border, border), (0, 0)), mode="symmetric")


def _waves(frequencies: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Cosine and sine transforms about a line's middle, of its first half.

    About its middle a line is an even and an odd half; cosines see only the one, sines only the
    other, which quarters the work in two dimensions.
    """
    about = np.arange(_PERIOD) - (_PERIOD - 1) / 2
    angles = 2 * np.pi * np.outer(np.arange(frequencies), about) / _PERIOD
    half = _mirrored(_BORDER)[:, : SIZE // 2]
    return np.cos(angles) @ half, np.sin(angles) @ half


def _frequencies() -> int:
    """How many frequencies from 0 on the windows reach."""
    reached = [
        max(abs(start), abs(start + window - 1))
        for scale, window in enumerate(_WINDOWS)
        for starts in _starts(scale)
        for start in starts
    ]
    return 1 + max(reached)


def _starts(scale: int) -> list[tuple[int, int]]:
    """The lowest frequencies, down and across, of each orientation's window."""
    window, count = _WINDOWS[scale], ORIENTATIONS[scale]
    angles = -np.pi * np.arange(count) / count
    centres = _CENTRES[scale] * np.stack([np.sin(angles), np.cos(angles)], 1)
    highest = _PERIOD // 2 - window
    starts = np.clip(np.rint(centres - window / 2).astype(int), 1 - _PERIOD // 2, highest)
    return [(int(down), int(across)) for down, across in starts]


def _scale(scale: int) -> Scale:
    starts, window = _starts(scale), _WINDOWS[scale]
    steps = np.arange(window)
    down = np.array([start for start, _ in starts]) + steps[:, None, None]
    across = np.array([start for _, start in starts]) + steps[:, None]
    gains = _gain(down, across, scale)
    # The planes hold frequencies down from 0 on; the others are their conjugates.
    signed = np.stack([gains, np.where(down < 0, gains, -gains)], 1)
    return Scale(
        window=window,
        orientations=len(starts),
        places=_places(down, across).ravel(),
        gains=_floats(signed[..., None]),
        across=_floats(_inverse(window).reshape(2 * _SAMPLES, 2 * window)),
        down=_floats(_inverse(window).transpose(0, 1, 3, 2).reshape(2 * _SAMPLES, 2 * window)),
    )


def _gain(down: NDArray[np.int_], across: NDArray[np.int_], scale: int) -> NDArray[np.float64]:
    """Each orientation's transfer function, as LMgist's createGabor has it."""
    count = ORIENTATIONS[scale]
    turned = np.arctan2(down, across) + np.pi * np.arange(count) / count
    turned = np.where(turned > np.pi, turned - 2 * np.pi, turned)
    radius = np.hypot(down, across) / _CENTRES[scale]
    gain: NDArray[np.float64] = np.exp(
        -_RADIAL * (radius - 1) ** 2 - 2 * np.pi * (16 * count**2 / 32**2) * turned**2
    )
    return gain


def _places(down: NDArray[np.int_], across: NDArray[np.int_]) -> NDArray[np.intp]:
    """Where frequencies stand in the planes: (plane, part, down, across), flattened."""
    count = _frequencies()
    plane = (down < 0) ^ (across < 0)
    parts = [((2 * plane + part) * count + abs(down)) * count + abs(across) for part in (0, 1)]
    return np.stack(parts, 1).astype(np.intp)


def _inverse(window: int) -> NDArray[np.float64]:
    """The inverse transform of a window, as (part, sample, part, frequency)."""
    samples = (np.arange(_SAMPLES) + 0.5) * SIZE / _SAMPLES - SIZE / 2
    waves = np.exp(2j * np.pi * np.outer(samples, np.arange(window)) / _PERIOD) / _PERIOD
    real, imaginary = waves.real, waves.imag
    return np.stack([np.stack([real, -imaginary], 1), np.stack([imaginary, real], 1)])


def _floats(values: NDArray[np.float64]) -> _Floats:
    return np.ascontiguousarray(values, np.float32)
