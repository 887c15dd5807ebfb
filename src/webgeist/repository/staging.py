"""Batches on the disk: a folder of Arrow files and batch.json, complete or absent.

Arrow's own files, not Parquet: they are written with every capture, read once or twice, and gone
with publishing. Parquet would cost ten times the CPU, most of it for its many small columns.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

import webgeist
from webgeist.errors import DamagedError, writing
from webgeist.repository import transposed
from webgeist.repository.results import Result
from webgeist.repository.schema import KINDS, derived_kind
from webgeist.repository.stored import reading
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.schema import TableKind

FORMAT = 1
FILE = "batch.json"
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4", use_threads=False)


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
    results: tuple[Result, ...] = ()  # of analyses; a batch has these or captures

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
    archive_files: Mapping[str, int] | None = None,
    results: Sequence[Result] = (),
    files: Files,
) -> str:
    """Write a batch's folder and return the digest of its batch.json. A failure leaves none."""
    captures: tuple[str, ...] = ()
    if "captures" in tables:
        captures = tuple(tables["captures"].column("capture").to_pylist())
    folder, unfinished = layout.batch(batch), layout.unfinished_batch(batch)
    with writing(folder):
        try:
            files.make_folder(unfinished)
            contents = {name: _arrow(table, kind_of(name, table)) for name, table in tables.items()}
            staged = {name: _described(name, tables[name], contents[name]) for name in tables}
            info = BatchFile(
                FORMAT,
                webgeist.__version__,
                batch,
                time,
                captures,
                dict(archive_files or {}),
                staged,
                tuple(results),
            )
            raw = _BATCH.dump_json(info, indent=1)
            named = {table_path(unfinished, name): data for name, data in contents.items()}
            write_synced(named | {unfinished / FILE: memoryview(raw)}, files)
            files.sync_folder(unfinished)
            files.rename(unfinished, folder)
        except OSError as error:
            remove_folder(unfinished, files, error)
            raise
        files.sync_folder(layout.staging)
    return sha256(raw).hexdigest()


def _described(name: str, table: pa.Table, content: memoryview) -> StagedFile:
    digest = sha256(content).hexdigest()
    return StagedFile(kind_of(name, table).version, table.num_rows, len(content), digest)


def _arrow(table: pa.Table, kind: TableKind) -> memoryview:
    """The table as a file; a batch in it is what a row group would be."""
    schema = (transposed.SCHEMA if kind.open else table.schema).with_metadata(kind.metadata)
    target = pa.BufferOutputStream()
    with pa.ipc.new_file(target, schema, options=_OPTIONS) as writer:
        for piece in kind.pieces(table.unify_dictionaries().combine_chunks()):
            part = transposed.transpose(piece, kind.schema) if kind.open else piece
            writer.write_table(part.replace_schema_metadata(kind.metadata))
    return memoryview(target.getvalue())


def staged_tables(folder: Path, name: str, *, known: bool = False) -> Iterator[pa.Table]:
    """A table of a batch, in pieces. Arrow believes what a file says, so each is validated.

    Unless it is `known`: read before, while nobody else writes.
    """
    path = table_path(folder, name)
    with reading(path), pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as opened:
        for number in range(opened.num_record_batches):
            yield _piece(opened, number, KINDS.get(name), known=known)


def staged_piece(folder: Path, name: str, number: int) -> pa.Table | None:
    """One of the same pieces; None behind the last."""
    path = table_path(folder, name)
    with reading(path), pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as opened:
        if number >= opened.num_record_batches:
            return None
        return _piece(opened, number, KINDS.get(name))


def _piece(
    opened: pa.ipc.RecordBatchFileReader,
    number: int,
    kind: TableKind | None,
    *,
    known: bool = False,
) -> pa.Table:
    batch = opened.get_batch(number)
    if not known:
        batch.validate(full=True)
    table = pa.Table.from_batches([batch])
    return transposed.restore(table, kind.schema) if kind and kind.open else table


def table_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.arrow"


def write_synced(contents: Mapping[Path, memoryview], files: Files) -> None:
    """Write new files to the disk. Their folder is not synced: that is done once for all of them.

    None is synced before all are written: the first sync then takes the others along.
    """
    with ExitStack() as opened:
        descriptors = []
        for path, content in contents.items():
            descriptor = files.create(path)
            opened.callback(os.close, descriptor)
            descriptors.append(descriptor)
            left = content
            while left:
                left = left[files.write(descriptor, left) :]
        for descriptor in descriptors:
            files.sync(descriptor)


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
    return KINDS[name].version if name in KINDS else 1


def kind_of(name: str, table: pa.Table) -> TableKind:
    return KINDS.get(name) or derived_kind(name, table.schema)
