"""What a release is: the files of each table, and which captures each of their row groups holds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from webgeist.errors import DamagedError
from webgeist.repository.schema import KINDS
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT = 1
_MOST_DIGITS = 12  # of a release's number


@dataclass(frozen=True)
class RowGroup:
    """The first and last capture with rows in it; those of one may go on in the next group."""

    first: str
    last: str
    rows: int


@dataclass(frozen=True)
class TableFile:
    """One Parquet file; `file` is its path below tables/. It never changes."""

    file: str
    rows: int
    bytes: int
    sha256: str
    row_groups: tuple[RowGroup, ...]

    def groups_with(self, capture: str) -> list[int]:
        """The numbers of the row groups that may hold rows of a capture: neighbours, or none."""
        end = bisect_right(self.row_groups, capture, key=lambda group: group.first)
        start = bisect_left(self.row_groups, capture, 0, end, key=lambda group: group.last)
        return list(range(start, end))


@dataclass(frozen=True)
class TableFiles:
    """A table of a release: its schema's version and its files."""

    schema: int
    files: tuple[TableFile, ...]

    @property
    def rows(self) -> int:
        return sum(file.rows for file in self.files)


@dataclass(frozen=True)
class Manifest:
    """A release. `batches` are those that the `previous` one did not have."""

    format: int
    webgeist: str
    release: int
    previous: int | None
    time: datetime
    captures: int
    batches: tuple[str, ...]
    tables: dict[str, TableFiles]
    analyses: dict[str, str] = field(default_factory=dict)  # the version of each one's table

    def files(self) -> Iterator[TableFile]:
        for table in self.tables.values():
            yield from table.files

    def files_of(self, name: str) -> tuple[TableFile, ...]:
        """The files of a table; none where the release is older than the table."""
        return self.tables[name].files if name in self.tables else ()


_MANIFEST = TypeAdapter(Manifest)


def dump_manifest(manifest: Manifest) -> bytes:
    return _MANIFEST.dump_json(manifest, indent=1)


def parse_manifest(raw: bytes, path: Path) -> Manifest:
    """The manifest. DamagedError where it is none, or of a newer webgeist."""
    try:
        manifest = _MANIFEST.validate_json(raw)
    except ValidationError as error:
        raise DamagedError(
            f"{path} is damaged: {error.errors()[0]['msg']}", remedy="webgeist check --repair"
        ) from error
    known = {name: kind.version for name, kind in KINDS.items()}
    newer = [name for name, table in manifest.tables.items() if table.schema > known.get(name, 1)]
    if manifest.format > FORMAT or newer:
        raise NewerVersionError(f"table {newer[0]}" if newer else path, manifest.webgeist)
    return manifest


def parse_current(raw: bytes, path: Path) -> int:
    """The number in CURRENT."""
    text = raw.strip()
    if not text.isdigit() or len(text) > _MOST_DIGITS or int(text) < 1:
        raise DamagedError(f"{path} holds no release number", remedy="webgeist check --repair")
    return int(text)
