"""Edges, and that bands of a tall picture make no seams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from webgeist.analyses.features import edges as module
from webgeist.analyses.features.edges import STRONG, WEAK, edges

if TYPE_CHECKING:
    import pytest
    from numpy.typing import NDArray


def test_edges_are_those_of_canny(page: NDArray[np.uint8]) -> None:
    grey = cv2.cvtColor(page, cv2.COLOR_RGB2GRAY)
    found = edges(page)
    assert found.tolist() == (cv2.Canny(grey, WEAK, STRONG) > 0).astype(int).tolist()
    assert 0.01 < found.mean() < 0.5


def test_a_box_has_its_outline_and_nothing_else() -> None:
    picture = np.full((60, 60, 3), 255, np.uint8)
    picture[20:40, 15:45] = 0
    found = edges(picture)
    assert not found[24:36, 19:41].any()
    assert not found[:17].any()
    assert found.sum() > 80


def test_bands_make_no_seams(page: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch) -> None:
    tall = np.concatenate([page] * 3)
    whole = edges(tall)
    monkeypatch.setattr(module, "_BAND_PIXELS", 640 * 130)
    banded = edges(tall)
    assert (banded != whole).mean() < 0.001
    assert (banded & ~whole & 1).sum() == 0, "no border is seen as an edge"


def test_pictures_of_one_colour_and_of_one_pixel_have_none() -> None:
    assert not edges(np.full((50, 40, 3), 90, np.uint8)).any()
    assert edges(np.zeros((1, 1, 3), np.uint8)).tolist() == [[0]]
    assert edges(np.zeros((1, 500, 3), np.uint8)).shape == (1, 500)
