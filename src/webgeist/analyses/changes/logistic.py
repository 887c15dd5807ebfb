"""A logistic model over named evidence, so that each weight can be read. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating]

_FIRM = 30.0  # beyond which a logarithm of odds says nothing more
_LEAST = 1e-4


@dataclass(frozen=True, eq=False)
class Logistic:
    """`weights` are for evidence minus `mean` by `scale`, one for each of `names`."""

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    weights: Floats
    bias: float

    def odds(self, rows: Floats) -> Floats:
        """Their logarithms, for each row."""
        found: Floats = (rows - self.mean) / self.scale @ self.weights + self.bias
        return found

    def to_json(self) -> dict[str, Any]:
        weights = self.weights.astype(np.float64).round(5).tolist()
        return {
            "bias": round(self.bias, 5),
            "weights": dict(zip(self.names, weights, strict=True)),
            "mean": self.mean.astype(np.float64).round(6).tolist(),
            "scale": self.scale.astype(np.float64).round(6).tolist(),
        }


def logistic_of(raw: Mapping[str, Any], names: Sequence[str]) -> Logistic:
    """A model from its JSON. ValueError where it is made for other evidence."""
    if list(raw["weights"]) != list(names):
        raise ValueError("the model was made for other evidence")
    weights = np.array(list(raw["weights"].values()))
    mean, scale = np.array(raw["mean"]), np.array(raw["scale"])
    return Logistic(tuple(names), mean, scale, weights, raw["bias"])


def chance(odds: Floats) -> Floats:
    """From the logarithm of odds."""
    found: Floats = 1 / (1 + np.exp(-np.clip(odds, -_FIRM, _FIRM)))
    return found


def odds(chances: Floats) -> Floats:
    """Their logarithms; nothing is quite sure."""
    bounded = np.clip(chances, _LEAST, 1 - _LEAST)
    found: Floats = np.log(bounded / (1 - bounded))
    return found


def best_odds(chances: Floats, most: int) -> Floats:
    """The logarithms of the odds of the most likely ones, the best first; as many as asked for."""
    best = np.zeros(most)
    ordered = np.sort(chances)[::-1][:most]
    best[: len(ordered)] = ordered
    return odds(best)
