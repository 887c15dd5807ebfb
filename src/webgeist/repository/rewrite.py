"""A new release without captures whose data is lost, so that everything else can be read again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webgeist.repository.derived import released_tables, rows_without
from webgeist.repository.manifest import TableFiles
from webgeist.repository.merge import Source
from webgeist.repository.publish import announce
from webgeist.repository.schema import KINDS, STAGED, derived_kind
from webgeist.repository.stored import reading
from webgeist.repository.tablefiles import write_table_files

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from datetime import datetime
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest, TableFile
    from webgeist.repository.schema import TableKind
    from webgeist.repository.state import State


def lost_captures(
    layout: Layout, manifest: Manifest, bad: AbstractSet[str], published: AbstractSet[str]
) -> set[str]:
    """The captures that had rows in one of the `bad` files, or may have had.

    Tables that were made from captures don't count: they can be made again.
    """
    lost: set[str] = set()
    for name in STAGED:
        files = manifest.files_of(name)
        damaged = [file for file in files if file.file in bad]
        near = {id_ for id_ in published if any(file.groups_with(id_) for file in damaged)}
        for file in files if near else ():
            if file.file not in bad:
                near -= _ids(layout.table_file(file.file))
        lost |= near
    return lost


def lost_results(
    manifest: Manifest, bad: AbstractSet[str], published: AbstractSet[str]
) -> dict[str, set[str]]:
    """For each analysis the captures with rows in one of the `bad` files, as far as one knows."""
    found: dict[str, set[str]] = {}
    for name in manifest.analyses:
        damaged = [file for file in manifest.files_of(name) if file.file in bad]
        near = {id_ for id_ in published if any(file.groups_with(id_) for file in damaged)}
        if near:
            found[name] = near
    return found


def _ids(path: Path) -> set[str]:
    ids: set[str] = set()
    for table in released_tables(path, ["capture"]):
        ids |= set(pc.unique(table.column("capture").cast(pa.string())).to_pylist())
    return ids


@dataclass(frozen=True)
class Rewrite:
    """A release with what another has, but for `bad` table files and `lost` captures."""

    layout: Layout
    base: Manifest
    bad: AbstractSet[str]
    lost: AbstractSet[str]
    files: Files

    def publish(self, state: State, now: datetime) -> int:
        """Make it the current release, and forget the lost captures. Its number."""
        left = {
            name: TableFiles(table.schema, self._files_of(name))
            for name, table in self.base.tables.items()
        }
        tables = {name: table for name, table in left.items() if table.files or name in KINDS}
        manifest = replace(
            self.base,
            release=self._number,
            previous=self.base.release,
            time=now,
            captures=tables["captures"].rows,
            batches=(),
            tables=tables,
        )
        announce(self.layout, state, manifest, self.files)
        state.forget_captures(self.lost)
        return self._number

    @property
    def _number(self) -> int:
        return self.base.release + 1

    def _files_of(self, name: str) -> tuple[TableFile, ...]:
        """The table's good files; those with rows of lost captures are written anew."""
        good = [file for file in self.base.files_of(name) if file.file not in self.bad]
        cut = [file for file in good if any(file.groups_with(id_) for id_ in self.lost)]
        if not cut:
            return tuple(good)
        sources = map(self._source, cut)
        folder = self.layout.tables / name
        new = write_table_files(folder, self._number, self._kind(name, cut[0]), sources, self.files)
        kept = [file for file in good if file not in cut]
        return tuple(sorted([*kept, *new], key=lambda file: file.row_groups[0].first))

    def _kind(self, name: str, file: TableFile) -> TableKind:
        path = self.layout.table_file(file.file)
        with reading(path):
            return KINDS.get(name) or derived_kind(name, pq.read_schema(path))

    def _source(self, file: TableFile) -> Source:
        path = self.layout.table_file(file.file)
        return Source(file.row_groups[0].first, partial(rows_without, path, self.lost))
