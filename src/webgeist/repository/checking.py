"""Checks of single files: whether they are what was written. Pure but for reading them."""

from __future__ import annotations

from hashlib import file_digest, sha256
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from webgeist.errors import DamagedError
from webgeist.repository.archive.growing import index_path
from webgeist.repository.staging import FILE, parse_batch, table_path
from webgeist.repository.stored import reading

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.manifest import TableFile
    from webgeist.repository.staging import BatchFile


def check_bytes(path: Path, size: int, digest: str) -> None:
    """DamagedError unless the file has this size and SHA-256."""
    try:
        found = path.stat().st_size
        with path.open("rb") as file:
            actual = file_digest(file, "sha256").hexdigest() if found == size else ""
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error
    if found != size:
        raise DamagedError(f"{path} has {found:,} bytes instead of {size:,}")
    if actual != digest:
        raise DamagedError(f"{path} has other bytes than were written")


def check_table_file(path: Path, file: TableFile) -> None:
    """DamagedError unless a table file is what the manifest says."""
    check_bytes(path, file.bytes, file.sha256)
    with reading(path):
        footer = pq.read_metadata(path)
    groups = [footer.row_group(number).num_rows for number in range(footer.num_row_groups)]
    if groups != [group.rows for group in file.row_groups] or footer.num_rows != file.rows:
        raise DamagedError(f"{path} has other row groups than its manifest says")


def check_batch(folder: Path, digest: str, captures: list[str]) -> BatchFile:
    """DamagedError unless a staged batch is what was committed."""
    path = folder / FILE
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error
    batch = parse_batch(raw, path)
    if sha256(raw).hexdigest() != digest:
        raise DamagedError(f"{path} has other bytes than were committed")
    if list(batch.captures) != captures:
        raise DamagedError(f"{path} has other captures than state.db")
    for name, file in batch.tables.items():
        check_bytes(table_path(folder, name), file.bytes, file.sha256)
    return batch


def check_picture(path: Path) -> None:
    """DamagedError unless a picture's bytes are those that its name says."""
    try:
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error
    if digest != path.stem:
        raise DamagedError(f"{path} has other bytes than were written")


def check_index(warc: Path, expected: bytes) -> None:
    """DamagedError unless the index beside a WARC file says what the file holds."""
    path = index_path(warc)
    try:
        found = path.read_bytes()
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error
    if found != expected:
        raise DamagedError(f"{path} does not say what {warc.name} holds")
