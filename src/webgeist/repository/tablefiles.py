"""Writes the files that releases point to: sorted, in row groups, hashed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from webgeist.repository.files import write_atomically
from webgeist.repository.hashing import Hashing
from webgeist.repository.manifest import RowGroup, TableFile
from webgeist.repository.merge import encoded, first_capture, last_capture, merged, row_groups
from webgeist.repository.plan import FULL
from webgeist.repository.schema import MOST_BYTES
from webgeist.repository.typed import with_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.merge import Source
    from webgeist.repository.schema import TableKind

_BLOB_LEVEL = 3  # of zstd: 6 would save a tenth of the bytes and take three times as long


@dataclass
class _Stream:
    """Row groups to be written, one looked at in advance, and all columns seen so far."""

    groups: Iterator[pa.Table]
    head: pa.Table | None = field(init=False)
    schema: pa.Schema = field(init=False, default_factory=lambda: pa.schema([]))

    def __post_init__(self) -> None:
        self.head = next(self.groups, None)

    def fits(self, schema: pa.Schema) -> bool:
        """Whether the next row group has no column that a file of this schema lacks."""
        return self.head is not None and set(self.head.column_names) <= set(schema.names)

    def take(self) -> pa.Table:
        taken, self.head = self.head, next(self.groups, None)
        return taken


def write_table_files(
    folder: Path, release: int, kind: TableKind, sources: Iterable[Source], files: Files
) -> list[TableFile]:
    """The rows of all sources as new files in `folder`. A capture is never divided."""
    prepare = _finished_styles if kind.open else _as_it_is
    tables = (bare(table) for table in merged(sources))
    groups = row_groups(tables, kind.row_group, prepare, kind.measure, kind.most_bytes)
    stream = _Stream(groups)
    written: list[TableFile] = []
    while stream.head is not None:
        path = folder / f"{release:08d}-{len(written)}.parquet"
        written.append(_write_file(path, kind, stream, files))
    return written


def _as_it_is(table: pa.Table) -> pa.Table:
    return table


def _finished_styles(table: pa.Table) -> pa.Table:
    """Staged styles are plain texts, because they are written often; released ones have it all."""
    staged = any(pa.types.is_string(field.type) for field in table.schema)
    return encoded(with_types(table)) if staged else table


def bare(table: pa.Table) -> pa.Table:
    """The table without what Parquet notes beside its columns; any value may be missing."""
    schema = pa.schema([pa.field(field.name, field.type) for field in table.schema])
    return pa.Table.from_arrays(table.columns, schema=schema)


def _write_file(path: Path, kind: TableKind, stream: _Stream, files: Files) -> TableFile:
    """One file with the next row groups, as long as they fit in."""
    groups: list[RowGroup] = []
    result: list[Hashing] = []

    def write(target: BinaryIO) -> None:
        hashing = Hashing(target)
        groups.extend(_write_groups(hashing, kind, stream))
        result.append(hashing)

    write_atomically(path, write, files)
    rows = sum(group.rows for group in groups)
    name = f"{kind.name}/{path.name}"
    return TableFile(name, rows, result[0].size, result[0].digest, tuple(groups))


def _write_groups(target: Hashing, kind: TableKind, stream: _Stream) -> Iterator[RowGroup]:
    if stream.head is None:
        return
    stream.schema = pa.unify_schemas([stream.schema, stream.head.schema])
    schema = stream.schema.with_metadata(kind.metadata)
    with pq.ParquetWriter(
        target, schema, write_statistics=_with_statistics(kind, schema), **_compression(kind)
    ) as writer:
        rows = groups = 0
        while stream.fits(schema) and not _is_full(kind, rows, groups):
            table = _aligned(stream.take(), schema)
            writer.write_table(table, row_group_size=table.num_rows)
            rows, groups = rows + table.num_rows, groups + 1
            yield RowGroup(first_capture(table), last_capture(table), table.num_rows)


def _is_full(kind: TableKind, rows: int, groups: int) -> bool:
    """Row groups of blobs are cut by bytes, so their number says little."""
    return rows >= FULL * kind.row_group if kind.blobs else groups >= FULL


def _compression(kind: TableKind) -> dict[str, Any]:
    if not kind.blobs:
        return {"compression": "zstd"}
    return {
        "compression": "zstd",
        "compression_level": _BLOB_LEVEL,
        "use_dictionary": [name for name in kind.schema.names if name not in kind.blobs],
        "data_page_size": MOST_BYTES,  # what stands in one page is compressed together
    }


def _with_statistics(kind: TableKind, schema: pa.Schema) -> bool | list[str]:
    """For hundreds of columns of text they would be larger than what they save."""
    if kind.blobs:
        return ["capture"]
    if not kind.open:
        return True
    return [field.name for field in schema if field.name == "capture" or _is_number(field.type)]


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _aligned(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the columns of `schema`, null where it has none."""
    have = set(table.column_names)
    columns = [
        table.column(field.name) if field.name in have else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
