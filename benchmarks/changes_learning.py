"""Learns to tell content from the rest: from pairs that are only judged as a whole, and from
passages that are known to be content or not.

Of pairs, by multiple-instance learning: everything that changed in an unimportant pair is
unimportant; in an important pair at least one thing is not, and which one is found in rounds,
beginning with a guess.
Needs scikit-learn (the extra `learn`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from webgeist.analyses.changes.evidence import NAMES, PLACED
from webgeist.analyses.changes.logistic import Logistic
from webgeist.analyses.changes.model import Model, discounted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

_ROUNDS = 4
_STRENGTH = 0.005  # inverse of the regularisation
_READING = 0.03  # the same, of what is learned from passages
_MOST = 40  # changed passages of an unimportant pair
_SURE = 0.6
_COLUMN = {name: number for number, name in enumerate(NAMES)}


@dataclass(frozen=True)
class Subject:
    """What is learned about: the names of its evidence, what is ruled about it, a guess to
    begin with, and which rows teach anything at all.
    """

    names: tuple[str, ...]
    rules: Callable[[Floats, Floats], Floats]
    guess: Callable[[Floats], Floats]
    teaches: Callable[[Floats], NDArray[np.bool_]]


def _first_guess(bag: Floats) -> Floats:
    inside, changed = bag[:, _COLUMN["within"]], bag[:, _COLUMN["changed"]]
    guess: Floats = inside * np.log1p(changed + 0.1) * (1 - 0.7 * bag[:, _COLUMN["linked"]])
    return guess


def _passage_teaches(bag: Floats) -> NDArray[np.bool_]:
    """Noise and looks teach nothing: they are ruled on."""
    found: NDArray[np.bool_] = np.equal(
        bag[:, _COLUMN["sheer"]] + bag[:, _COLUMN["kind_restyled"]], 0
    )
    return found


PASSAGES = Subject(NAMES, discounted, _first_guess, _passage_teaches)


def learn(
    bags: Sequence[Floats],
    labels: Sequence[bool],
    weights: Sequence[float],
    subject: Subject = PASSAGES,
    *,
    strength: float = _STRENGTH,
) -> Model:
    """A model from the evidence of pairs."""
    bags = [bag[subject.teaches(bag)] for bag in bags]
    model: Model | None = None
    for _ in range(_ROUNDS):
        rows, truth, counts = [], [], []
        for bag, label, weight in zip(bags, labels, weights, strict=True):
            if not len(bag):
                continue
            chances = subject.guess(bag) if model is None else model.chances(bag)
            order = np.argsort(-chances, kind="stable")
            taken = _likely(order, chances, sure=model is not None) if label else order[:_MOST]
            share = np.ones(len(taken)) if label else 1 / np.sqrt(np.arange(1, len(taken) + 1))
            rows.append(bag[taken])
            truth += [label] * len(taken)
            counts += (weight * (share / share.sum() + (0 if label else 0.02))).tolist()
        lessons = np.concatenate(rows), np.array(truth), np.array(counts)
        model = _fit(subject, *lessons, strength)
    assert model is not None
    return model


def _likely(order: NDArray[np.intp], chances: Floats, *, sure: bool) -> NDArray[np.intp]:
    """The most likely passage, and up to four others that are likely enough."""
    more = [place for place in order[1:5] if sure and chances[place] >= _SURE]
    return np.array([order[0], *more])


def _fit(
    subject: Subject,
    rows: Floats,
    truth: NDArray[np.bool_],
    counts: Floats,
    strength: float,
) -> Model:
    logistic = _logistic(subject.names, rows, truth, counts, strength)
    return Model("folds", logistic, (1.0, 0.03, 0.0), 0.5, {}, subject.rules)


def read(bags: Sequence[Floats], labels: Sequence[bool]) -> Logistic:
    """What passages of content look like, by changes that are all in the content, or all not."""
    rows = np.concatenate(bags)[:, -len(PLACED) :]
    truth = np.repeat(np.array(labels), [len(bag) for bag in bags])
    return _logistic(PLACED, rows, truth, np.ones(len(rows)), _READING)


def _logistic(
    names: tuple[str, ...],
    rows: Floats,
    truth: NDArray[np.bool_],
    counts: Floats,
    strength: float,
) -> Logistic:
    scaler = StandardScaler().fit(rows)
    found = LogisticRegression(C=strength, max_iter=500)
    found.fit(scaler.transform(rows), truth, sample_weight=counts)
    return Logistic(names, scaler.mean_, scaler.scale_, found.coef_[0], float(found.intercept_[0]))
