"""Rows as files, in all forms; columns that come up late, and values that fit no column."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from tests.repository.faulty import Failing

from webgeist.errors import StorageError, UsageError
from webgeist.scrape.columns import Columns
from webgeist.scrape.export import export_rows
from webgeist.scrape.rows import Row

if TYPE_CHECKING:
    from pathlib import Path

    from tests.scrape.making import Lab

ROWS: list[dict[str, Any]] = [
    {"name": "=1+1", "price": 3, "tags": ["a", "b"]},
    {"name": None, "price": 2.5, "sold": True},
    {"name": 'say "hi"', "price": None, "mixed": 7},
    {"name": "Größe", "mixed": "text", "large": 1 << 70},
]


@pytest.fixture
def filled(lab: Lab) -> Lab:
    with lab.run() as run:
        for number, row in enumerate(ROWS):
            for _ in run.skip_block("Thing", number):
                run.output(row, source=f"http://shop.localhost/{number}")
    return lab


def test_csv(filled: Lab, tmp_path: Path) -> None:
    done = filled.run().export(tmp_path / "out")
    with (tmp_path / "out" / "program.csv").open(newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert [row["name"] for row in found] == ["'=1+1", "", 'say "hi"', "Größe"]
    assert [row["tags"] for row in found] == ['["a", "b"]', "", "", ""]
    assert found[1]["_source"] == "http://shop.localhost/1"
    assert found[1]["_time"] == "2001-09-09T01:46:40.000Z"
    assert found[0]["_block"] == "Thing"
    assert done.rows == 4
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["columns"][:6] == ["name", "price", "tags", "sold", "mixed", "large"]


def test_jsonl_is_what_was_put_out(filled: Lab, tmp_path: Path) -> None:
    filled.run().export(tmp_path, form="jsonl")
    lines = (tmp_path / "program.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    plain = [{k: v for k, v in row.items() if not k.startswith("_")} for row in found]
    assert plain == ROWS
    assert found[0]["_run"] == 1


def test_parquet(filled: Lab, tmp_path: Path) -> None:
    filled.run().export(tmp_path, form="parquet")
    table = pq.read_table(tmp_path / "program.parquet")
    assert table.column("price").to_pylist() == [3.0, 2.5, None, None]
    assert table.column("sold").to_pylist() == [None, True, None, None]
    assert table.column("mixed").to_pylist() == [None, None, "7", "text"]
    assert table.column("large").to_pylist()[-1] == str(1 << 70)


def test_sqlite(filled: Lab, tmp_path: Path) -> None:
    filled.run().export(tmp_path, form="sqlite")
    with closing(sqlite3.connect(tmp_path / "program.sqlite")) as database:
        found = database.execute("SELECT name, price, _run FROM rows ORDER BY rowid").fetchall()
    assert found == [("=1+1", 3.0, 1), (None, 2.5, 1), ('say "hi"', None, 1), ("Größe", None, 1)]


def test_no_rows_at_all(lab: Lab, tmp_path: Path) -> None:
    with lab.run():
        pass
    for form in ("csv", "jsonl", "parquet", "sqlite"):
        assert lab.run().export(tmp_path / form, form=form).rows == 0


def test_what_is_there_is_not_replaced_unasked(filled: Lab, tmp_path: Path) -> None:
    filled.run().export(tmp_path)
    with pytest.raises(UsageError, match="exists already"):
        filled.run().export(tmp_path)
    filled.run().export(tmp_path, overwrite=True)
    with pytest.raises(UsageError, match="no format xlsx"):
        filled.run().export(tmp_path, form="xlsx")


def test_a_full_disk_leaves_nothing(filled: Lab, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(StorageError):
        export_rows("program", filled.run().rows, folder, files=Failing(5, 28, stays=True))
    assert not folder.exists() or not [p for p in folder.iterdir() if p.suffix == ".csv"]


def test_columns_of_a_page_that_are_named_like_ours() -> None:
    columns = Columns()
    row = Row({"_run": "theirs"}, run=3, time=0, source=None, block="")
    columns.see(row)
    assert columns.values(row)["_run"] == "theirs"
    assert columns.values(row)["__run"] == 3
    assert len(set(columns.schema.names)) == 5
