"""A new release without captures whose data is lost, so that everything else can be read again."""

from __future__ import annotations

from dataclasses import replace
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
    """The captures that had rows in one of the `bad` files, or may have had."""
    lost: set[str] = set()
    for table in manifest.tables.values():
        damaged = [file for file in table.files if file.file in bad]
        near = {id_ for id_ in published if any(file.groups_with(id_) for file in damaged)}
        for file in table.files if near else ():
            if file.file not in bad:
                near -= _ids(layout.table_file(file.file))
        lost |= near
    return lost


def _ids(path: Path) -> set[str]:
    ids: set[str] = set()
    for table in released_tables(path, ["capture"]):
        ids |= set(pc.unique(table.column("capture").cast(pa.string())).to_pylist())
    return ids


def release_without(
    layout: Layout,
    state: State,
    base: Manifest,
    bad: AbstractSet[str],
    lost: AbstractSet[str],
    *,
    files: Files,
    now: datetime,
) -> int:
    """Publish what `base` has, but for the bad files and the lost captures. The new number."""
    number = base.release + 1
    tables = dict(base.tables)
    for name in KINDS:
        table = base.tables[name]
        good = [file for file in table.files if file.file not in bad]
        cut = [file for file in good if any(file.groups_with(id_) for id_ in lost)]
        kept = [file for file in good if file not in cut]
        sources = [_without(layout, file, lost) for file in cut]
        new = write_table_files(layout.tables / name, number, KINDS[name], sources, files)
        ordered = sorted([*kept, *new], key=lambda file: file.row_groups[0].first)
        tables[name] = TableFiles(table.schema, tuple(ordered))
    manifest = replace(
        base,
        release=number,
        previous=base.release,
        time=now,
        captures=tables["captures"].rows,
        batches=(),
        tables=tables,
    )
    announce(layout, state, manifest, files)
    state.forget_captures(lost)
    return number


def _without(layout: Layout, file: TableFile, lost: AbstractSet[str]) -> Source:
    path = layout.table_file(file.file)
    return Source(file.row_groups[0].first, partial(_kept_rows, path, lost))


def _kept_rows(path: Path, lost: AbstractSet[str]) -> Iterator[pa.Table]:
    unwanted = pa.array(sorted(lost), pa.string())
    for table in released_tables(path):
        ids = table.column("capture").cast(pa.string())
        kept = table.filter(pc.invert(pc.is_in(ids, unwanted)))
        if kept.num_rows:
            yield kept
