"""A new release without captures whose data is lost, so that everything else can be read again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webgeist.repository.manifest import TableFiles
from webgeist.repository.merge import Source
from webgeist.repository.publish import announce, released_tables
from webgeist.repository.schema import KINDS
from webgeist.repository.tablefiles import write_table_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from datetime import datetime
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest, TableFile
    from webgeist.repository.state import State


def lost_captures(
    layout: Layout, manifest: Manifest, bad: AbstractSet[str], published: AbstractSet[str]
) -> set[str]:
    """The captures that had rows in one of the `bad` files, or may have had.

    Tables that were made from captures don't count: they can be made again.
    """
    lost: set[str] = set()
    for name in KINDS:
        files = manifest.files_of(name)
        damaged = [file for file in files if file.file in bad]
        near = {id_ for id_ in published if any(file.groups_with(id_) for file in damaged)}
        for file in files if near else ():
            if file.file not in bad:
                near -= _ids(layout.table_file(file.file))
        lost |= near
    return lost


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
        tables = {
            name: TableFiles(table.schema, self._files_of(name))
            for name, table in self.base.tables.items()
        }
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
        """The table's good files; those with rows of lost captures are written anew.

        But for tables that this webgeist does not know: it cannot write them, only pass them on.
        """
        good = [file for file in self.base.files_of(name) if file.file not in self.bad]
        if name not in KINDS:
            return tuple(good)
        cut = [file for file in good if any(file.groups_with(id_) for id_ in self.lost)]
        sources = map(self._source, cut)
        folder = self.layout.tables / name
        new = write_table_files(folder, self._number, KINDS[name], sources, self.files)
        kept = [file for file in good if file not in cut]
        return tuple(sorted([*kept, *new], key=lambda file: file.row_groups[0].first))

    def _source(self, file: TableFile) -> Source:
        path = self.layout.table_file(file.file)
        return Source(file.row_groups[0].first, partial(_kept_rows, path, self.lost))


def _kept_rows(path: Path, lost: AbstractSet[str]) -> Iterator[pa.Table]:
    unwanted = pa.array(sorted(lost), pa.string())
    for table in released_tables(path):
        ids = table.column("capture").cast(pa.string())
        kept = table.filter(pc.invert(pc.is_in(ids, unwanted)))
        if kept.num_rows:
            yield kept
