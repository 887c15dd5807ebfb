"""Style vectors cut out as text say what the whole answer, decoded, would have said."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.page import styles
from webgeist.page.properties import INHERITED

PROPERTIES = ("color", "width", "font-size", "height")
STRINGS = ["red", "1px", '"styles":[[', "],[", "]]", '"styles":[]', "\\", "ä😀"]

vectors = st.lists(st.integers(0, len(STRINGS) - 1), min_size=4, max_size=4)
layouts = st.lists(st.one_of(st.just([]), vectors), max_size=6)
snapshots = st.lists(layouts, max_size=4)


def answer(documents: list[list[list[int]]], strings: list[str]) -> bytes:
    """A snapshot answer as Chromium writes it: no spaces, styles in each document's layout."""
    laid_out = [
        {"layout": {"nodeIndex": list(range(len(rows))), "styles": rows, "text": [[1]]}}
        for rows in documents
    ]
    result = {"documents": laid_out, "strings": strings}
    return json.dumps({"id": 7, "result": result}, separators=(",", ":")).encode()


def text_of(row: list[int]) -> bytes:
    return ",".join(map(str, row)).encode()


@given(snapshots, st.permutations(STRINGS))
def test_cut_takes_the_rows_out_and_leaves_everything_else(
    documents: list[list[list[int]]], strings: list[str]
) -> None:
    raw = answer(documents, strings)
    slim, rows = styles.cut(raw)
    assert rows == [[text_of(row) for row in part] for part in documents]
    whole: dict[str, Any] = json.loads(raw)
    for document in whole["result"]["documents"]:
        document["layout"]["styles"] = []
    assert json.loads(slim) == whole


@given(st.lists(st.sampled_from([b"", b"1", b"2", b"1,2"])))
def test_intern_numbers_rows_in_order_of_appearance(rows: list[bytes]) -> None:
    distinct, places = styles.intern(rows)
    assert distinct == list(dict.fromkeys(row for row in rows if row))
    assert [distinct[place] if place >= 0 else b"" for place in places] == rows


@given(layouts)
def test_halves_give_back_every_value_of_every_row(rows: list[list[int]]) -> None:
    inherited, own = styles.halves(
        [text_of(row) for row in rows], PROPERTIES, pa.array(STRINGS, pa.string())
    )
    for entry, row in enumerate(rows):
        for name, number in zip(PROPERTIES, row, strict=False):
            half = inherited if name in INHERITED else own
            assert half.value(entry, name) == STRINGS[number]
        if not row:
            assert inherited.row_of[entry] == own.row_of[entry] == -1


@given(layouts)
def test_halves_hold_each_distinct_vector_once_and_count_its_nodes(rows: list[list[int]]) -> None:
    texts = [text_of(row) for row in rows]
    strings = pa.array(STRINGS, pa.string())
    for half, places in zip(
        styles.halves(texts, PROPERTIES, strings), ((0, 2), (1, 3)), strict=True
    ):
        parts = [tuple(row[place] for place in places) for row in rows if row]
        distinct = list(dict.fromkeys(parts))
        names = [PROPERTIES[place] for place in places]
        assert half.table.to_pylist() == [
            {"style": number, "nodes": parts.count(part)}
            | {name: STRINGS[value] for name, value in zip(names, part, strict=True)}
            for number, part in enumerate(distinct)
        ]


def test_an_answer_without_layout_has_no_rows() -> None:
    slim, rows = styles.cut(b'{"id":1,"result":{"documents":[]}}')
    assert (slim, rows) == (b'{"id":1,"result":{"documents":[]}}', [])
    inherited, own = styles.halves([], PROPERTIES, pa.array([], pa.string()))
    assert inherited.table.num_rows == own.table.num_rows == 0
    assert inherited.table.column_names == ["style", "nodes", "color", "font-size"]


@pytest.mark.parametrize("rows", [[[]], [[], []], [[], [1, 1, 1, 1], []]])
def test_nodes_without_a_style_keep_their_place(rows: list[list[int]]) -> None:
    assert styles.cut(answer([rows], []))[1] == [[text_of(row) for row in rows]]


def test_a_value_that_is_no_text_is_an_empty_one() -> None:
    """Chromium numbers an empty string -1."""
    inherited, own = styles.halves([b"0,-1,0,0"], PROPERTIES, pa.array(["red"], pa.string()))
    assert inherited.value(0, "color") == "red"
    assert own.value(0, "width") == ""


def test_texts_that_are_too_long_together_are_looked_up_column_by_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [b"0,1,-1,2", b"", b"3,1,0,-1"]
    strings = pa.array(STRINGS)
    at_once = styles.halves(rows, PROPERTIES, strings)
    monkeypatch.setattr(styles, "_MOST_BYTES", 0)
    one_by_one = styles.halves(rows, PROPERTIES, strings)
    for one, other in zip(at_once, one_by_one, strict=True):
        assert one.table.to_pylist() == other.table.to_pylist()
    assert at_once[1].table.column("width").to_pylist() == ["1px", "1px"]
    assert at_once[1].table.column("height").to_pylist() == [STRINGS[2], ""]


def test_a_half_may_have_no_properties() -> None:
    inherited, own = styles.halves([b"1"], ("color",), pa.array(STRINGS))
    assert inherited.table.column_names == ["style", "nodes", "color"]
    assert own.table.to_pylist() == [{"style": 0, "nodes": 1}]
