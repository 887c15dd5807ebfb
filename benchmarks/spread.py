"""Many measurements as three numbers: a median, and the quartiles around it."""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Spread:
    """Half of all values lie between `low` and `high`."""

    median: float
    low: float
    high: float
    count: int

    @property
    def as_ratio(self) -> str:
        return f"{self.median:.2f}x ({self.low:.2f} to {self.high:.2f})"


def spread(values: Iterable[float]) -> Spread:
    """ValueError for no values at all."""
    found = sorted(values)
    if len(found) == 1:
        return Spread(found[0], found[0], found[0], 1)
    low, middle, high = statistics.quantiles(found, n=4, method="inclusive")
    return Spread(middle, low, high, len(found))


def load() -> str:
    """How busy the machine was in the last minute, and how much it can do at once."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
