"""GIST against a plain form of it: whole spectra, an inverse FFT for each filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analyses.features.conftest import controls, flat, gradient, photo, text

from webgeist.analyses.features.gist import LENGTH, gist

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    Doubles = NDArray[np.float64]

KINDS = {"text": text, "photo": photo, "gradient": gradient, "controls": controls}


def padded(planes: Doubles, border: int) -> Doubles:
    sides = ((0, 0), (border, border), (border, border))
    return np.pad(planes, sides, mode="symmetric")


def frequencies(size: int) -> tuple[Doubles, Doubles]:
    steps: Doubles = np.fft.fftfreq(size, 1 / size).astype(np.float64)
    return steps[:, None], steps[None]


def smooth(planes: Doubles) -> Doubles:
    """LMgist's Gaussian, on planes that have their borders."""
    down, across = frequencies(planes.shape[-1])
    passed = np.exp(-(down**2 + across**2) * np.log(2) / 16)
    return np.fft.ifft2(np.fft.fft2(planes) * passed).real


def whitened(crop: Pixels) -> Doubles:
    """LMgist's prefilt, with the borders mirrored before each of its two filters."""
    planes = np.log(crop.transpose(2, 0, 1) + 1.0)
    planes = planes - smooth(padded(planes, 5))[:, 5:-5, 5:-5]
    grey = planes.mean(0, keepdims=True) ** 2
    found: Doubles = planes / (0.2 + np.sqrt(np.abs(smooth(padded(grey, 5))[:, 5:-5, 5:-5])))
    return found


def gabor(scale: int, count: int, number: int) -> Doubles:
    """LMgist's createGabor for pictures of 80 pixels."""
    down, across = frequencies(80)
    angle = np.arctan2(down, across) + np.pi / count * number
    angle += 2 * np.pi * (angle < -np.pi) - 2 * np.pi * (angle > np.pi)
    radius = np.hypot(down, across) / 80 / (0.3 / 1.85**scale)
    found: Doubles = np.exp(
        -10 * 0.35 * (radius - 1) ** 2 - 2 * (16 * count**2 / 32**2) * np.pi * angle**2
    )
    return found


def plain(crop: Pixels) -> Doubles:
    spectra = np.fft.fft2(padded(whitened(crop), 8))
    answers = []
    for scale, count in enumerate((8, 8, 4)):
        for number in range(count):
            answer = np.abs(np.fft.ifft2(spectra * gabor(scale, count, number)))[:, 8:-8, 8:-8]
            answers.append(answer.reshape(3, 4, 16, 4, 16).mean((2, 4)))
    return np.stack(answers, 1).ravel()


def crops_of(make: Callable[[int, int], Pixels], count: int = 6) -> Pixels:
    return np.stack([make(64, seed) for seed in range(count)])


def correlation(one: NDArray[np.float32], other: Doubles) -> float:
    return float(np.corrcoef(one, other)[0, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_fast_form_is_like_the_plain_one(kind: str) -> None:
    shown = crops_of(KINDS[kind])
    pairs = [(found, plain(crop)) for found, crop in zip(gist(shown), shown, strict=True)]
    assert np.mean([correlation(*pair) for pair in pairs]) >= 0.98
    assert np.mean([found.mean() / full.mean() for found, full in pairs]) == pytest.approx(
        1, abs=0.15
    )


def test_neighbours_are_those_of_the_plain_form() -> None:
    shown = np.concatenate([crops_of(make) for make in KINDS.values()])
    fast, full = gist(shown).astype(np.float64), np.stack([plain(crop) for crop in shown])
    assert np.mean(nearest(fast) == nearest(full)) >= 0.8


def nearest(points: Doubles) -> NDArray[np.intp]:
    apart = ((points[:, None] - points[None]) ** 2).sum(2)
    np.fill_diagonal(apart, np.inf)
    found: NDArray[np.intp] = apart.argmin(1)
    return found


@pytest.mark.parametrize(("turned", "strongest"), [(False, 0), (True, 4)])
def test_strokes_answer_in_their_orientation(turned: bool, strongest: int) -> None:
    """Orientation 0 is of vertical strokes, 4 of 8 of level ones."""
    shown = np.full((64, 64, 3), 255, np.uint8)
    shown[:, ::6] = shown[:, 1::6] = 0
    found = gist((shown.transpose(1, 0, 2) if turned else shown)[None])
    energies = found.reshape(3, 20, 16).mean((0, 2))
    assert energies[8:16].argmax() == strongest


def test_cells_run_row_by_row() -> None:
    shown = np.full((64, 64, 3), 255, np.uint8)
    shown[17:31, 50:62:3] = 0
    cells = gist(shown[None]).reshape(60, 4, 4).mean(0)
    assert np.unravel_index(cells.argmax(), (4, 4)) == (1, 3)


def test_colours_come_first() -> None:
    shown = np.full((64, 64, 3), 128, np.uint8)
    shown[::4, :, 1] = 0
    colours = gist(shown[None]).reshape(3, -1).mean(1)
    assert colours.argmax() == 1


@pytest.mark.parametrize("seed", range(3))
def test_flat_crops_are_calm(seed: int) -> None:
    found = gist(np.stack([flat(64, seed), np.zeros((64, 64, 3), np.uint8)]))
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 1e-3
    assert gist(text(64, seed)[None]).max() > 0.1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(range(12)), min_size=1, max_size=30))
def test_a_batch_is_its_crops_one_by_one(numbers: list[int]) -> None:
    makes = list(KINDS.values())
    shown = np.stack([makes[number % 4](64, number) for number in numbers])
    together = gist(shown)
    for crop, found in zip(shown, together, strict=True):
        np.testing.assert_allclose(gist(crop[None])[0], found, rtol=1e-3, atol=1e-5)


def test_equal_crops_are_equal_and_every_run_is_the_same() -> None:
    shown = crops_of(photo, 5)
    found = gist(shown[[0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]])
    assert (found[:5] == found[5:10]).all()
    assert (found[0] == found[10]).all()
    assert (gist(shown) == gist(shown.copy())).all()


def test_the_shape_is_what_it_says() -> None:
    assert LENGTH == 960
    found = gist(np.empty((0, 64, 64, 3), np.uint8))
    assert found.shape == (0, 960)
    assert found.dtype == np.float32
    with pytest.raises(ValueError, match="shape"):
        gist(np.zeros((2, 32, 32, 3), np.uint8))


def test_thousands_of_equal_crops_are_one() -> None:
    found = gist(np.broadcast_to(text(64, 1), (5_000, 64, 64, 3)))
    assert (found == found[0]).all()
