"""Publishing what analyses made: their tables follow the captures into a release.

A capture's rows in such a table may be replaced. So the files of the release before are taken over
as far as nothing in them is outdated, and written anew without the outdated rows otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webgeist.repository import results
from webgeist.repository.checking import check_table_file
from webgeist.repository.manifest import TableFiles
from webgeist.repository.merge import Source
from webgeist.repository.plan import files_to_merge
from webgeist.repository.schema import derived_kind
from webgeist.repository.staging import staged_tables
from webgeist.repository.stored import reading
from webgeist.repository.tablefiles import write_table_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest, TableFile
    from webgeist.repository.state import State


@dataclass(frozen=True)
class Derived:
    """The tables of analyses in a release that is being made."""

    layout: Layout
    number: int
    base: Manifest | None
    files: Files

    def write(self, state: State) -> tuple[dict[str, TableFiles], dict[str, str]]:
        """All such tables, and the version of each."""
        fresh = self._fresh(state)
        versions = results.versions(state)
        before = self.base.analyses if self.base else {}
        names = sorted({*before, *fresh})
        tables = {
            name: self._table(name, fresh[name], whole=before.get(name) == versions.get(name))
            for name in names
        }
        tables[results.TABLE] = self._told(state, fresh)
        with_rows = {name: table for name, table in tables.items() if table.files}
        return with_rows, {name: versions[name] for name in names}

    def _fresh(self, state: State) -> Mapping[str, dict[str, set[str]]]:
        """For each analysis the batches with new rows, and the captures that those count for."""
        found: dict[str, dict[str, set[str]]] = defaultdict(dict)
        for (batch, analysis), captures in results.staged(state).items():
            found[analysis][batch] = captures
        return found

    def _table(self, name: str, fresh: Mapping[str, set[str]], *, whole: bool) -> TableFiles:
        """`whole`: what the release before has is of the version that counts."""
        old = self._old(name) if whole else ()
        outdated = set().union(*fresh.values())
        sources = [
            Source(min(captures), partial(_staged_rows, self.layout.batch(batch), name, captures))
            for batch, captures in sorted(fresh.items())
            if (self.layout.batch(batch) / f"{name}.arrow").exists()
        ]
        return self._merged(name, old, sources, outdated)

    def _told(self, state: State, fresh: Mapping[str, Mapping[str, set[str]]]) -> TableFiles:
        """The table that says how every analysis of every capture ended."""
        touched = {c for batches in fresh.values() for some in batches.values() for c in some}
        if not touched:
            return TableFiles(1, self._old(results.TABLE))
        table = results.told(state, touched)
        source = Source(min(touched), lambda: iter([table]))
        return self._merged(results.TABLE, self._old(results.TABLE), [source], touched)

    def _old(self, name: str) -> tuple[TableFile, ...]:
        return self.base.files_of(name) if self.base else ()

    def _merged(
        self, name: str, old: tuple[TableFile, ...], sources: list[Source], outdated: set[str]
    ) -> TableFiles:
        cut = [file for file in old if any(file.groups_with(id_) for id_ in outdated)]
        good = [file for file in old if file not in cut]
        rows = [file.rows for file in good]
        schema = self._schema(sources, old)
        if schema is None:
            return TableFiles(1, ())
        kind = derived_kind(name, schema)
        chosen = [good[number] for number in files_to_merge(len(outdated), rows, kind.row_group)]
        kept = [file for file in good if file not in chosen] if sources else good
        again = [*cut, *chosen] if sources else cut
        read = [*sources, *(self._released(file, outdated) for file in again)]
        folder = self.layout.tables / name
        new = write_table_files(folder, self.number, kind, read, self.files) if read else []
        return TableFiles(1, tuple(sorted([*kept, *new], key=lambda f: f.row_groups[0].first)))

    def _schema(self, sources: list[Source], old: tuple[TableFile, ...]) -> pa.Schema | None:
        for source in sources:
            for table in source.tables():
                return table.schema
        for file in old:
            path = self.layout.table_file(file.file)
            with reading(path):
                return pq.read_schema(path)
        return None

    def _released(self, file: TableFile, outdated: AbstractSet[str]) -> Source:
        path = self.layout.table_file(file.file)
        check_table_file(path, file)
        return Source(file.row_groups[0].first, partial(rows_without, path, outdated))


def _staged_rows(folder: Path, name: str, captures: AbstractSet[str]) -> Iterator[pa.Table]:
    wanted = pa.array(sorted(captures), pa.string())
    return _chosen(staged_tables(folder, name), lambda ids: pc.is_in(ids, wanted))


def rows_without(path: Path, captures: AbstractSet[str]) -> Iterator[pa.Table]:
    """A table file, a row group at a time, but for the rows of some captures."""
    unwanted = pa.array(sorted(captures), pa.string())
    return _chosen(released_tables(path), lambda ids: pc.invert(pc.is_in(ids, unwanted)))


def _chosen(
    tables: Iterator[pa.Table], choose: Callable[[pa.ChunkedArray], pa.ChunkedArray]
) -> Iterator[pa.Table]:
    for table in tables:
        kept = table.filter(choose(table.column("capture").cast(pa.string())))
        if kept.num_rows:
            yield kept


def released_tables(path: Path, columns: list[str] | None = None) -> Iterator[pa.Table]:
    """A table file, a row group at a time."""
    with reading(path), pq.ParquetFile(path, memory_map=True) as opened:
        for group in range(opened.num_row_groups):
            yield opened.read_row_group(group, columns)
