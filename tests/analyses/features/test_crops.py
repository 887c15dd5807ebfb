"""Squares of blocks: area averages, also from halved pictures and of thin boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.analyses.features.conftest import noise, photo

from webgeist.analyses.features.crops import crops

if TYPE_CHECKING:
    from numpy.typing import NDArray


def of(picture: NDArray[np.uint8], *boxes: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    return crops(picture, np.array(boxes, np.int32).reshape(-1, 4), 16)


def plain(shown: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean colour of each sixteenth of both sides, of a picture whose sides 16 divides."""
    height, width = (side // 16 for side in shown.shape[:2])
    found: NDArray[np.float64] = shown.reshape(16, height, 16, width, 3).mean((1, 3))
    return found


@pytest.mark.parametrize("side", [16, 32, 64, 128])
def test_pixels_are_area_averages(side: int) -> None:
    picture = noise(160, 160, side)
    found = of(picture, (32, 16, 32 + side, 16 + side))[0]
    shown = picture[16 : 16 + side, 32 : 32 + side]
    assert np.abs(found - plain(shown)).max() < 1.6, "each halving rounds once"


@pytest.mark.parametrize("side", [48, 80, 112, 144])
def test_sides_between_are_averages_of_halved_pixels(side: int) -> None:
    picture = photo(160, side)
    found = of(picture, (5, 11, 5 + side, 11 + side))[0]
    shown = picture[11 : 11 + side, 5 : 5 + side]
    assert np.abs(found - plain(shown)).mean() < 8


@pytest.mark.parametrize("wide", [True, False])
def test_no_pixel_of_a_thin_box_is_dropped(wide: bool) -> None:
    picture = np.full((300, 300, 3), 255, np.uint8)
    picture[::8] = 0
    picture[:, ::8] = 0
    box = (0, 1, 256, 5) if wide else (1, 0, 5, 256)
    assert np.abs(of(picture, box).mean() - 255 * 7 / 8) < 2


def test_a_box_keeps_its_colours(page: NDArray[np.uint8]) -> None:
    boxes = [(0, 0, 640, 400), (3, 5, 333, 395), (80, 80, 500, 161), (7, 9, 50, 300)]
    for (left, top, right, bottom), found in zip(boxes, of(page, *boxes), strict=True):
        mean = page[top:bottom, left:right].mean((0, 1))
        assert np.abs(found.mean((0, 1)) - mean).max() < 4


def test_large_boxes_from_halved_pictures_look_as_from_the_picture(page: NDArray[np.uint8]) -> None:
    picture = page.repeat(4, 0).repeat(4, 1)
    large = of(picture, (160, 320, 1600, 1280))
    small = of(page, (40, 80, 400, 320))
    assert np.abs(large.astype(int) - small).mean() < 3


def test_empty_and_outside_boxes_are_white() -> None:
    picture = np.zeros((30, 40, 3), np.uint8)
    found = of(picture, (5, 5, 5, 20), (50, 0, 60, 10), (0, 31, 40, 99), (9, 9, 3, 3), (0, 0, 1, 1))
    assert (found[:4] == 255).all()
    assert (found[4] == 0).all()


def test_boxes_beyond_the_picture_show_what_it_has() -> None:
    picture = noise(40, 50, 3)
    assert (of(picture, (-20, -9, 500, 900)) == of(picture, (0, 0, 50, 40))).all()


def test_no_boxes_no_crops() -> None:
    assert of(np.zeros((10, 10, 3), np.uint8)).shape == (0, 16, 16, 3)
    assert (
        of(np.zeros((0, 0, 3), np.uint8), (0, 0, 9, 9)).tolist()
        == np.full((1, 16, 16, 3), 255).tolist()
    )


def test_order_and_repeats_are_kept(page: NDArray[np.uint8]) -> None:
    one, other = (300, 200, 420, 330), (10, 20, 100, 60)
    found = of(page, one, other, one)
    assert (found[0] == found[2]).all()
    assert (found == np.concatenate([of(page, one), of(page, other), of(page, one)])).all()


def test_a_tall_page_and_thousands_of_boxes() -> None:
    picture = np.broadcast_to(np.uint8(9), (60_000, 1280, 3))
    boxes = np.tile(np.array([[0, 59_000, 100, 59_090], [0, 0, 90, 90]], np.int32), (2_000, 1))
    assert (crops(np.ascontiguousarray(picture), boxes, 16) == 9).all()
