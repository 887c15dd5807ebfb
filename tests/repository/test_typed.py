"""Typed style columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webgeist.page.schema import style_schema
from webgeist.repository.typed import (
    COLOURS,
    LENGTHS,
    TYPED,
    parse_integer,
    parse_length,
    parse_number,
    parse_spacing,
    typed_columns,
    with_types,
)

if TYPE_CHECKING:
    from tests.conftest import Shooter


@pytest.mark.parametrize(
    ("text", "pixels"),
    [("12px", 12), ("0px", 0), ("-1.5px", -1.5), ("1e+06px", 1e6), (".5px", 0.5)]
    + [
        (text, None) for text in ("auto", "50%", "calc(50% - 2px)", "12", "px", "1px 2px", "normal")
    ],
)
def test_lengths(text: str, pixels: float | None) -> None:
    assert parse_length(text) == pixels


def test_numbers() -> None:
    assert (parse_number("0.5"), parse_number("auto")) == (0.5, None)
    assert (parse_integer("-3"), parse_integer("auto")) == (-3, None)
    assert (parse_spacing("normal"), parse_spacing("2px"), parse_spacing("x")) == (0, 2, None)


def _table(**columns: list[str]) -> pa.Table:
    names = [name.replace("_", "-") for name in columns]
    rows = len(next(iter(columns.values())))
    fixed = [pa.array(range(rows), pa.int32()), pa.array([1] * rows, pa.int32())]
    return pa.Table.from_arrays(
        [*fixed, *map(pa.array, columns.values())], schema=style_schema(names)
    )


def test_columns_are_added_at_the_end() -> None:
    table = with_types(
        _table(color=["rgb(1, 2, 3)", "oklch(none 0 0)", "red"], z_index=["auto", "7", "-1"])
    )
    assert table.column_names == [
        *("style", "nodes", "color", "z-index", "color_r", "color_g", "color_b", "color_alpha"),
        "z_index",
    ]
    assert table.column("color_b").to_pylist() == [3, 0, None]
    assert table.column("z_index").to_pylist() == [None, 7, -1]


def test_an_empty_table() -> None:
    assert with_types(_table(width=[])).num_rows == 0


def test_typed_names_are_no_longhands() -> None:
    assert not TYPED & {*COLOURS, *LENGTHS, "opacity", "z-index", "font-weight"}
    assert [field.name for field in typed_columns("opacity")] == ["opacity_value"]
    assert typed_columns("display") == []


def test_a_real_page_has_every_typed_column(shoot_html: Shooter) -> None:
    page = shoot_html(
        "<p style='font: 700 20px/30px serif; letter-spacing: 2px; width: 90px; z-index: 4;"
        "position: relative; opacity: .25; color: #102030; margin: 5px'>x"
    ).page
    assert page is not None
    tables = [with_types(page.styles_inherited), with_types(page.styles_own)]
    assert {name for table in tables for name in table.column_names if name in TYPED} == TYPED
    node = page.find("p")[0]
    inherited, own = (
        table.slice(page.nodes.column(column)[node].as_py(), 1).to_pylist()[0]
        for table, column in zip(tables, ("style_inherited", "style_own"), strict=True)
    )
    assert (inherited["font_size_px"], inherited["font_weight"]) == (20, 700)
    assert (inherited["line_height_px"], inherited["letter_spacing_px"]) == (30, 2)
    assert [inherited[f"color_{part}"] for part in ("r", "g", "b", "alpha")] == [16, 32, 48, 1]
    assert (own["width_px"], own["opacity_value"], own["z_index"]) == (90, 0.25, 4)
    assert (own["margin_left_px"], own["max_width_px"]) == (5, None)
