"""What the network that finds content learns from."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.changes_attention import UNKNOWN, Lesson, accuracy, cells_of
from tests.analyses.changes.pages import page, passage


def test_cells_are_what_stands_there() -> None:
    """Of a page that is 1,280 pixels wide, a cell is 32."""
    made = cells_of(
        page(
            passage("text", box=(0.0, 320.0, 640.0, 384.0)),
            passage("inside of it a link", box=(64.0, 320.0, 96.0, 352.0), linked=1.0),
            passage("menu", box=(0.0, 0.0, 1280.0, 20.0), within=0),
            passage("hidden", box=(700.0, 320.0, 800.0, 384.0), seen=False),
        ),
        120,
    )
    assert made.shape == (30, 40)
    assert (made[0] == 0).all()
    assert made[10, :3].tolist() == [1, 1, 0]
    assert (made[11, :20] == 1).all()
    assert (made[10:12, 20:] == UNKNOWN).all()
    assert (made[1:10] == UNKNOWN).all()


def test_accuracy_weighs_content_and_the_rest_alike() -> None:
    cells = np.array([[1, 1, 1, 0, UNKNOWN]], np.uint8)
    lesson = Lesson("a", np.zeros((4, 160), np.uint8), cells)
    assert accuracy([lesson], [np.ones((1, 5), np.float32)]) == 0.5
    assert accuracy([lesson], [np.array([[1, 1, 1, 0, 0]], np.float32)]) == 1.0
    assert accuracy([lesson], [np.array([[1, 1, 0, 0, 0]], np.float32)]) == pytest.approx(0.8333)
