"""The learned judgement: how likely a changed passage, and a pair of versions, is important.

Logistic models over the evidence, so that each weight can be read; made by
`python -m benchmarks changes --only train --out model.json`, kept beside this file with its card.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.evidence import NAMES, PLACED
from webgeist.analyses.changes.logistic import best_odds, chance, logistic_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from webgeist.analyses.changes.logistic import Logistic

    Floats = NDArray[np.floating]

_NOISE = 0.001  # what a passage counts that is no change of content at all
_SHEER = 0.4  # what a change of nothing but ids, ages and copyright years counts, of any other
_SAY = 1.0  # what the reader may add to a logarithm of odds, or take from it
_COLUMN = {name: number for number, name in enumerate(NAMES)}


@dataclass(frozen=True, eq=False)
class Model:
    """How a pair is judged by what changed in it, be it passages or lines of a picture. A pair's
    score comes from its two most important ones (`pair`: of the first, of the second, and a
    constant). `reader` learned from articles what content looks like, and has a bounded say: it
    knows nothing of what happened to a passage. `card` says what the model was made from.
    """

    version: str
    logistic: Logistic
    pair: tuple[float, float, float]
    threshold: float
    card: Mapping[str, Any]
    rules: Callable[[Floats, Floats], Floats]
    reader: Logistic | None = None

    def chances(self, evidence: Floats) -> Floats:
        """How likely each change is one of content, 0..1."""
        if not len(evidence):
            return np.zeros(0)
        odds = self.logistic.odds(evidence)
        if self.reader is not None:
            read = self.reader.odds(evidence[:, -len(PLACED) :])
            odds = odds + np.clip(read, -_SAY, _SAY)
        return self.rules(evidence, chance(odds))

    def score(self, chances: Floats) -> float:
        """How likely a pair of versions with such changes differs in content, 0..1."""
        if not len(chances):
            return 0.0
        first, second = best_odds(chances, 2)
        one, two, constant = self.pair
        return float(chance(np.array([one * first + two * second + constant]))[0])

    def to_json(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "card": dict(self.card),
            "threshold": self.threshold,
            "pair": list(self.pair),
            **self.logistic.to_json(),
            **({} if self.reader is None else {"reader": self.reader.to_json()}),
        }


def discounted(evidence: Floats, chances: Floats) -> Floats:
    """Noise and looks count less by rule, not by what was learned."""
    chances = chances * np.where(evidence[:, _COLUMN["sheer"]] > 0, _SHEER, 1.0)
    return np.where(evidence[:, _COLUMN["kind_restyled"]] > 0, _NOISE, chances)


def as_learned(_: Floats, chances: Floats) -> Floats:
    """No rules: of pictures, nothing is known but what was learned."""
    return chances


def model_of(
    raw: Mapping[str, Any],
    names: Sequence[str] = NAMES,
    rules: Callable[[Floats, Floats], Floats] = discounted,
) -> Model:
    """A model from its JSON. ValueError where it is made for other evidence."""
    one, two, constant = raw["pair"]
    return Model(
        version=raw["version"],
        logistic=logistic_of(raw, names),
        pair=(one, two, constant),
        threshold=raw["threshold"],
        card=raw["card"],
        rules=rules,
        reader=logistic_of(raw["reader"], PLACED) if "reader" in raw else None,
    )


@lru_cache(maxsize=1)
def default_model() -> Model:
    """The one that webgeist comes with, for pages."""
    return model_of(_shipped("model.json"))


@lru_cache(maxsize=1)
def picture_model() -> Model:
    """The one that webgeist comes with, for pictures alone."""
    from webgeist.analyses.changes.sketch_evidence import NAMES as LINES

    return model_of(_shipped("picture_model.json"), LINES, as_learned)


def _shipped(name: str) -> Mapping[str, Any]:
    path = files("webgeist.analyses.changes") / name
    raw: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return raw
