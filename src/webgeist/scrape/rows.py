"""Output rows: dictionaries that know where they come from, kept as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any

from webgeist.errors import UsageError


class Row(dict[str, Any]):
    """A permanent row; `run` and `time` tell when it was collected, `source` from which address.

    `block` is the name of the skip block that it was committed with, if any.
    """

    def __init__(
        self, values: Mapping[str, Any], *, run: int, time: float, source: str | None, block: str
    ) -> None:
        super().__init__(values)
        self.run = run
        self.time = time
        self.source = source
        self.block = block


@dataclass(frozen=True, slots=True)
class Draft:
    """A row on its way to the log."""

    data: str
    source: str | None
    time: float


def written(values: Mapping[str, object]) -> str:
    """The row as JSON, as it is kept. UsageError where a value has no form in JSON."""
    for name in values:
        if not isinstance(name, str) or not name:
            raise UsageError(
                f"{name!r} is no name of a column", remedy="columns have texts as names"
            )
    try:
        text = _ENCODER.encode(values)
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            "a row has half a character (a lone surrogate)",
            remedy="decode the page's text with errors='replace'",
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(
            f"a row cannot be kept: {error}",
            remedy="give texts, numbers, dates, or lists and dictionaries of them",
        ) from error
    return text


def _plain(value: object) -> object:
    match value:
        case date() | time():
            return value.isoformat()
        case Decimal() if value.is_finite():
            return int(value) if value == value.to_integral_value() else float(value)
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return sorted(value)
    number = getattr(value, "item", None)  # numpy's and pandas' scalars
    if callable(number) and getattr(value, "ndim", 1) == 0:
        return number()
    raise TypeError(f"{value!r:.60} is a {type(value).__name__}, which has no form in JSON")


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain)


def read(data: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(data)
    return values


def is_missing(value: object) -> bool:
    """Whether nothing is there: no value, an empty text, or not a number."""
    return (
        value is None or value in ("", [], {}) or (isinstance(value, float) and math.isnan(value))
    )
