"""What the network that finds content learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmarks.changes_attention import (
    UNKNOWN,
    Lesson,
    accuracy,
    answers,
    cells_of,
    export,
    taught,
)
from tests.analyses.changes.pages import page, passage

from webgeist.analyses.changes.attention import CELL, WIDE, seen

if TYPE_CHECKING:
    from pathlib import Path


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


def _lesson(number: int, height: int) -> Lesson:
    """A picture with lines of text on the right, which are content, and a plain left third."""
    draw = np.random.default_rng(number)
    grey = np.full((height, WIDE), 255, np.uint8)
    edge = WIDE // 3 // CELL * CELL
    grey[:, edge:] = draw.integers(0, 256, (height, WIDE - edge))
    cells = np.zeros((-(-height // CELL), WIDE // CELL), np.uint8)
    cells[:, edge // CELL :] = 1
    return Lesson(f"group {number}", grey, cells)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*LeafSpec:FutureWarning")  # by PyTorch of itself
def test_a_network_learns_and_its_export_gives_the_same(tmp_path: Path) -> None:
    """Of any height, also where the last row of cells is cut."""
    pytest.importorskip("torch")
    pytest.importorskip("onnxscript")
    import onnxruntime

    network = taught([_lesson(n, 200 + 31 * n) for n in range(4)], steps=12)
    file = tmp_path / "attention.onnx"
    export(network, file)
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    unseen = [_lesson(9, height) for height in (1, 3, 4, 5, 333, 702)]
    found = [answers(network, each.grey) for each in unseen]
    for each, told in zip(unseen, found, strict=True):
        assert told.shape == each.cells.shape
        (exported,) = session.run(None, {"picture": seen(each.grey)[None]})
        assert exported[0] == pytest.approx(told, abs=1e-4)
    assert accuracy(unseen, found) > 0.8
