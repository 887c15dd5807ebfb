"""Where the network sees content on a picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.changes.drawn import TEXT, drawn

from webgeist.analyses.changes.attention import CELL, WIDE, attention, means, reduced, seen


@pytest.mark.parametrize("height", [1, 37, 900, 6000])
def test_there_is_an_answer_for_each_cell(height: int) -> None:
    grey = np.full((height, 1280), 255, np.uint8)
    found = attention(grey)
    rows = -(-max(1, round(height * WIDE / 1280)) // CELL)
    assert found.shape == (rows, WIDE // CELL)
    assert ((found >= 0) & (found <= 1)).all()


def test_the_text_is_likelier_content_than_menu_and_footer() -> None:
    """Six paragraphs of two lines below a menu."""
    page = drawn(TEXT * 4, height=1400)
    boxes = np.array([(200, 300, 1100, 700), (40, 15, 500, 45), (200, 1335, 300, 1365)], np.float32)
    text, menu, footer = means(attention(page), boxes, 1280)
    assert text > menu
    assert text > footer


def test_the_same_picture_at_twice_its_size_gives_the_same() -> None:
    page = drawn(TEXT * 2)
    large = np.repeat(np.repeat(page, 2, axis=0), 2, axis=1)
    assert attention(large) == pytest.approx(attention(page), abs=0.02)


def test_rows_know_how_far_the_ends_are() -> None:
    whole = np.zeros((2000, WIDE), np.uint8)
    part = seen(whole[800:900], 800, 2000)
    assert (part == seen(whole)[:, 800:900]).all()
    assert part[1:].max() == part[1:].min() == 1.5
    assert seen(whole[:1])[0, 0, 0] == 1


def test_a_picture_is_reduced_by_its_width() -> None:
    assert reduced(np.zeros((1920, 1080), np.uint8)).shape == (284, WIDE)
    assert reduced(np.zeros((1, 1280), np.uint8)).shape == (1, WIDE)


@given(st.integers(0, 2**32 - 1))
def test_means_are_those_of_the_cells_that_a_box_meets(seed: int) -> None:
    draw = np.random.default_rng(seed)
    cells = draw.random((draw.integers(1, 30), 40)).astype(np.float32)
    corners = draw.random((20, 2, 2)) * [640, 16 * len(cells)]
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1).astype(np.float32)
    for (left, top, right, bottom), found in zip(
        boxes.tolist(), means(cells, boxes, 640), strict=True
    ):
        some = cells[int(top // 16) : int(-(-bottom // 16)), int(left // 16) : int(-(-right // 16))]
        assert found == pytest.approx(some.mean(), abs=1e-3)
