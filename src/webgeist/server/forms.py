"""The forms in which rows leave: NDJSON, CSV and Arrow, piece by piece, each with a closing record.

The closing record says how many rows came, whether there are more, and where to go on. An answer
without it was cut off on its way.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

import orjson
import pyarrow as pa

from webgeist.repository.export.csvtext import LINE_END, csv_header, csv_lines
from webgeist.repository.export.jsontext import json_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROWS = 8_192  # made into text at once
END = "$end"  # the only key of a closing record; no column is called so
METADATA = b"webgeist.end"  # where an Arrow stream's last batch, which is empty, has the same


class Form(StrEnum):
    """How rows are written; the ending of an address."""

    JSON = "json"
    NDJSON = "ndjson"
    CSV = "csv"
    ARROW = "arrow"


class StreamForm(StrEnum):
    """The forms that are made while they are sent."""

    NDJSON = "ndjson"
    CSV = "csv"
    ARROW = "arrow"


MEDIA_TYPES = {
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8; header=present",
    "arrow": "application/vnd.apache.arrow.stream",
}


@dataclass(frozen=True)
class Ending:
    """What a closing record says. `next` is the address to go on at, where rows are left."""

    release: int
    rows: int
    cut: bool
    next: str | None = None
    reason: str | None = None
    seconds: float | None = None
    fetched: list[dict[str, Any]] | None = None

    def facts(self) -> dict[str, Any]:
        facts = {"release": self.release, "rows": self.rows, "cut": self.cut, "next": self.next}
        more = {"reason": self.reason, "seconds": self.seconds, "fetched": self.fetched}
        return facts | {name: value for name, value in more.items() if value is not None}


class Writer(Protocol):
    """Turns rows into bytes of one form."""

    def begin(self) -> bytes: ...

    def piece(self, table: pa.Table) -> bytes: ...

    def end(self, ending: Ending) -> bytes: ...


def writer(form: str, schema: pa.Schema) -> Writer:
    match form:
        case "ndjson":
            return _Ndjson()
        case "csv":
            return _Csv(schema)
        case _:
            return _Arrow(schema)


class _Ndjson:
    def begin(self) -> bytes:
        return b""

    def piece(self, table: pa.Table) -> bytes:
        return texts(json_lines(table))

    def end(self, ending: Ending) -> bytes:
        return orjson.dumps({END: ending.facts()}) + b"\n"


class _Csv:
    """The closing record is the last line: a cell that begins with `$end`, and empty ones."""

    def __init__(self, schema: pa.Schema) -> None:
        self._names = schema.names

    def begin(self) -> bytes:
        return csv_header(self._names).encode()

    def piece(self, table: pa.Table) -> bytes:
        return texts(csv_lines(table))

    def end(self, ending: Ending) -> bytes:
        said = orjson.dumps(ending.facts()).decode().replace('"', '""')
        empty = "," * (len(self._names) - 1)
        return f'"{END} {said}"{empty}{LINE_END}'.encode()


class _Arrow:
    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._sink = io.BytesIO()
        self._writer = pa.ipc.new_stream(self._sink, schema)

    def begin(self) -> bytes:
        return self._taken()

    def piece(self, table: pa.Table) -> bytes:
        self._writer.write_table(table.cast(self._schema))
        return self._taken()

    def end(self, ending: Ending) -> bytes:
        nothing = pa.RecordBatch.from_arrays(
            [pa.array([], field.type) for field in self._schema], schema=self._schema
        )
        said = orjson.dumps(ending.facts())
        self._writer.write_batch(nothing, custom_metadata={METADATA: said})
        self._writer.close()
        return self._taken()

    def _taken(self) -> bytes:
        taken = self._sink.getvalue()
        self._sink.seek(0)
        self._sink.truncate()
        return taken


def texts(lines: pa.Array) -> bytes:
    """Lines that stand behind each other in memory, as they are."""
    if not len(lines):
        return b""
    _, offsets, data = lines.buffers()
    bounds = memoryview(offsets).cast("q")
    first, last = bounds[lines.offset], bounds[lines.offset + len(lines)]
    return bytes(memoryview(data)[first:last])


def small(table: pa.Table, form: str) -> Iterator[pa.Table]:
    """A table in pieces whose text is made at once; Arrow needs no smaller ones."""
    if form == Form.ARROW:
        if table.num_rows:
            yield table
        return
    for start in range(0, table.num_rows, _ROWS):
        yield table.slice(start, _ROWS)


def whole(table: pa.Table, form: str, ending: Ending) -> bytes:
    """All rows at once, as an answer of one form."""
    if form == Form.JSON:
        lines = [texts(json_lines(piece)) for piece in small(table, form)]
        rows = b"".join(lines).rstrip(b"\n").replace(b"\n", b",\n")
        return orjson.dumps(ending.facts())[:-1] + b',"items":[' + rows + b"]}"
    made = writer(form, table.schema)
    pieces = (made.piece(piece) for piece in small(table, form))
    return b"".join([made.begin(), *pieces, made.end(ending)])
