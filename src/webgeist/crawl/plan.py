"""What a crawl is asked to do, and how it is kept so that it can go on. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from pydantic import TypeAdapter, ValidationError

from webgeist.crawl.scope import Rules
from webgeist.errors import DamagedError, UsageError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


@dataclass(frozen=True)
class Plan:
    """What makes a crawl the one it is: the same plan again means to go on with it."""

    seeds: tuple[str, ...]
    rules: Rules = field(default_factory=Rules)
    viewports: tuple[str, ...] = ("desktop",)
    sitemaps: bool = False


@dataclass(frozen=True)
class Bounds:
    """Where a crawl stops, whatever is left. They may differ from one run to the next."""

    pages: int | None = None
    per_site: int | None = None
    seconds: float | None = None
    bytes: int | None = None


_PLAN = TypeAdapter(Plan)
_BOUNDS = TypeAdapter(Bounds)


def dump_plan(plan: Plan) -> str:
    return _PLAN.dump_json(plan).decode()


def dump_bounds(bounds: Bounds) -> str:
    return _BOUNDS.dump_json(bounds).decode()


def load(plan: str, bounds: str) -> tuple[Plan, Bounds]:
    """What was asked for, as it was stored."""
    try:
        return _PLAN.validate_json(plan), _BOUNDS.validate_json(bounds)
    except ValidationError as error:
        raise DamagedError(
            f"the plan of the last crawl cannot be read: {error.errors()[0]['msg']}",
            remedy="name the seeds to begin a new one",
        ) from error


def parse_age(text: str) -> timedelta:
    """90s, 30m, 12h, 7d or 2w; 0 is now."""
    number, unit = text[:-1], text[-1:].lower()
    if text == "0":
        return timedelta()
    if unit not in _UNITS or not number.isascii() or not number.isdigit():
        raise UsageError(f"{text!r} is no length of time", remedy="90s, 30m, 12h, 7d or 2w")
    try:
        return timedelta(seconds=int(number) * _UNITS[unit])
    except OverflowError as error:
        raise UsageError(
            f"{text!r} is longer than time", remedy="90s, 30m, 12h, 7d or 2w"
        ) from error


def parse_size(text: str) -> int:
    """A number of bytes: 5000, 20k, 500M, 2G."""
    plain = text.lower().removesuffix("b")
    unit = plain[-1:] if plain[-1:].isalpha() else ""
    number = plain.removesuffix(unit)
    if unit not in _SIZES or not number.isascii() or not number.isdigit():
        raise UsageError(f"{text!r} is no size", remedy="5000, 20k, 500M or 2G")
    return int(number) * _SIZES[unit]
