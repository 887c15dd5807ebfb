"""The rows of a program in files that other tools open: CSV, JSON lines, Parquet, SQLite."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import orjson
import pyarrow as pa

import webgeist
from webgeist.errors import UsageError
from webgeist.repository.export.folder import ExportFolder, Written, refuse_existing
from webgeist.repository.export.formats import write_csv, write_parquet
from webgeist.repository.files import DISK
from webgeist.repository.streaming import nearest
from webgeist.scrape.columns import Columns, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from webgeist.repository.files import Files
    from webgeist.scrape.rows import Row

FORMATS = ("csv", "jsonl", "parquet", "sqlite")
_TYPES = {pa.bool_(): "INTEGER", pa.int64(): "INTEGER", pa.float64(): "REAL"}


@dataclass(frozen=True)
class ExportedRows:
    """What an export consists of: the contents of its manifest.json."""

    webgeist: str
    program: str
    format: str
    rows: int
    columns: list[str]
    files: list[Written]

    def to_json(self) -> bytes:
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def export_rows(
    program: str,
    read: Callable[[], Iterable[Row]],
    folder: str | Path,
    *,
    form: str = "csv",
    overwrite: bool = False,
    files: Files = DISK,
) -> ExportedRows:
    """Write the rows that `read` gives, twice, to a file in a folder; all or nothing.

    The first reading finds the columns. Rows that are added meanwhile are left for the next time.
    """
    if form not in FORMATS:
        raise UsageError(f"there is no format {form}", remedy=nearest(form, FORMATS))
    name = f"{_file_name(program)}.{form}"
    if not overwrite:
        refuse_existing(Path(folder), [name])
    columns = Columns()
    for row in read():
        columns.see(row)

    def content(target: BinaryIO) -> None:
        rows = _first(read(), columns.rows)
        match form:
            case "jsonl":
                _write_jsonl(target, rows, columns)
            case "sqlite":
                _write_sqlite(target, rows, columns)
            case _:
                write = write_csv if form == "csv" else write_parquet
                write(target, columns.schema, tables(rows, columns))

    with ExportFolder(Path(folder), files) as made:
        written = made.write(name, content)
        names = columns.schema.names
        done = ExportedRows(webgeist.__version__, program, form, columns.rows, names, [written])
        made.finish(done.to_json())
    return done


def _file_name(program: str) -> str:
    return re.sub(r"[^\w.-]+", "-", program).strip(".-") or "rows"


def _first(rows: Iterable[Row], count: int) -> Iterator[Row]:
    for _, row in zip(range(count), rows, strict=False):
        yield row


def _write_jsonl(target: BinaryIO, rows: Iterable[Row], columns: Columns) -> None:
    """Each row with the columns that it has, and where it comes from."""
    for row in rows:
        origin = {name: columns.values(row)[name] for name in columns.origin}
        line = json.dumps(
            {**row, **origin}, ensure_ascii=False, default=lambda time: time.isoformat()
        )
        target.write(line.encode() + b"\n")


def _write_sqlite(target: BinaryIO, rows: Iterable[Row], columns: Columns) -> None:
    """A database with one table, `rows`."""
    schema = columns.schema
    typed = ", ".join(f"{_quoted(each.name)} {_TYPES.get(each.type, 'TEXT')}" for each in schema)
    marks = ", ".join("?" * len(schema.names))
    insert = f"INSERT INTO rows VALUES ({marks})"  # noqa: S608 - of question marks
    with TemporaryDirectory() as folder:
        path = Path(folder, "rows.sqlite")
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"CREATE TABLE rows ({typed})")
            for table in tables(rows, columns):
                values = [_plain(column) for column in table.columns]
                database.executemany(insert, zip(*values, strict=True))
        with path.open("rb") as source:
            shutil.copyfileobj(source, target)


def _plain(column: pa.ChunkedArray) -> list[object]:
    values: list[object] = column.to_pylist()
    if pa.types.is_timestamp(column.type):
        return [value.isoformat() for value in values]  # type: ignore[attr-defined]
    return values


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""').replace("\0", "") + '"'
