"""Rows of any columns as Arrow tables: the columns are all that any row has."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webgeist.scrape.rows import Row

_ROWS_AT_ONCE = 8_192
_LARGEST = 1 << 63
ORIGIN = ("_run", "_time", "_source", "_block")


@dataclass
class Columns:
    """The columns of a table that grows, in the order in which they came up."""

    kinds: dict[str, set[str]] = field(default_factory=dict)
    rows: int = 0

    def see(self, row: Row) -> None:
        self.rows += 1
        for name, value in row.items():
            self.kinds.setdefault(name, set()).add(_kind(value))

    @property
    def schema(self) -> pa.Schema:
        """Also the columns that tell where a row comes from, under names that no other has."""
        origin = zip(
            self.origin,
            (pa.int64(), pa.timestamp("ms", "UTC"), pa.string(), pa.string()),
            strict=True,
        )
        found = [(name, _type(kinds - {"nothing"})) for name, kinds in self.kinds.items()]
        return pa.schema([*found, *origin])

    @property
    def origin(self) -> list[str]:
        names = list(ORIGIN)
        while any(name in self.kinds for name in names):
            names = [f"_{name}" for name in names]
        return names

    def values(self, row: Row) -> dict[str, Any]:
        """A row with all its columns, as JSON has it."""
        time = datetime.fromtimestamp(row.time, UTC)
        origin = zip(self.origin, (row.run, time, row.source, row.block or None), strict=True)
        return {name: row.get(name) for name in self.kinds} | dict(origin)


def _kind(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "bool"
        case int():
            return "int" if -_LARGEST <= value < _LARGEST else "other"
        case float():
            return "float"
        case str():
            return "text"
        case _:
            return "other"


def _type(kinds: set[str]) -> pa.DataType:
    if kinds == {"bool"}:
        return pa.bool_()
    if kinds == {"int"}:
        return pa.int64()
    if kinds and kinds <= {"int", "float"}:
        return pa.float64()
    return pa.string()


def tables(rows: Iterable[Row], columns: Columns) -> Iterator[pa.Table]:
    """The rows in pieces. What fits no simple type is JSON in a text column."""
    schema = columns.schema
    rest = iter(rows)
    while values := [columns.values(row) for row in islice(rest, _ROWS_AT_ONCE)]:
        arrays = [
            pa.array([_fitted(each[name], kind) for each in values], kind)
            for name, kind in zip(schema.names, schema.types, strict=True)
        ]
        yield pa.Table.from_arrays(arrays, schema=schema)


def _fitted(value: Any, kind: pa.DataType) -> Any:
    if value is None or kind != pa.string() or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
