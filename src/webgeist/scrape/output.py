"""The rows of all programs in a store as one table: what queries know as `@output`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.query.attached import attach
from webgeist.scrape.columns import Columns, tables
from webgeist.scrape.records import programs
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release
    from webgeist.scrape.rows import Row

_PROGRAM = "_program"
_ADDRESS = 2  # the place of `_source` among the columns that tell where a row comes from


@dataclass(frozen=True)
class Output:
    """All permanent rows of a store. `address` is the column with the URL that each is from."""

    table: pa.Table
    address: str


def output(store: str | Path) -> Output:
    """Rows with all their columns, where they come from, and `_program`."""
    log = SqlLog(store, create=False)
    try:
        found = {name: list(log.rows(name)) for name in programs(log)}
    finally:
        log.close()
    return _table(found)


def _table(found: dict[str, list[Row]]) -> Output:
    columns = Columns()
    for row in chain(*found.values()):
        columns.see(row)
    pieces = list(tables(chain(*found.values()), columns))
    whole = pa.concat_tables(pieces) if pieces else columns.schema.empty_table()
    names = [name for name, rows in found.items() for _ in rows]
    program = _PROGRAM
    while program in whole.column_names:
        program = f"_{program}"
    named = whole.append_column(program, pa.array(names, pa.string()))
    return Output(named, columns.origin[_ADDRESS])


def attach_output(release: Release, store: str | None = None) -> None:
    """Have queries of a release that was just opened know the rows of a store as `@output`. Without
    one, those that are in the repository itself, if there are any.
    """
    own = release.layout.state
    if store is None and own.is_file() and has_output(own):
        store = str(own)
    if store is not None:
        found = output(store)
        attach(release, "output", found.table, url=found.address)


def has_output(file: Path) -> bool:
    """Whether a SQLite file has been a store: a repository's state.db may be one."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        known = "SELECT 1 FROM sqlite_master WHERE name = 'scrape_rows'"
        return database.execute(known).fetchone() is not None
