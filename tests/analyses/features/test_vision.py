"""What blocks look like against plain counting, and pictures and boxes that nobody expects."""

from __future__ import annotations

import tracemalloc
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.analyses.features.conftest import boxes_within, noise

from webgeist.analyses.features.edges import edges
from webgeist.analyses.features.samples import MOST
from webgeist.analyses.features.vision import CALM, Vision, look

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHITE = [255, 255, 255]


def of(picture: NDArray[np.uint8], *boxes: tuple[int, int, int, int]) -> Vision:
    return look(picture, np.array(boxes, np.int32).reshape(-1, 4))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(boxes=boxes_within(640, 400, least=1))
def test_averages_and_edges_are_exact(page: NDArray[np.uint8], boxes: list[list[int]]) -> None:
    seen, marks = look(page, np.array(boxes, np.int32)), edges(page)
    for number, (left, top, right, bottom) in enumerate(boxes):
        shown = page[top:bottom, left:right]
        np.testing.assert_allclose(seen.average[number], shown.mean((0, 1)), rtol=1e-5, atol=1e-4)
        assert seen.edges[number] == marks[top:bottom, left:right].sum()
        assert seen.edge_share[number] == pytest.approx(marks[top:bottom, left:right].mean())


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(boxes=boxes_within(32, 32, least=1))
def test_whitespace_of_small_boxes_is_exact(
    page: NDArray[np.uint8], boxes: list[list[int]]
) -> None:
    shown, marks = page[60:100, 60:100], edges(page[60:100, 60:100])
    seen = look(shown, np.array(boxes, np.int32))
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert (right - left) * (bottom - top) <= MOST
        apart = np.abs(shown[top:bottom, left:right].astype(int) - seen.frequent[number]).max(2)
        calm = (apart <= CALM) & (marks[top:bottom, left:right] == 0)
        assert seen.whitespace[number] == pytest.approx(calm.mean())


def test_large_boxes_are_near_the_truth() -> None:
    picture = np.full((600, 800, 3), 250, np.uint8)
    picture[100:340, 100:500] = (200, 30, 30)
    picture[400:520, 200:600] = (0, 60, 160)
    seen = of(picture, (0, 0, 800, 600))
    assert seen.palette[0, :3].tolist() == [[250] * 3, [200, 30, 30], [0, 60, 160]]
    assert seen.frequent[0].tolist() == [250] * 3
    np.testing.assert_allclose(seen.palette_shares[0], [0.7, 0.2, 0.1, 0, 0], atol=0.01)
    assert seen.whitespace[0] == pytest.approx(0.7, abs=0.02)


def test_text_takes_whitespace_and_makes_edges(page: NDArray[np.uint8]) -> None:
    words, blank = (80, 0, 160, 80), (320, 0, 400, 80)
    seen = of(page, words, blank)
    assert seen.edge_share[0] > 0.05
    assert seen.edge_share[0] > seen.edge_share[1]
    assert seen.whitespace[0] < 0.9 < seen.whitespace[1]
    assert seen.frequent[0].tolist() == WHITE


def test_a_picture_of_one_colour() -> None:
    seen = of(np.full((50, 60, 3), (1, 2, 3), np.uint8), (0, 0, 60, 50), (9, 9, 10, 10))
    assert seen.average.tolist() == seen.frequent.tolist() == [[1, 2, 3]] * 2
    assert seen.palette_shares.tolist() == [[1, 0, 0, 0, 0]] * 2
    assert (seen.edges.tolist(), seen.whitespace.tolist()) == ([0, 0], [1, 1])


def test_empty_boxes_look_blank_and_white() -> None:
    picture = noise(40, 30, 1)
    seen = of(picture, (30, 0, 90, 9), (5, 5, 5, 9), (7, 7, 2, 2), (-9, -9, 0, 0))
    assert seen.average.tolist() == seen.frequent.tolist() == [WHITE] * 4
    assert seen.palette[:, 0].tolist() == [WHITE] * 4
    assert seen.palette_shares.tolist() == [[1, 0, 0, 0, 0]] * 4
    assert (seen.edges.sum(), seen.edge_share.sum(), seen.whitespace.sum()) == (0, 0, 4)


def test_boxes_beyond_the_picture_are_cut() -> None:
    picture = noise(40, 30, 2)
    assert same(of(picture, (-5, -5, 900, 900)), of(picture, (0, 0, 30, 40)))


def same(one: Vision, other: Vision) -> bool:
    return all(
        np.array_equal(getattr(one, part.name), getattr(other, part.name))
        for part in fields(Vision)
    )


def test_no_boxes_and_no_picture() -> None:
    assert all(len(getattr(of(noise(9, 9, 1)), part.name)) == 0 for part in fields(Vision))
    assert of(np.zeros((0, 0, 3), np.uint8), (0, 0, 5, 5)).average.tolist() == [WHITE]


def test_order_and_repeats_are_kept(page: NDArray[np.uint8]) -> None:
    one, other = (300, 200, 420, 330), (10, 20, 100, 60)
    seen = of(page, *[one, other] * 2_000)
    assert (seen.average[::2] == of(page, one).average).all()
    assert (seen.palette[1::2] == of(page, other).palette).all()


def test_the_same_again(page: NDArray[np.uint8]) -> None:
    boxes = ((0, 0, 640, 400), (3, 4, 90, 80))
    assert same(of(page, *boxes), of(page.copy(), *boxes))


def test_a_tall_page_needs_little_memory() -> None:
    picture = np.full((60_000, 1280, 3), 255, np.uint8)
    picture[59_000:59_500] = 10
    tracemalloc.start()
    seen = of(picture, (0, 0, 1280, 60_000), (0, 58_900, 1280, 59_100))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen.average[0, 0] == pytest.approx(255 - 245 / 120, abs=1e-3)
    assert seen.average[1, 0] == pytest.approx(132.5, abs=1e-3)
    assert seen.edges[0] >= 2 * 1280
    assert peak < picture.nbytes, "less than the picture itself"
