"""Numbers beside the CSS texts of styles, so that queries need not parse: lengths and colours.

A page has few distinct style vectors and those have far fewer distinct values: each is parsed once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.page.colours import parse_colour

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_LARGEST = 2**31 - 1
_SIDES = ("top", "right", "bottom", "left")
_CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")

COLOURS = (
    "color",
    "background-color",
    *(f"border-{side}-color" for side in _SIDES),
)
LENGTHS = (
    *("font-size", "line-height", "letter-spacing", "word-spacing"),
    *("width", "height", "min-width", "min-height", "max-width", "max-height"),
    *_SIDES,
    *(f"margin-{side}" for side in _SIDES),
    *(f"padding-{side}" for side in _SIDES),
    *(f"border-{side}-width" for side in _SIDES),
    *(f"border-{corner}-radius" for corner in _CORNERS),
    *("row-gap", "column-gap"),
)
_CHANNELS = (("r", pa.uint8()), ("g", pa.uint8()), ("b", pa.uint8()), ("alpha", pa.float32()))
_ZERO_IS_NORMAL = frozenset({"letter-spacing", "word-spacing"})


def parse_length(text: str) -> float | None:
    """Pixels; None for anything that depends on something else: auto, normal, percentages."""
    number = text.removesuffix("px")
    return float(number) if number != text and _NUMBER.fullmatch(number) else None


def parse_number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def parse_integer(text: str) -> int | None:
    """A whole number of 32 bits, as CSS has them; None for others."""
    number = parse_number(text)
    return None if number is None or abs(number) > _LARGEST else round(number)


def parse_spacing(text: str) -> float | None:
    """Pixels, where `normal` adds nothing."""
    return 0.0 if text == "normal" else parse_length(text)


def _snake(name: str) -> str:
    return name.replace("-", "_")


# The plain ones: from a property to its typed column.
_NUMBERS: dict[str, tuple[str, pa.DataType, Callable[[str], float | None]]] = {
    "font-weight": ("font_weight", pa.float32(), parse_number),
    "opacity": ("opacity_value", pa.float32(), parse_number),
    "z-index": ("z_index", pa.int32(), parse_integer),
} | {
    name: (
        f"{_snake(name)}_px",
        pa.float32(),
        parse_spacing if name in _ZERO_IS_NORMAL else parse_length,
    )
    for name in LENGTHS
}


def typed_columns(name: str) -> list[pa.Field]:
    """The typed columns of a property; most properties have none."""
    if name in _NUMBERS:
        column, kind, _ = _NUMBERS[name]
        return [pa.field(column, kind)]
    if name in COLOURS:
        return [pa.field(f"{_snake(name)}_{channel}", kind) for channel, kind in _CHANNELS]
    return []


TYPED: frozenset[str] = frozenset(
    field.name for name in (*_NUMBERS, *COLOURS) for field in typed_columns(name)
)


def with_types(styles: pa.Table) -> pa.Table:
    """The style table with its typed columns at the end."""
    fields, columns = list(styles.schema), list(styles.columns)
    for name in styles.column_names:
        fields += typed_columns(name)
        columns += _parsed(name, styles)
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _parsed(name: str, styles: pa.Table) -> list[pa.Array]:
    if name not in _NUMBERS and name not in COLOURS:
        return []
    encoded = styles.column(name).combine_chunks().dictionary_encode()
    texts: list[str] = encoded.dictionary.to_pylist()
    return [values.take(encoded.indices) for values in _distinct(name, texts)]


def _distinct(name: str, texts: list[str]) -> list[pa.Array]:
    if name in _NUMBERS:
        _, kind, parse = _NUMBERS[name]
        return [pa.array([parse(text) for text in texts], kind)]
    colours: list[Any] = [parse_colour(text) for text in texts]
    return [
        pa.array([colour and getattr(colour, channel) for colour in colours], kind)
        for channel, kind in _CHANNELS
    ]
