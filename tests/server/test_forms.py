"""Rows as bytes: what comes out is what went in, and says that it is all."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.server.forms import END, METADATA, Ending, Form, texts, whole

ENDING = Ending(3, 2, cut=True, next="/v1/x?start=2", reason="limit")
_CELLS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.lists(st.tuples(_CELLS, st.none() | st.integers(-(2**31), 2**31)), max_size=5))
def test_every_form_gives_the_rows_back(rows: list[tuple[str | None, int | None]]) -> None:
    table = pa.table(
        {
            'a "b"': pa.array([row[0] for row in rows], pa.string()),
            "n": pa.array([row[1] for row in rows], pa.int64()),
        }
    )
    expected: list[dict[str, Any]] = table.to_pylist()
    answer = json.loads(whole(table, Form.JSON, ENDING))
    assert answer.pop("items") == expected
    assert answer == ENDING.facts()
    *lines, end = map(json.loads, whole(table, Form.NDJSON, ENDING).decode().split("\n")[:-1])
    assert lines == expected
    assert end == {END: ENDING.facts()}
    with pa.ipc.open_stream(io.BytesIO(whole(table, Form.ARROW, ENDING))) as opened:
        batches = [opened.read_next_batch_with_custom_metadata() for _ in range(1 + bool(rows))]
    assert [row for batch, _ in batches for row in batch.to_pylist()] == expected
    assert json.loads(batches[-1][1][METADATA]) == ENDING.facts()
    text = whole(table, Form.CSV, ENDING).decode()
    head, *cells, closing = csv.reader(io.StringIO(text, newline=""))
    assert head == ['a "b"', "n"]
    assert [cell[1] for cell in cells] == ["" if row[1] is None else str(row[1]) for row in rows]
    assert closing[0].startswith(f"{END} {{")
    assert json.loads(closing[0].removeprefix(END)) == ENDING.facts()
    assert closing[1:] == [""]


def test_an_ending_says_only_what_there_is_to_say() -> None:
    assert Ending(1, 0, cut=False).facts() == {"release": 1, "rows": 0, "cut": False, "next": None}
    assert Ending(1, 0, cut=False, seconds=0.5).facts()["seconds"] == 0.5


@pytest.mark.parametrize("form", Form)
def test_many_rows_are_made_in_pieces(form: Form) -> None:
    table = pa.table({"n": pa.array(range(20_000))})
    ending = Ending(1, 20_000, cut=False)
    body = whole(table, form, ending)
    match form:
        case Form.JSON:
            assert [row["n"] for row in json.loads(body)["items"]] == list(range(20_000))
        case Form.ARROW:
            assert pa.ipc.open_stream(io.BytesIO(body)).read_all().equals(table)
        case _:
            lines = body.decode().splitlines()
            extra = 2 if form is Form.CSV else 1
            assert len(lines) == 20_000 + extra


def test_a_slice_of_lines_is_only_those() -> None:
    lines = pa.array(["a\n", "b\n", "c\n"], pa.large_string())
    assert texts(lines.slice(1, 1)) == b"b\n"
    assert texts(lines.slice(3)) == b""
