"""Columns become the JSON that json itself would write."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.export.jsontext import dump, json_lines, json_texts

TIME = datetime(2024, 2, 29, 12, 0, 1, 500, tzinfo=UTC)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array([1, -2, None]), [1, -2, None]),
        (pa.array([True, None]), [True, None]),
        (pa.array([1.1, float("nan"), float("-inf"), None], pa.float32()), [1.1, None, None, None]),
        (pa.array([0.5, None], pa.float16()), [0.5, None]),
        (pa.array(["a", None, "a"]).dictionary_encode(), ["a", None, "a"]),
        (
            pa.array([[("k", "v"), ("k", "w")], [], None], pa.map_(pa.string(), pa.string())),
            [{"k": "w"}, {}, None],
        ),
        (pa.array([{"x": 1, "y": None}, None]), [{"x": 1, "y": None}, None]),
        (pa.array([[1, 2], [], None], pa.list_(pa.float16(), -1)), [[1.0, 2.0], [], None]),
        (pa.array([TIME, None], pa.timestamp("us", "UTC")), ["2024-02-29T12:00:01.000500Z", None]),
        (pa.array([date(2024, 1, 2)]), ["2024-01-02"]),
        (pa.array([b"\x00\xff", None]), ["AP8=", None]),
        (pa.array([Decimal("1.50")]), ["1.50"]),
        (pa.array([timedelta(seconds=3)]), ["3.0"]),
        (pa.nulls(2), [None, None]),
        (pa.array(['ü\n"\\', "", None], pa.large_string()), ['ü\n"\\', "", None]),
    ],
)
def test_values(array: pa.Array, expected: list[Any]) -> None:
    assert [json.loads(text) for text in json_texts(array).to_pylist()] == expected


@given(st.lists(st.text()))
def test_any_text(texts: list[str]) -> None:
    array = pa.array(texts, pa.string())
    assert [json.loads(text) for text in json_texts(array).to_pylist()] == texts


def test_lines() -> None:
    parts = [pa.table({"a": [1], 'q"': ["x"]}), pa.table({"a": [None], 'q"': ["y\n"]})]
    lines = json_lines(pa.concat_tables(parts, promote_options="permissive")).to_pylist()
    assert all(line.endswith("}\n") and line.count("\n") == 1 for line in lines)
    assert [json.loads(line) for line in lines] == [{"a": 1, 'q"': "x"}, {"a": None, 'q"': "y\n"}]


def test_dictionaries_that_differ_between_pieces() -> None:
    parts = [pa.table({"a": pa.array([word]).dictionary_encode()}) for word in ("one", "two")]
    assert json_lines(pa.concat_tables(parts)).to_pylist() == ['{"a":"one"}\n', '{"a":"two"}\n']


def test_keys_that_are_no_texts() -> None:
    assert dump({1: TIME}) == '{"1":"2024-02-29T12:00:01.000500+00:00"}'


_MAPS = st.lists(
    st.none()
    | st.lists(
        st.tuples(st.sampled_from("abc") | st.text(max_size=3), st.none() | st.text(max_size=3)),
        max_size=4,
    ),
    max_size=6,
)


@given(_MAPS, st.integers(0, 6), st.integers(0, 6))
def test_maps_are_objects_wherever_they_begin(
    maps: list[list[tuple[str, str | None]] | None], start: int, count: int
) -> None:
    """Also where a key stands twice (the last one counts), and in slices."""
    clean = [
        None
        if each is None
        else [(_utf8(key), None if value is None else _utf8(value)) for key, value in each]
        for each in maps
    ]
    array = pa.array(clean, pa.map_(pa.string(), pa.string())).slice(start, count)
    found = [json.loads(text) for text in json_texts(array).to_pylist()]
    wanted = clean[start : start + count]
    assert found == [None if each is None else dict(each) for each in wanted]


def _utf8(text: str) -> str:
    return text.encode("utf-8", "ignore").decode()
