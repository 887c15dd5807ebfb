"""The tables of a repository: columns, versions and row groups. docs/repository.md tells each.

All but `captures` begin with the column `capture`; every file is sorted by it, and a capture's rows
stand together in the order of the page. The style tables have as many columns as Chromium has
longhands, so only their frame is fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.capture.requests import REQUESTS
from webgeist.page.schema import LINKS, NODES, style_schema
from webgeist.repository.packed import PACKED_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ID = pa.dictionary(pa.int32(), pa.string())
_WORD = pa.dictionary(pa.int32(), pa.string())
_TIME = pa.timestamp("us", "UTC")
_CAPTURE = pa.field("capture", ID, nullable=False)
_TILE = pa.struct(
    [
        *(pa.field(name, pa.int32()) for name in ("x", "y", "width", "height")),
        pa.field("file", pa.string()),
    ]
)
_PLACE = pa.struct(
    [
        pa.field("file", pa.string()),
        pa.field("offset", pa.int64()),
        pa.field("length", pa.int64()),
    ]
)

CAPTURES = pa.schema(
    [
        pa.field("capture", pa.string(), nullable=False),
        pa.field("requested_url", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("host", pa.string(), nullable=False),
        pa.field("time", _TIME, nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("status", pa.int16()),
        pa.field("mime_type", pa.string()),
        pa.field("viewport", pa.string(), nullable=False),
        pa.field("viewport_width", pa.int32(), nullable=False),
        pa.field("viewport_height", pa.int32(), nullable=False),
        pa.field("viewport_scale", pa.float32(), nullable=False),
        pa.field("viewport_mobile", pa.bool_(), nullable=False),
        pa.field("clock", _TIME),
        pa.field("settled", pa.bool_()),
        pa.field("settled_reason", pa.string()),
        pa.field("title", pa.string()),
        pa.field("language", pa.string()),
        pa.field("canonical", pa.string()),
        pa.field("visit", pa.string()),
        pa.field("robots_ignored", pa.bool_(), nullable=False),
        pa.field("nodes", pa.int32(), nullable=False),
        pa.field("screenshot_width", pa.int32()),
        pa.field("screenshot_height", pa.int32()),
        pa.field("screenshot_cut", pa.bool_()),
        pa.field("tiles", pa.list_(_TILE), nullable=False),
        pa.field("thumbnail", pa.string()),
        pa.field("info", pa.string(), nullable=False),
    ]
)

RESOURCES = pa.schema(
    [
        _CAPTURE,
        pa.field("exchange", pa.int32(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("method", _WORD, nullable=False),
        pa.field("status", pa.int16()),
        pa.field("started", _TIME, nullable=False),
        pa.field("seconds", pa.float32(), nullable=False),
        pa.field("sha256", pa.string()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("truncated", pa.string()),
        pa.field("error", pa.string()),
        pa.field("refused", pa.string()),
        pa.field("address", pa.string()),
        pa.field("tls_problem", pa.string()),
        pa.field("revisit", pa.bool_(), nullable=False),
        pa.field("answer", _PLACE),
        pa.field("request", _PLACE, nullable=False),
        pa.field("notes", _PLACE, nullable=False),
    ]
)


MOST_BYTES = 256 << 20  # of a row group: pyarrow reads no column of texts with more than 2 GB


@dataclass(frozen=True)
class TableKind:
    """What is fixed for a table of this name. `open` ones may have any further columns of text.

    Those that are not `staged` are made from the others with publishing, so nothing is lost with
    them. `blobs` are columns of large values, which are compressed a row group at a time.
    """

    name: str
    version: int
    row_group: int
    schema: pa.Schema
    open: bool = False
    staged: bool = True
    blobs: tuple[str, ...] = ()
    most_bytes: int | None = None  # of a row group, where `MOST_BYTES` would be too many

    @property
    def metadata(self) -> dict[str, str]:
        """What each of its Parquet files says of itself."""
        return {"webgeist.table": self.name, "webgeist.schema": str(self.version)}

    def pieces(self, table: pa.Table) -> Iterator[pa.Table]:
        """The table in pieces that each can be a row group: by rows, and by bytes."""
        for start in range(0, table.num_rows, self.row_group):
            yield from self._halved(table.slice(start, self.row_group))

    def _halved(self, table: pa.Table) -> Iterator[pa.Table]:
        if self.measure(table) <= (self.most_bytes or MOST_BYTES) or table.num_rows == 1:
            yield table
            return
        middle = table.num_rows // 2
        yield from self._halved(table.slice(0, middle))
        yield from self._halved(table.slice(middle))

    def measure(self, table: pa.Table) -> int:
        """Bytes in memory; 0 for open tables, whose hundreds of columns take too long to ask.

        Those have few rows, and a snapshot's limit bounds each page's.
        """
        return 0 if self.open else int(table.nbytes)


def _with_capture(schema: pa.Schema) -> pa.Schema:
    return pa.schema([_CAPTURE, *schema])


_ROWS = 100_000
# These rows are wide (hundreds of longhands, whole capture.json files): smaller row groups make
# single pages quick to fetch.
_STYLE_ROWS = 8_192
_CAPTURE_ROWS = 2_048
# A packed page is fetched by reading its row group: few pages, and few bytes where they are large.
_PACKED_ROWS, _PACKED_BYTES = 32, 2 << 20

KINDS: dict[str, TableKind] = {
    kind.name: kind
    for kind in (
        TableKind("captures", 1, _CAPTURE_ROWS, CAPTURES),
        TableKind("nodes", 1, _ROWS, _with_capture(NODES)),
        TableKind("styles_inherited", 1, _STYLE_ROWS, _with_capture(style_schema(())), open=True),
        TableKind("styles_own", 1, _STYLE_ROWS, _with_capture(style_schema(())), open=True),
        TableKind("links", 1, _ROWS, _with_capture(LINKS)),
        TableKind("requests", 1, _ROWS, _with_capture(REQUESTS)),
        TableKind("resources", 1, _ROWS, RESOURCES),
        TableKind(
            "packed_pages",
            1,
            _PACKED_ROWS,
            PACKED_PAGES,
            staged=False,
            blobs=("page",),
            most_bytes=_PACKED_BYTES,
        ),
    )
}

STAGED: dict[str, TableKind] = {name: kind for name, kind in KINDS.items() if kind.staged}


_DERIVED_ROWS = 32_768
_VECTOR_ROWS = 4_096  # of hundreds of numbers each


def derived_kind(name: str, schema: pa.Schema) -> TableKind:
    """How a table that an analysis made is kept in releases."""
    vectors = tuple(field.name for field in schema if pa.types.is_fixed_size_list(field.type))
    return TableKind(name, 1, _VECTOR_ROWS if vectors else _DERIVED_ROWS, schema, blobs=vectors)


def nullable(table: pa.Table) -> pa.Table:
    """The same table with no column promised to be full: two Chromiums differ in columns."""
    schema = pa.schema([field.with_nullable(True) for field in table.schema])
    return pa.Table.from_arrays(table.columns, schema=schema)


def stack(tables: Iterable[pa.Table]) -> pa.Table:
    """Tables of one kind below each other; a column that one lacks is null there."""
    listed = [table.replace_schema_metadata() for table in tables]
    first = listed[0].schema
    if all(table.schema.equals(first) for table in listed[1:]):
        return pa.concat_tables(listed)
    return pa.concat_tables(map(nullable, listed), promote_options="default")
