"""Batches on the disk: a folder of Parquet files and batch.json, complete or absent."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
from pydantic import TypeAdapter, ValidationError

import webgeist
from webgeist.errors import DamagedError, writing
from webgeist.repository import transposed
from webgeist.repository.schema import KINDS
from webgeist.repository.stored import reading
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.schema import TableKind

FORMAT = 1
FILE = "batch.json"


@dataclass(frozen=True)
class StagedFile:
    """One table of a batch."""

    schema: int
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class BatchFile:
    """What batch.json says: enough to check the batch, and to know it without state.db."""

    format: int
    webgeist: str
    batch: str
    time: datetime
    captures: tuple[str, ...]
    archive_files: dict[str, int]
    tables: dict[str, StagedFile]

    def rows(self, name: str) -> int:
        """Of a table; none where the batch is older than the table."""
        return self.tables[name].rows if name in self.tables else 0


_BATCH = TypeAdapter(BatchFile)


def write_batch(
    layout: Layout,
    batch: str,
    time: datetime,
    tables: Mapping[str, pa.Table],
    *,
    archive_files: Mapping[str, int],
    files: Files,
) -> str:
    """Write a batch's folder and return the digest of its batch.json. A failure leaves none."""
    captures: tuple[str, ...] = tuple(tables["captures"].column("capture").to_pylist())
    folder, unfinished = layout.batch(batch), layout.unfinished_batch(batch)
    with writing(folder):
        try:
            files.make_folder(unfinished)
            staged = {
                name: _write_table(table_path(unfinished, name), name, table, files)
                for name, table in tables.items()
            }
            info = BatchFile(
                FORMAT, webgeist.__version__, batch, time, captures, dict(archive_files), staged
            )
            raw = _BATCH.dump_json(info, indent=1)
            write_synced(unfinished / FILE, raw, files)
            files.sync_folder(unfinished)
            files.rename(unfinished, folder)
        except OSError as error:
            remove_folder(unfinished, files, error)
            raise
        files.sync_folder(layout.staging)
    return sha256(raw).hexdigest()


def _write_table(path: Path, name: str, table: pa.Table, files: Files) -> StagedFile:
    kind = KINDS[name]
    raw = _parquet(table, kind)
    write_synced(path, raw, files)
    return StagedFile(kind.version, table.num_rows, len(raw), sha256(raw).hexdigest())


def _parquet(table: pa.Table, kind: TableKind) -> memoryview:
    buffer = io.BytesIO()
    schema = (transposed.SCHEMA if kind.open else table.schema).with_metadata(kind.metadata)
    with pq.ParquetWriter(buffer, schema, compression="zstd", write_statistics=False) as writer:
        for piece in kind.pieces(table):
            part = transposed.transpose(piece) if kind.open else piece
            writer.write_table(part, row_group_size=part.num_rows)
    return buffer.getbuffer()


def staged_tables(folder: Path, name: str) -> Iterator[pa.Table]:
    """A table of a batch, in pieces."""
    path, kind = table_path(folder, name), KINDS[name]
    with reading(path), pq.ParquetFile(path, memory_map=True) as opened:
        for group in range(opened.num_row_groups):
            table = opened.read_row_group(group)
            yield transposed.restore(table, kind.schema) if kind.open else table


def table_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.parquet"


def write_synced(path: Path, data: bytes | memoryview, files: Files) -> None:
    """Write a new file to the disk. Its folder is not synced: that is done once for all of them."""
    descriptor = files.create(path)
    try:
        left = memoryview(data)
        while left:
            left = left[files.write(descriptor, left) :]
        files.sync(descriptor)
    finally:
        os.close(descriptor)


def remove_folder(folder: Path, files: Files, error: BaseException | None = None) -> None:
    """Remove a folder of files. While an `error` is handled, failing at it is only a note to it."""
    try:
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                files.remove(path)
            folder.rmdir()
    except OSError as second:
        if error is None:
            raise
        error.add_note(f"{folder} could not be removed: {second}")


def read_batch(folder: Path) -> BatchFile:
    """What a batch says of itself. DamagedError where it cannot be read."""
    path = folder / FILE
    try:
        return parse_batch(path.read_bytes(), path)
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error


def parse_batch(raw: bytes, path: Path) -> BatchFile:
    try:
        batch = _BATCH.validate_json(raw)
    except ValidationError as error:
        raise DamagedError(f"{path} is damaged: {error.errors()[0]['msg']}") from error
    newer = [name for name, file in batch.tables.items() if file.schema > _known(name)]
    if batch.format > FORMAT or newer:
        raise NewerVersionError(path, batch.webgeist)
    return batch


def _known(name: str) -> int:
    return KINDS[name].version if name in KINDS else 0
