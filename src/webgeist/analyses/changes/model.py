"""The learned judgement: how likely a changed passage, and a pair of versions, is important.

A logistic model over the evidence, so that each weight can be read; made by
`python -m benchmarks changes --only train --out model.json`, kept beside this file with its card.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.evidence import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

_FIRM = 30.0  # beyond which a logarithm of odds says nothing more


@dataclass(frozen=True, eq=False)
class Model:
    """`weights` are for evidence minus `mean` by `scale`. A pair's score comes from its two most
    important passages (`pair`: of the first, of the second, and a constant). Noise and looks are
    discounted by rule, not by what was learned. `card` says what the model was made from.
    """

    version: str
    mean: Floats
    scale: Floats
    weights: Floats
    bias: float
    pair: tuple[float, float, float]
    threshold: float
    card: Mapping[str, Any]

    def passages(self, evidence: Floats) -> Floats:
        """How likely each changed passage is content, 0..1."""
        if not len(evidence):
            return np.zeros(0)
        odds = (evidence - self.mean) / self.scale @ self.weights + self.bias
        chances = _chance(odds) * np.where(evidence[:, _COLUMN["sheer"]] > 0, _SHEER, 1.0)
        return np.where(evidence[:, _COLUMN["kind_restyled"]] > 0, _NOISE, chances)

    def score(self, chances: Floats) -> float:
        """How likely a pair of versions with such passages differs in content, 0..1."""
        if not len(chances):
            return 0.0
        first, second = self.best(chances)
        one, two, constant = self.pair
        return float(_chance(np.float64(one * first + two * second + constant)))

    def best(self, chances: Floats) -> tuple[float, float]:
        """The logarithms of the odds of the two most likely passages."""
        best = np.sort(chances)[::-1][:2]
        return _odds(best[0]), _odds(best[1] if len(best) > 1 else _NOISE)

    def to_json(self) -> dict[str, Any]:
        weights = dict(zip(NAMES, self.weights.astype(np.float64).round(5).tolist(), strict=True))
        return {
            "version": self.version,
            "card": dict(self.card),
            "threshold": self.threshold,
            "pair": list(self.pair),
            "bias": round(self.bias, 5),
            "weights": weights,
            "mean": self.mean.round(6).tolist(),
            "scale": self.scale.round(6).tolist(),
        }


_NOISE = 0.001  # what a passage counts that is no change of content at all
_SHEER = 0.4  # what a change of nothing but ids, ages and copyright years counts, of any other
_COLUMN = {name: number for number, name in enumerate(NAMES)}


def model_of(raw: Mapping[str, Any]) -> Model:
    """A model from its JSON. ValueError where it is made for other evidence."""
    if list(raw["weights"]) != list(NAMES):
        raise ValueError("the model was made for other evidence")
    one, two, constant = raw["pair"]
    return Model(
        version=raw["version"],
        mean=np.array(raw["mean"]),
        scale=np.array(raw["scale"]),
        weights=np.array(list(raw["weights"].values())),
        bias=raw["bias"],
        pair=(one, two, constant),
        threshold=raw["threshold"],
        card=raw["card"],
    )


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The one that webgeist comes with."""
    path = files("webgeist.analyses.changes") / "model.json"
    return model_of(json.loads(path.read_text("utf-8")))


def _chance(odds: Floats | np.float64) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(odds, -_FIRM, _FIRM)))
    return chance


def _odds(chance: float) -> float:
    bounded = min(max(float(chance), 1e-6), 1 - 1e-6)
    return float(np.log(bounded / (1 - bounded)))
