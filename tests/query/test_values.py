"""Operands are in the type of their column, or are refused with their place."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from webgeist.errors import QueryError
from webgeist.page.colours import Colour
from webgeist.query.scopes import Column
from webgeist.query.values import (
    colour,
    lab,
    number,
    operand,
    parse_css_colour,
    parse_length,
    text,
    whole,
)

TEXT = Column("name", pa.string(), ("t",))
WIDTH = Column("width", pa.float32(), ("t",), unit="px")
COUNT = Column("count", pa.int32(), ("t",))
SHARE = Column("share", pa.float64(), ("t",))
SHOWN = Column("shown", pa.bool_(), ("t",))
TIME = Column("time", pa.timestamp("us", "UTC"), ("t",))
MAP = Column("attributes", pa.map_(pa.string(), pa.string()), ("t",))


@pytest.mark.parametrize(
    ("length", "pixels"),
    [
        ("100px", 100),
        ("100", 100),
        (" 1.5 PX ", 1.5),
        ("72pt", 96),
        ("1in", 96),
        ("2.54cm", 96),
        ("25.4mm", 96),
        ("101.6Q", 96),
        ("2pc", 32),
        ("-.5px", -0.5),
        ("1e2px", 100),
    ],
)
def test_lengths(length: str, pixels: float) -> None:
    assert parse_length(length) == pytest.approx(pixels)


@pytest.mark.parametrize("length", ["auto", "50%", "1em", "px", "", "1px 2px", "1e999px", "NaN"])
def test_what_is_no_length_of_its_own(length: str) -> None:
    assert parse_length(length) is None


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("red", Colour(255, 0, 0, 1.0)),
        ("RED ", Colour(255, 0, 0, 1.0)),
        ("#f00", Colour(255, 0, 0, 1.0)),
        ("#FF0000", Colour(255, 0, 0, 1.0)),
        ("#f008", Colour(255, 0, 0, 136 / 255)),
        ("#ff000080", Colour(255, 0, 0, 128 / 255)),
        ("rgb(255, 0, 0)", Colour(255, 0, 0, 1.0)),
        ("rgba(0, 0, 255, 0.5)", Colour(0, 0, 255, 0.5)),
        ("transparent", Colour(0, 0, 0, 0.0)),
    ],
)
def test_colours(written: str, found: Colour) -> None:
    assert parse_css_colour(written) == pytest.approx(found)


@pytest.mark.parametrize("written", ["rot", "#ff", "#fffff", "currentcolor", ""])
def test_what_is_no_colour(written: str) -> None:
    with pytest.raises(QueryError, match="is no colour") as caught:
        colour(written, "$where.color")
    assert caught.value.where == "$where.color"


def test_colours_in_cie_lab() -> None:
    """Values of the CIE's own formulas for sRGB white, black and red."""
    assert lab(Colour(255, 255, 255, 1)) == pytest.approx((100, 0, 0), abs=0.02)
    assert lab(Colour(0, 0, 0, 1)) == pytest.approx((0, 0, 0), abs=0.01)
    assert lab(Colour(255, 0, 0, 1)) == pytest.approx((53.24, 80.09, 67.20), abs=0.02)


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [
        (TEXT, "x", "x"),
        (COUNT, 3, 3),
        (COUNT, 2.5, 2.5),
        (SHARE, 0.6, 0.6),
        (WIDTH, 0.6, float(np.float32(0.6))),
        (WIDTH, "1in", 96.0),
        (WIDTH, 1e300, math.inf),
        (WIDTH, -1e300, -math.inf),
        (COUNT, 2**100, float(2**100)),
        (SHOWN, True, True),
        (TIME, "2024-02-29T12:00:00Z", datetime(2024, 2, 29, 12, tzinfo=UTC)),
        (TIME, "2024-02-29T13:00:00+01:00", datetime(2024, 2, 29, 12, tzinfo=UTC)),
        (TIME, "2024-02-29", datetime(2024, 2, 29, tzinfo=UTC)),
    ],
)
def test_operands_as_the_column_holds_them(column: Column, value: Any, found: Any) -> None:
    assert operand(column, value, "here") == found


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        (TEXT, 1, "a text is needed here, not a number"),
        (TEXT, None, "a text is needed here, not nothing"),
        (TEXT, "a\x00", "zero bytes"),
        (TEXT, "\ud800", "surrogates"),
        (TEXT, "x" * 10_001, "10,000 letters"),
        (COUNT, "3", "a number is needed here, not a text"),
        (COUNT, True, "a number is needed here, not true or false"),
        (COUNT, [1], "not a list"),
        (COUNT, {}, "not an object"),
        (SHARE, math.nan, "finite"),
        (SHARE, math.inf, "finite"),
        (WIDTH, "wide", "is no length"),
        (SHOWN, 1, "true or false is needed here"),
        (TIME, "yesterday", "is no time"),
        (TIME, 5, "a time is needed here"),
        (TIME, "0001-01-01T00:00:00+14:00", "is no time"),
        (MAP, {}, "only be asked for by"),
    ],
)
def test_operands_of_another_type(column: Column, value: Any, words: str) -> None:
    with pytest.raises(QueryError, match=words) as caught:
        operand(column, value, "here")
    assert caught.value.where == "here"


def test_whole_numbers_within_bounds() -> None:
    assert whole(5, "here", least=0, most=5) == 5
    for value in (6, -1, 1.5, True, "1", None):
        with pytest.raises(QueryError, match="from 0 to 5"):
            whole(value, "here", least=0, most=5)


def test_plain_numbers_have_no_units() -> None:
    assert number(1.5, "here") == 1.5
    with pytest.raises(QueryError, match="a number is needed"):
        number("1px", "here")
    assert text("é\U0001f600", "here") == "é\U0001f600"
