"""Publishing: staged batches become table files, a manifest, and with CURRENT a release.

The replacement of CURRENT is the moment of publication. Before it nothing is visible; after it
state.db only has to catch up, which the next writer does if this one dies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import webgeist
from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.checking import check_batch, check_table_file
from webgeist.repository.derived import Derived, released_tables
from webgeist.repository.files import write_atomically
from webgeist.repository.manifest import (
    FORMAT,
    Manifest,
    TableFiles,
    dump_manifest,
    parse_manifest,
)
from webgeist.repository.merge import Source
from webgeist.repository.packing import packed_tables
from webgeist.repository.plan import files_to_merge
from webgeist.repository.readers import current_number, manifest_bytes, read_manifest
from webgeist.repository.schema import KINDS
from webgeist.repository.staging import staged_tables
from webgeist.repository.state import ReleaseRecord
from webgeist.repository.tablefiles import write_table_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import TableFile
    from webgeist.repository.schema import TableKind
    from webgeist.repository.staging import BatchFile
    from webgeist.repository.state import State


def publish(layout: Layout, state: State, files: Files, now: datetime) -> int:
    """Make a release of everything that is committed, and return its number.

    What is read for it is verified, so that no damage gets a new digest. DamagedError.
    """
    before = current_number(layout)
    staged = state.staged()
    if not staged:
        if before is None:
            raise NotFoundError("there is nothing to publish", remedy="webgeist capture --repo")
        return before
    base = None if before is None else read_manifest(layout, before)
    batches = [
        check_batch(layout.batch(batch), digest, state.batch_captures(batch))
        for batch, digest in staged.items()
    ]
    number = (before or 0) + 1
    taken = [batch for batch in batches if batch.captures]
    derived, analyses = Derived(layout, number, base, files).write(state)
    manifest = Manifest(
        format=FORMAT,
        webgeist=webgeist.__version__,
        release=number,
        previous=before,
        time=now,
        captures=sum(len(batch.captures) for batch in batches) + (base.captures if base else 0),
        batches=tuple(staged),
        tables=_Tables(layout, number, base, taken, files).write() | derived,
        analyses=analyses,
    )
    announce(layout, state, manifest, files)
    return number


def announce(layout: Layout, state: State, manifest: Manifest, files: Files) -> None:
    """Make a release whose table files are written the current one."""
    raw = dump_manifest(manifest)
    write_atomically(layout.manifest(manifest.release), raw, files)
    write_atomically(layout.current, f"{manifest.release}\n".encode(), files)
    state.record_release(_record(manifest, raw), manifest.batches)


def catch_up(layout: Layout, state: State) -> None:
    """Let state.db know of a release whose publisher died before it could say so."""
    number = current_number(layout)
    if number is None or any(known.release == number for known in state.releases()):
        return
    raw = manifest_bytes(layout.manifest(number))
    manifest = parse_manifest(raw, layout.manifest(number))
    state.record_release(_record(manifest, raw), manifest.batches)


def _record(manifest: Manifest, raw: bytes) -> ReleaseRecord:
    return ReleaseRecord(
        manifest.release, manifest.time, sha256(raw).hexdigest(), raw.decode("utf-8")
    )


@dataclass(frozen=True)
class _Tables:
    """The tables of a release in the making, on the base of the one before."""

    layout: Layout
    number: int
    base: Manifest | None
    batches: Sequence[BatchFile]
    files: Files

    def write(self) -> dict[str, TableFiles]:
        before = self.base.tables if self.base else {}
        made = self.base.analyses if self.base else {}  # `Derived` has these
        others = {name: table for name, table in before.items() if name not in made}
        return others | {name: self._table(kind) for name, kind in KINDS.items()}

    def _table(self, kind: TableKind) -> TableFiles:
        """Files of the release before are kept as they are, or merged with what is new."""
        old = self.base.files_of(kind.name) if self.base else ()
        fresh = sum(_fresh_rows(kind, batch) for batch in self.batches)
        if not fresh:
            return TableFiles(kind.version, old)
        chosen = files_to_merge(fresh, [file.rows for file in old], kind.row_group)
        kept = [file for number, file in enumerate(old) if number not in chosen]
        sources = [*self._staged(kind), *(self._released(old[number]) for number in chosen)]
        folder = self.layout.tables / kind.name
        new = write_table_files(folder, self.number, kind, sources, self.files)
        made = TableFiles(kind.version, tuple(sorted([*kept, *new], key=_first_capture)))
        expected = fresh + sum(file.rows for file in old)
        if made.rows != expected:
            raise DamagedError(f"table {kind.name} got {made.rows} rows instead of {expected}")
        return made

    def _staged(self, kind: TableKind) -> Iterator[Source]:
        for batch in self.batches:
            if _fresh_rows(kind, batch):
                folder = self.layout.batch(batch.batch)
                staged = partial(staged_tables, folder, kind.name)
                tables = staged if kind.staged else partial(packed_tables, folder)
                yield Source(batch.captures[0], tables)

    def _released(self, file: TableFile) -> Source:
        path = self.layout.table_file(file.file)
        check_table_file(path, file)
        return Source(_first_capture(file), partial(released_tables, path))


def _fresh_rows(kind: TableKind, batch: BatchFile) -> int:
    """Every capture has a packed page."""
    return batch.rows(kind.name if kind.staged else "captures")


def _first_capture(file: TableFile) -> str:
    return file.row_groups[0].first
