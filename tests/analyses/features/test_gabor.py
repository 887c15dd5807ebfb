"""The matrices of GIST: what each of them does to a picture of one wave."""

from __future__ import annotations

import numpy as np

from webgeist.analyses.features.gabor import CELLS, ORIENTATIONS, SIZE, bank


def test_the_short_gaussian_keeps_even_and_loses_fine_lines() -> None:
    gaussian = bank().widen @ bank().narrow
    np.testing.assert_allclose(gaussian @ np.ones(SIZE, np.float32), 1, atol=1e-4)
    fine = gaussian @ (-1.0) ** np.arange(SIZE)
    assert np.abs(fine[12:-12]).max() < 0.01, "but for the borders, where mirrored lines are wider"


def test_cosines_see_even_lines_and_sines_odd_ones() -> None:
    about = np.arange(SIZE) - (SIZE - 1) / 2
    half = SIZE // 2
    wave = np.cos(2 * np.pi * 8 * about / 64)  # 8 cycles of 64 pixels are 10 of 80
    even = (wave + wave[::-1])[:half]
    assert np.abs(bank().cosines @ even).argmax() == 10
    assert np.abs((wave - wave[::-1])[:half]).max() < 1e-9


def test_every_scale_has_its_filters_and_reads_within_the_planes() -> None:
    planes = 4 * len(bank().cosines) ** 2
    assert len(bank().scales) == len(ORIENTATIONS)
    for scale, count in zip(bank().scales, ORIENTATIONS, strict=True):
        assert scale.orientations == count
        assert scale.places.min() >= 0
        assert scale.places.max() < planes
        assert scale.gains.shape == (scale.window, 2, scale.window, count, 1)
        assert np.abs(scale.gains).max(axis=(0, 1, 2)).min() > 0.95, "each window has its peak"


def test_pooling_is_the_mean_of_a_cell() -> None:
    pool = bank().pool
    assert len(pool) == CELLS
    np.testing.assert_allclose(pool.sum(1), 1, rtol=1e-6)
    assert ((pool > 0).sum(0) == 1).all(), "each sample is of one cell"
