"""Whether a block may be skipped: decided from its commit records alone.

A record counts when its timestamp is not before the bound (Skip Blocks, section 4.1). There are two
clocks: the wall's, in seconds since 1970, and the logical one, which counts full runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Clocks of two machines differ, and are set right; a record that is further ahead than this was
# written by a clock that was wrong, and nobody knows how old it is.
AHEAD_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Record:
    """That a block was done: when, in which logical time, and what its page held then."""

    time: float
    logical: int
    content: str | None = None


@dataclass(frozen=True, slots=True)
class Freshness:
    """How recent a record must be: not before `since` and `logical`, and of this `content`, or of
    one that is `alike`.
    """

    since: float = -math.inf
    logical: float = -math.inf
    content: str | None = None
    alike: Callable[[str], bool] | None = field(default=None, compare=False)


EVER = Freshness()
ALWAYS = Freshness(since=math.inf)


def is_fresh(records: Iterable[Record], wanted: Freshness, now: float) -> bool:
    """Whether one of the records is recent enough: then the block is skipped.

    `records` are in the order of the log; the content that counts is the newest record's.
    """
    found = list(records)
    if not found or wanted.since == math.inf:
        return False
    if wanted.content is not None and not _holds_the_same(found[-1].content, wanted):
        return False
    return any(_counts(record, wanted, now) for record in found)


def _holds_the_same(content: str | None, wanted: Freshness) -> bool:
    if content is None or wanted.content is None:
        return False
    if wanted.alike is not None:
        return wanted.alike(content)
    return same_mark(content, wanted.content)


def same_mark(one: str, other: str) -> bool:
    """Whether two contents have one fingerprint; behind it may stand which capture it is of."""
    return one.partition(" ")[0] == other.partition(" ")[0]


def _counts(record: Record, wanted: Freshness, now: float) -> bool:
    if record.logical < wanted.logical:
        return False
    if wanted.since == -math.inf:
        return True
    return wanted.since <= record.time <= now + AHEAD_SECONDS


def steady(clock: float, newest: float) -> float:
    """The time to write down: it never runs backwards within a run."""
    return max(clock, newest)
