"""What VICD sees, and which examples it learns from."""

from __future__ import annotations

import numpy as np
from tests.analyses.changes.drawn import drawn

from webgeist.analyses.changes.vicd.pictures import Example, small, triplets


def _grey(value: float) -> np.ndarray:
    return np.full((100, 100), value, np.float32)


def test_a_page_of_any_size_becomes_a_small_grey_one() -> None:
    found = small(np.dstack([drawn(height=3000)] * 3))
    assert found.shape == (100, 100)
    assert 0 <= found.min() < 0.99
    assert found.max() <= 1


def test_triplets_share_a_picture() -> None:
    old, same, new = _grey(0.1), _grey(0.2), _grey(0.9)
    examples = [
        Example(old, same, important=False, site="s", names=("old", "same")),
        Example(old, new, important=True, site="s", names=("old", "new")),
    ]
    first, second = triplets(examples)
    assert (first.anchor is old, first.same is same, first.other is new) == (True, True, True)
    assert second.anchor is new
    assert (second.same == new).all()
