"""VICD's network and its four variants. Needs PyTorch: run with ./test -m slow where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from webgeist.analyses.changes.vicd.network import batch, network
from webgeist.analyses.changes.vicd.pictures import Example
from webgeist.analyses.changes.vicd.training import VARIANTS, Effort, learn, scores

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
SMALL = Effort(epochs=6, size=8, rate=0.002, sizes=(16, 16, 8))


def _examples() -> list[Example]:
    """The middle of a picture is its content, the top is not."""
    draw, made = np.random.default_rng(0), []
    for number in range(24):
        page = draw.random((100, 100), np.float32)
        other, important = page.copy(), bool(number % 2)
        other[slice(40, 90) if important else slice(0, 4)] = 0
        made.append(Example(page, other, important, str(number), (f"{number}a", f"{number}b")))
    return made


def test_the_network_is_the_papers() -> None:
    made = network(0)
    shapes = [tuple(weight.shape) for weight in made.seeing.parameters()]
    assert [shape for shape in shapes if len(shape) == 4] == [
        (4, 1, 3, 3),
        (8, 4, 3, 3),
        (8, 8, 3, 3),
    ]
    assert tuple(made.spatial.weight.shape) == (1, 2, 7, 7)
    vectors = made.vectors(batch([np.zeros((100, 100), np.float32)] * 2))
    assert tuple(vectors.shape) == (2, 64)


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_variant_learns(variant: str) -> None:
    examples, losses = _examples(), []
    made = learn(examples, variant, 0, SMALL, lambda _, loss: losses.append(loss))
    found, truth = scores(made, examples, variant), np.array([e.important for e in examples])
    assert losses[-1] < losses[0]
    assert found[truth].mean() > found[~truth].mean()


def test_weights_come_back_from_a_file(tmp_path: Path) -> None:
    made, again = network(0, (8, 8, 4)), network(1, (8, 8, 4))
    with (tmp_path / "vicd.npz").open("wb") as target:
        made.save(target)
    again.load(tmp_path / "vicd.npz")
    for one in (made, again):
        one.train(on=False)
    page = batch([np.ones((100, 100), np.float32)])
    assert made.vectors(page).tolist() == again.vectors(page).tolist()
