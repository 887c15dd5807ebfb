"""CSV that every reader understands, and no spreadsheet runs."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.export.csvtext import cells, csv_header, csv_lines


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_formulas_are_guarded(first: str) -> None:
    (cell,) = cells(pa.array([f"{first}SUM(A1)"], pa.large_string())).to_pylist()
    assert read(cell) == [[f"'{first}SUM(A1)"]]
    assert csv_header([f"{first}x", "y"]).removeprefix('"').startswith("'")


@pytest.mark.parametrize("text", ["a=b", "1-2", " =1", "x", "'=1", "\n=1"])
def test_other_texts_are_not(text: str) -> None:
    (cell,) = cells(pa.array([text], pa.large_string())).to_pylist()
    assert read(cell) == [[text]]


def test_numbers_are_numbers() -> None:
    table = pa.table(
        {
            "i": pa.array([-1, None]),
            "f": pa.array([-1.1, float("-inf")], pa.float32()),
            "h": pa.array([-0.5, None], pa.float16()),
            "b": pa.array([True, False]),
        }
    )
    assert csv_lines(table).to_pylist() == ["-1,-1.1,-0.5,true\r\n", ",-inf,,false\r\n"]


def test_nothing_and_the_empty_text_differ() -> None:
    table = pa.table({"a": ["", None, "x"], "b": pa.array([None, "", "x"]).dictionary_encode()})
    assert csv_lines(table).to_pylist() == ['"",\r\n', ',""\r\n', "x,x\r\n"]


def test_nested_values_are_json() -> None:
    table = pa.table(
        {
            "m": pa.array([[("k", 'v"')], None], pa.map_(pa.string(), pa.string())),
            "s": pa.array([{"x": 1}, None]),
            "l": pa.array([["-a"], None]),
            "d": pa.array([b"ab", None]),
            "t": pa.array([datetime(2024, 1, 2, tzinfo=UTC), None], pa.timestamp("s", "UTC")),
        }
    )
    lines = "".join(csv_lines(table).to_pylist())
    assert read(lines) == [
        ['{"k":"v\\""}', '{"x":1}', '["-a"]', '"YWI="', "2024-01-02T00:00:00Z"],
        ["", "", "", "", ""],
    ]


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1))
def test_any_texts_are_read_back(rows: list[tuple[str, str]]) -> None:
    table = pa.table(
        {"a": pa.array([one for one, _ in rows]), "b": pa.array([other for _, other in rows])}
    )
    text = "".join(csv_lines(table).to_pylist())
    expected = [[_guarded(cell) for cell in row] for row in rows]
    assert read(text) == expected


def _guarded(text: str) -> str:
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") and text else text
