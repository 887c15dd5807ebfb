"""Learns to tell content from the rest, from pairs that are only judged as a whole.

Multiple-instance learning: every changed passage of an unimportant pair is unimportant; of an
important pair at least one is not, and which one is found in rounds, beginning with what lies in
the content and changed most. Needs scikit-learn (the extra `learn`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from webgeist.analyses.changes.evidence import NAMES
from webgeist.analyses.changes.model import Model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

_ROUNDS = 4
_STRENGTH = 0.05  # inverse of the regularisation
_MOST = 40  # passages of an unimportant pair
_SURE = 0.6
_COLUMN = {name: number for number, name in enumerate(NAMES)}


def learn(bags: Sequence[Floats], labels: Sequence[bool], weights: Sequence[float]) -> Model:
    """A model from the evidence of pairs. Noise and looks teach nothing: they are ruled on."""
    bags = [bag[_teaches(bag)] for bag in bags]
    model: Model | None = None
    for _ in range(_ROUNDS):
        rows, truth, counts = [], [], []
        for bag, label, weight in zip(bags, labels, weights, strict=True):
            if not len(bag):
                continue
            chances = _first_guess(bag) if model is None else model.passages(bag)
            order = np.argsort(-chances, kind="stable")
            taken = _likely(order, chances, sure=model is not None) if label else order[:_MOST]
            share = np.ones(len(taken)) if label else 1 / np.sqrt(np.arange(1, len(taken) + 1))
            rows.append(bag[taken])
            truth += [label] * len(taken)
            counts += (weight * (share / share.sum() + (0 if label else 0.02))).tolist()
        model = _fit(np.concatenate(rows), np.array(truth), np.array(counts))
    assert model is not None
    return model


def _teaches(bag: Floats) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.equal(
        bag[:, _COLUMN["sheer"]] + bag[:, _COLUMN["kind_restyled"]], 0
    )
    return found


def _first_guess(bag: Floats) -> Floats:
    inside, changed = bag[:, _COLUMN["within"]], bag[:, _COLUMN["changed"]]
    guess: Floats = inside * np.log1p(changed + 0.1) * (1 - 0.7 * bag[:, _COLUMN["linked"]])
    return guess


def _likely(order: NDArray[np.intp], chances: Floats, *, sure: bool) -> NDArray[np.intp]:
    """The most likely passage, and up to four others that are likely enough."""
    more = [place for place in order[1:5] if sure and chances[place] >= _SURE]
    return np.array([order[0], *more])


def _fit(rows: Floats, truth: NDArray[np.bool_], counts: Floats) -> Model:
    scaler = StandardScaler().fit(rows)
    found = LogisticRegression(C=_STRENGTH, max_iter=500)
    found.fit(scaler.transform(rows), truth, sample_weight=counts)
    return Model(
        version="folds",
        mean=scaler.mean_,
        scale=scaler.scale_,
        weights=found.coef_[0],
        bias=float(found.intercept_[0]),
        pair=(1.0, 0.05, 0.0),
        threshold=0.5,
        card={},
    )
