"""Operands: what a query compares columns with, in the type of the column."""

from __future__ import annotations

import math
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from PIL import ImageColor

from webgeist.errors import QueryError
from webgeist.page.colours import Colour, parse_colour
from webgeist.query.scopes import Kind

if TYPE_CHECKING:
    from webgeist.query.scopes import Column

LONGEST_TEXT = 10_000
_LENGTH = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_PIXELS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54}
_PIXELS |= {"mm": 96 / 25.4, "q": 96 / 101.6}
_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_LARGEST = 2**62
_LARGEST_FLOAT = sys.float_info.max
_FLOAT32 = float(np.finfo(np.float32).max)


def operand(column: Column, value: Any, where: str) -> Any:
    """A value that the column can be compared with. QueryError for another type."""
    match column.kind:
        case Kind.TEXT:
            return text(value, where)
        case Kind.INTEGER | Kind.FLOAT:
            return _stored_number(column, number(value, where, pixels=column.unit == "px"))
        case Kind.BOOLEAN:
            if not isinstance(value, bool):
                raise _wrong(value, "true or false", where)
            return value
        case Kind.TIME:
            return _time(value, where)
        case Kind.NESTED:
            raise QueryError("lists and maps can only be asked for by $exists", where=where)


def text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _wrong(value, "a text", where)
    if len(value) > LONGEST_TEXT:
        raise QueryError(f"a text has at most {LONGEST_TEXT:,} letters", where=where)
    if "\x00" in value or _lone_surrogate(value):
        raise QueryError("a text has no zero bytes and no lone surrogates", where=where)
    return value


def _lone_surrogate(value: str) -> bool:
    return not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value)


def number(value: Any, where: str, *, pixels: bool = False) -> float:
    """A number; a length with its unit where pixels are meant."""
    if pixels and isinstance(value, str):
        length = parse_length(value)
        if length is None:
            known = ", ".join(unit for unit in _PIXELS if unit)
            raise QueryError(
                f"{value[:40]!r} is no length", where=where, remedy=f"units are {known}"
            )
        return length
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(value, "a number", where)
    if not -_LARGEST_FLOAT <= value <= _LARGEST_FLOAT:
        raise QueryError("a number must be finite", where=where)
    return value


def parse_length(value: str) -> float | None:
    """Pixels; None for what depends on something else."""
    match = _LENGTH.fullmatch(value)
    factor = _PIXELS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        return None
    length = float(match[1]) * factor
    return length if math.isfinite(length) else None


def _stored_number(column: Column, value: float) -> float:
    """The value as the column would hold it: 0.6 is not what 32 bits make of it."""
    if pa.types.is_float32(column.type):
        if abs(value) > _FLOAT32:
            return math.copysign(math.inf, value)
        return float(np.float32(value))
    if isinstance(value, int) and abs(value) > _LARGEST:
        return float(value) if abs(value) < _FLOAT32 else math.copysign(math.inf, value)
    return value


def _time(value: Any, where: str) -> datetime:
    if not isinstance(value, str):
        raise _wrong(value, "a time", where)
    try:
        found = datetime.fromisoformat(value)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise QueryError(
            f"{value[:40]!r} is no time", where=where, remedy="ISO 8601: 2024-02-29T12:00:00Z"
        ) from error


def whole(value: Any, where: str, *, least: int, most: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _wrong(value, f"a whole number from {least:,} to {most:,}", where)
    return value


def parse_css_colour(value: str) -> Colour | None:
    """A colour as people write it: a name, #rgb, #rrggbb, or one of CSS's functions."""
    plain = value.strip().lower()
    if plain == "transparent":
        return Colour(0, 0, 0, 0.0)
    if plain in ImageColor.colormap:
        r, g, b, *_ = ImageColor.getrgb(plain)
        return Colour(r, g, b, 1.0)
    match = _HEX.fullmatch(plain)
    if match is None:
        return parse_colour(plain)
    digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])  # noqa: PLR2004 - short forms
    parts = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
    return Colour(parts[0], parts[1], parts[2], parts[3] / 255 if len(parts) > 3 else 1.0)  # noqa: PLR2004 - alpha is the fourth


def colour(value: Any, where: str) -> Colour:
    found = parse_css_colour(text(value, where))
    if found is None:
        raise QueryError(
            f"{value[:40]!r} is no colour", where=where, remedy="red, #f00, #ff0000, rgb(255, 0, 0)"
        )
    return found


def lab(colour_: Colour) -> tuple[float, float, float]:
    """CIE L*a*b* under D65 of an sRGB colour."""
    r, g, b = (_linear(part / 255) for part in colour_[:3])
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (_f(part) for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - sRGB's own


def _f(part: float) -> float:
    return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def _wrong(value: Any, wanted: str, where: str) -> QueryError:
    kinds = {bool: "true or false", str: "a text", dict: "an object", list: "a list"}
    given = "nothing" if value is None else kinds.get(type(value), "a number")
    return QueryError(f"{wanted} is needed here, not {given}", where=where)
