"""The rows of all programs of a store, as queries see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import webgeist
from webgeist.scrape.output import has_output, output

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_of_several_programs(tmp_path: Path) -> None:
    store = tmp_path / "rows.db"
    with webgeist.Run("books", store=store) as run:
        run.output(title="A", price=3, source="http://a.test/")
        run.output(title="B", price=4.5)
    with webgeist.Run("films", store=store) as run:
        run.output(title="C", year=1999)
    found = output(store)
    rows = found.table.to_pylist()
    assert found.address == "_source"
    assert [row["_program"] for row in rows] == ["books", "books", "films"]
    assert [(row["title"], row["price"], row["year"]) for row in rows] == [
        ("A", 3.0, None),
        ("B", 4.5, None),
        ("C", None, 1999),
    ]
    assert [row["_source"] for row in rows] == ["http://a.test/", None, None]


def test_columns_that_are_called_like_ours(tmp_path: Path) -> None:
    with webgeist.Run("odd", store=tmp_path / "rows.db") as run:
        run.output(_program="mine", _source="mine too", source="http://a.test/")
    found = output(tmp_path / "rows.db")
    (row,) = found.table.to_pylist()
    assert (row["_program"], row["_source"]) == ("mine", "mine too")
    assert row["__program"] == "odd"
    assert row[found.address] == "http://a.test/"


def test_a_store_without_rows(tmp_path: Path) -> None:
    with webgeist.Run("none", store=tmp_path / "rows.db"):
        pass
    assert output(tmp_path / "rows.db").table.num_rows == 0


def test_whether_a_file_is_a_store(tmp_path: Path) -> None:
    from webgeist.repository.init import init_repository

    init_repository(tmp_path / "r")
    state = tmp_path / "r" / "state.db"
    assert not has_output(state)
    with webgeist.Run("books", store=state) as run:
        run.output(title="A")
    assert has_output(state)
