"""When a page is to be visited again, by how often it changed before. Pure.

Pages change like a Poisson process, and a visit only tells whether a page has changed since the one
before, not how often: the estimator of Cho and Garcia-Molina (Estimating Frequency of Change, ACM
TOIT 3(3), 2003, section 4.2) corrects for that. Theirs with the smaller bias, for visits in equal
intervals, is -log((n - X + 0.5) / (n + 0.5)) changes per interval, X of n visits having found a
change. Ours is the same for equal intervals, and takes others as well: it is the maximum of the
likelihood (their section 5) with half a visit more, of average length, that found no change.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1, inf, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Seconds = Callable[[str], float]  # how long after a visit a page is due again

_HALVINGS = 200
_LARGE = 700.0  # beyond which e^x is no number
_GROWTH = 2.0  # an interval is at most so many times as long as a page was watched


@dataclass(frozen=True)
class Visit:
    """A visit of a page: seconds since the one before, and whether its content had changed."""

    seconds: float
    changed: bool


@dataclass(frozen=True)
class Bounds:
    """Of intervals, in seconds; `first` is that of a page that was visited once."""

    least: float = 3600.0
    most: float = 30 * 86_400.0
    first: float = 86_400.0


@dataclass(frozen=True)
class Interval:
    """How long to wait until the next visit, and the visits and changes that say so."""

    seconds: float
    visits: int
    changes: int


def interval(history: Sequence[Visit], bounds: Bounds) -> Interval:
    """Until a change is as likely as not. Visits that took no time say nothing: a clock that was
    set back is no history.
    """
    told = [visit for visit in history if visit.seconds > 0]
    changes = sum(visit.changed for visit in told)
    if not told:
        return Interval(_within(bounds.first, bounds), 0, 0)
    rate = change_rate(told)
    wait = log(2) / rate if rate > 0 else inf
    watched = sum(visit.seconds for visit in told)
    return Interval(_within(min(wait, _GROWTH * watched), bounds), len(told), changes)


def _within(seconds: float, bounds: Bounds) -> float:
    return max(bounds.least, min(seconds, bounds.most))


def change_rate(history: Sequence[Visit]) -> float:
    """Changes per second; 0 where none was seen."""
    found = [visit.seconds for visit in history if visit.changed]
    if not found:
        return 0.0
    still = sum(visit.seconds for visit in history if not visit.changed)
    still += sum(visit.seconds for visit in history) / len(history) / 2
    low, high = 0.0, 1 / min(found)
    while _excess(high, found, still) > 0:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _excess(middle, found, still) > 0 else (low, middle)
    return (low + high) / 2


def _excess(rate: float, found: Sequence[float], still: float) -> float:
    """The derivative of the likelihood: falling, and zero at its maximum."""
    if rate <= 0:
        return inf
    return sum(0.0 if rate * t > _LARGE else t / expm1(rate * t) for t in found) - still


def is_due(visited: float, seconds: float, now: float) -> bool:
    """Whether a page is to be visited; also where its last visit lies in a future that nobody can
    wait for, because a clock was wrong.
    """
    return now - visited >= seconds or visited - now > seconds
