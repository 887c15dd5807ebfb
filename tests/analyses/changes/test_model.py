"""How a pair is judged: by what was learned from terms, and by what articles look like."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from webgeist.analyses.changes.evidence import NAMES, PLACED
from webgeist.analyses.changes.logistic import Logistic, odds
from webgeist.analyses.changes.model import Model, as_learned, default_model, model_of

ROWS = np.random.default_rng(1).normal(size=(6, len(NAMES)))


def logistic(names: tuple[str, ...], bias: float, **weights: float) -> Logistic:
    size = len(names)
    of = np.array([weights.get(name, 0.0) for name in names])
    return Logistic(names, np.zeros(size), np.ones(size), of, bias)


def model(reader: Logistic | None) -> Model:
    judged = logistic(NAMES, -0.5, changed=2.0)
    return Model("test", judged, (1.0, 0.0, 0.0), 0.5, {}, as_learned, reader)


def test_the_reader_moves_odds_by_one_at_most() -> None:
    alone = odds(model(None).chances(ROWS))
    for bias, moved in ((9.0, 1.0), (-9.0, -1.0), (0.25, 0.25)):
        found = odds(model(logistic(PLACED, bias)).chances(ROWS))
        assert found - alone == pytest.approx(np.full(len(ROWS), moved), abs=1e-6)


def test_the_reader_sees_what_the_passage_is() -> None:
    rows = np.zeros((2, len(NAMES)))
    rows[0, NAMES.index("within")] = 0.5
    rows[1, NAMES.index("changed")] = 0.5
    found = odds(model(logistic(PLACED, 0.0, within=1.0)).chances(rows))
    assert found == pytest.approx(np.array([0.0, 0.5]), abs=1e-6)


def test_a_model_comes_through_json_with_its_reader_or_without() -> None:
    for each in (model(logistic(PLACED, 0.5, within=0.25)), model(None)):
        again = model_of(each.to_json(), rules=as_learned)
        assert again.chances(ROWS) == pytest.approx(each.chances(ROWS), abs=1e-4)
        assert (again.reader is None) == (each.reader is None)


def test_a_reader_of_other_evidence_is_refused() -> None:
    raw = model(logistic(PLACED[1:], 0.0)).to_json()
    with pytest.raises(ValueError, match="other evidence"):
        model_of(raw)


def test_the_shipped_reader_takes_prose_of_the_content_for_content() -> None:
    reader = default_model().reader
    assert reader is not None
    rows = np.tile(reader.mean, (2, 1))
    at = {name: number for number, name in enumerate(PLACED)}
    rows[0, [at["within"], at["inside_around"], at["prose_around"]]] = 3, 1, 1
    rows[1, [at["within"], at["inside_around"], at["prose_around"]]] = 0, 0, 0
    rows[1, [at["mark_footer"], at["mark_menu"], at["unmarked"]]] = 1, 1, 0
    inside, outside = reader.odds(rows)
    assert inside > outside + 1


def test_looks_count_nothing_whatever_the_reader_says() -> None:
    rows = np.zeros((1, len(NAMES)))
    rows[0, NAMES.index("kind_restyled")] = 1
    shipped = default_model()
    sure = replace(shipped, reader=logistic(PLACED, 9.0))
    assert shipped.chances(rows) == sure.chances(rows) == pytest.approx([0.001])
