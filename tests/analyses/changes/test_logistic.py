"""Logistic models, and their JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from webgeist.analyses.changes.evidence import NAMES
from webgeist.analyses.changes.logistic import best_odds, logistic_of
from webgeist.analyses.changes.model import default_model, model_of, picture_model
from webgeist.analyses.changes.sketch_evidence import NAMES as LINES

RAW = {"weights": {"a": 1.0, "b": -2.0}, "mean": [1.0, 0.0], "scale": [2.0, 1.0], "bias": 0.5}


def test_odds_are_those_of_the_weights() -> None:
    found = logistic_of(RAW, ("a", "b")).odds(np.array([[3.0, 1.0], [1.0, 0.0]]))
    assert found.tolist() == pytest.approx([-0.5, 0.5])


def test_other_evidence_is_refused() -> None:
    with pytest.raises(ValueError, match="other evidence"):
        logistic_of(RAW, ("b", "a"))


def test_what_is_missing_among_the_best_is_unlikely() -> None:
    assert best_odds(np.array([0.5]), 2).tolist() == pytest.approx([0.0, -9.21], abs=0.01)
    assert best_odds(np.array([0.2, 0.9, 0.5]), 2).tolist() == pytest.approx([2.197, 0], abs=0.01)


def test_the_shipped_models_come_through_json_unchanged() -> None:
    again = model_of(json.loads(json.dumps(default_model().to_json())))
    rows = np.random.default_rng(0).normal(size=(5, len(NAMES)))
    assert again.chances(rows) == pytest.approx(default_model().chances(rows), abs=1e-4)
    assert set(picture_model().to_json()["weights"]) == set(LINES)


@pytest.mark.parametrize("model", [default_model(), picture_model()])
def test_a_shipped_model_has_a_card(model: object) -> None:
    card = getattr(model, "card", {})
    assert {"learned from", "split", "figures", "known failures"} <= set(card)
