"""Boxes cut to the picture; sums from tables are plain sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.features.conftest import boxes_within, noise

from webgeist.analyses.features import boxes as module
from webgeist.analyses.features.boxes import areas, cut, sums

ANY = st.integers(-50, 150)


@given(st.lists(st.tuples(ANY, ANY, ANY, ANY), max_size=9))
def test_cut_boxes_hold_the_pixels_that_the_picture_has_of_them(
    boxes: list[tuple[int, int, int, int]],
) -> None:
    picture = np.zeros((40, 70, 3), np.uint8)
    found = cut(np.array(boxes, np.int32).reshape(-1, 4), picture)
    for box, area in zip(boxes, areas(found), strict=True):
        inside = [(x, y) for x in range(70) for y in range(40) if holds(box, x, y)]
        assert area == len(inside)


def holds(box: tuple[int, int, int, int], x: int, y: int) -> bool:
    left, top, right, bottom = box
    return left <= x < right and top <= y < bottom


@given(boxes_within(60, 90), st.integers(1, 6000))
def test_sums_are_those_of_the_pixels_whatever_the_bands(boxes: list[list[int]], band: int) -> None:
    picture, places = noise(90, 60, 1), np.array(boxes, np.int64)
    before = module._BAND_PIXELS
    module._BAND_PIXELS = band
    try:
        found = sums(picture, places)
    finally:
        module._BAND_PIXELS = before
    for (left, top, right, bottom), total in zip(boxes, found, strict=True):
        assert total.tolist() == picture[top:bottom, left:right].sum((0, 1), np.int64).tolist()


def test_one_channel_is_summed_alike() -> None:
    plane = noise(30, 20, 2)[..., 0]
    assert sums(plane, np.array([[3, 4, 20, 30]])).tolist() == [[int(plane[4:, 3:].sum())]]


def test_a_white_page_of_sixty_thousand_rows_overflows_nothing() -> None:
    picture = np.full((60_000, 1280), 255, np.uint8)
    total = 255 * 1280 * 60_000
    assert total > 2**32
    assert sums(picture, np.array([[0, 0, 1280, 60_000]])).tolist() == [[total]]


def test_a_table_of_one_band_stays_within_its_numbers() -> None:
    assert 255 * module._BAND_PIXELS < 2**31
