"""The forms in which a table leaves: Parquet, JSON lines and CSV, each written piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from webgeist.repository.export.csvtext import csv_header, csv_lines
from webgeist.repository.export.jsontext import json_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ROWS = 8_192  # lines made at once


def write_parquet(target: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """All rows, a row group for each table. How many there were."""
    rows = 0
    with pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for table in tables:
            writer.write_table(table.cast(schema), row_group_size=max(1, table.num_rows))
            rows += table.num_rows
    return rows


def write_jsonl(target: BinaryIO, _schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """An object per line."""
    return _write_lines(target, tables, json_lines)


def write_csv(target: BinaryIO, schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """A line of names, and one per row."""
    target.write(csv_header(schema.names).encode())
    return _write_lines(target, tables, csv_lines)


FORMATS: dict[str, Callable[[BinaryIO, pa.Schema, Iterable[pa.Table]], int]] = {
    "parquet": write_parquet,
    "jsonl": write_jsonl,
    "csv": write_csv,
}


def _write_lines(
    target: BinaryIO, tables: Iterable[pa.Table], lines: Callable[[pa.Table], pa.Array]
) -> int:
    rows = 0
    for table in _small(tables):
        _, _, texts = lines(table).buffers()  # which stand behind each other
        target.write(texts)
        rows += table.num_rows
    return rows


def _small(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    for table in tables:
        for start in range(0, table.num_rows, _ROWS):
            yield table.slice(start, _ROWS)
