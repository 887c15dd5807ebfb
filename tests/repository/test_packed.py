"""A page comes out of its packed form as it went in; damage is named."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.repository.making import make_page, plain

from webgeist.errors import DamagedError
from webgeist.page.schema import NODES, style_schema
from webgeist.repository.packed import PACKED_PAGES, pack, unpack

EMPTY = style_schema(()).empty_table()


def packed(number: int = 1, **options: Any) -> dict[str, Any]:
    page = make_page(number, **options)
    return pack("C", "[]", page.nodes, page.styles_inherited, page.styles_own)


def test_a_page_stays_the_same() -> None:
    page = make_page(7, 9)
    row = pack("C", "[]", page.nodes, page.styles_inherited, page.styles_own)
    again = unpack(row).page()
    assert again is not None
    assert again.nodes.equals(page.nodes)
    assert again.nodes.schema.equals(NODES)
    assert again.styles_inherited.equals(page.styles_inherited)
    assert again.styles_own.equals(page.styles_own)
    assert again.styles_own.schema.equals(page.styles_own.schema)
    assert set(row) == set(PACKED_PAGES.names)


def test_a_node_has_the_style_that_the_page_gives_it() -> None:
    page = make_page(3, 6)
    found = unpack(packed(3, nodes=6))
    assert [found.style(node) for node in range(6)] == [page.style(node) for node in range(6)]
    assert found.style(1)["width"] == "4px"


def test_a_node_without_layout_has_no_style() -> None:
    page = make_page(1, 2)
    rows = plain(page.nodes)
    rows[1] |= {"style_inherited": None, "style_own": None, "x": None, "parent": None}
    nodes = pa.Table.from_pylist(rows, schema=NODES)
    found = unpack(pack("C", "[]", nodes, page.styles_inherited, page.styles_own))
    assert found.style(1) == {}
    assert plain(found.nodes) == plain(nodes)


def test_no_page() -> None:
    row = pack("C", "[]", NODES.empty_table(), EMPTY, EMPTY)
    assert unpack(row).page() is None


def test_longhands_that_this_page_lacks_are_left_out() -> None:
    page = make_page(1)
    wider = page.styles_own.append_column("later", pa.nulls(2, pa.string()))
    found = unpack(pack("C", "[]", page.nodes, page.styles_inherited, wider))
    assert found.own.table().equals(page.styles_own)


@given(st.lists(st.tuples(st.text(), st.text(max_size=3)), min_size=1, max_size=30))
def test_any_values(values: list[tuple[str, str]]) -> None:
    count = len(values)
    columns = [pa.array(range(count), pa.int32()), pa.array([1] * count, pa.int32())]
    texts = [pa.array([each[place] for each in values], pa.string()) for place in (0, 1)]
    styles = pa.Table.from_arrays([*columns, *texts], schema=style_schema(["a", "b"]))
    found = unpack(pack("C", "[]", make_page(1).nodes, EMPTY, styles)).own
    assert found.table().equals(styles)
    assert [found.vector(row) for row in range(count)] == [
        {"a": one, "b": other} for one, other in values
    ]


def test_more_texts_than_small_numbers() -> None:
    count = 70_000
    numbers = pa.array(range(count), pa.int32())
    texts = pa.array([f"{number}px" for number in range(count)])
    styles = pa.Table.from_arrays([numbers, numbers, texts], schema=style_schema(["width"]))
    found = unpack(pack("C", "[]", make_page(1).nodes, EMPTY, styles)).own
    assert found.vector(69_999) == {"width": "69999px"}


@pytest.mark.parametrize(
    "damage",
    [
        {"page": b""},
        {"page": b"no page"},
        {"page": packed()["page"][:-600]},
        {"page": packed()["page"][1000:]},
        {"properties_own": '["one"]'},
        {"properties_inherited": "no JSON"},
    ],
)
def test_damage_is_named(damage: dict[str, Any]) -> None:
    with pytest.raises(DamagedError, match="packed page of capture C is damaged"):
        unpack(packed() | damage)


def test_other_columns_are_damage() -> None:
    target = pa.BufferOutputStream()
    batch = pa.record_batch({"wrong": [1]})
    for _ in range(3):
        with pa.ipc.new_stream(target, batch.schema) as writer:
            writer.write_batch(batch)
    row = packed() | {"page": target.getvalue().to_pybytes()}
    with pytest.raises(DamagedError, match="other columns"):
        unpack(row)
