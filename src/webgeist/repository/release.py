"""A published version of a repository, pinned as long as it is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webgeist.errors import NotFoundError
from webgeist.repository.schema import KINDS, stack
from webgeist.repository.stored import reading, rows_of, stored_capture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from webgeist.capture.model import Capture
    from webgeist.repository.layout import Layout
    from webgeist.repository.locks import Pin
    from webgeist.repository.manifest import Manifest, TableFile


@dataclass
class Release:
    """One published version of a repository. It never changes, and stays while it is open.

    Use it as a context manager, or let it go: nothing has to be closed for correctness.
    """

    layout: Layout
    manifest: Manifest
    _pin: Pin
    _footers: dict[str, pq.FileMetaData] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.manifest.release

    def __len__(self) -> int:
        return self.manifest.captures

    def __repr__(self) -> str:
        return f"<Release {self.number}: {len(self)} captures, {self.manifest.time:%Y-%m-%d %H:%M}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._pin.release()

    # --- tables --------------------------------------------------------------------------------

    def tables(self) -> list[str]:
        return list(self.manifest.tables)

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        captures: Iterable[str] | None = None,
    ) -> pa.Table:
        """A table of all captures, or of some; a capture's rows stand together, in page order."""
        found = list(self.stream(name, columns, captures))
        if found:
            return stack(found)
        types = self.columns(name)
        return pa.schema([(column, types[column]) for column in columns or types]).empty_table()

    def stream(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        captures: Iterable[str] | None = None,
    ) -> Iterator[pa.Table]:
        """The same in pieces, a row group each: no more than one is in memory."""
        wanted = None if captures is None else sorted(set(captures))
        types = self.columns(name)
        for column in columns or ():
            if column not in types:
                raise NotFoundError(f"table {name} has no column {column}")
        for file in self._files(name):
            for number, group in enumerate(file.row_groups):
                chosen = _between(wanted, group.first, group.last)
                if chosen is None or chosen:
                    table = self._read_group(file, number, columns, chosen)
                    yield table if columns is None else _filled(table, columns, types)

    def columns(self, name: str) -> dict[str, pa.DataType]:
        """The columns of a table. Not every file has all longhands: two Chromiums differ."""
        found = {field.name: field.type for field in KINDS[name].schema} if name in KINDS else {}
        for file in self._files(name):
            schema = self._open(file).schema_arrow
            found |= {field.name: field.type for field in schema}
        return found

    def _read_group(
        self,
        file: TableFile,
        group: int,
        columns: Sequence[str] | None,
        captures: Sequence[str] | None,
    ) -> pa.Table:
        opened = self._open(file)
        asked = columns if columns is None else [*columns, "capture"]
        with reading(self.layout.table_file(file.file)):
            have = opened.schema_arrow.names
            table = opened.read_row_group(
                group, [name for name in have if asked is None or name in asked]
            ).replace_schema_metadata()
            if captures is None:
                return table
            ids = table.column("capture").cast(pa.string())
            return table.filter(pc.is_in(ids, pa.array(captures, pa.string())))

    def _files(self, name: str) -> Sequence[TableFile]:
        if name not in self.manifest.tables:
            known = ", ".join(self.manifest.tables)
            raise NotFoundError(f"release {self.number} has no table {name}", remedy=known)
        return self.manifest.tables[name].files

    def _open(self, file: TableFile) -> pq.ParquetFile:
        path = self.layout.table_file(file.file)
        with reading(path):
            opened = pq.ParquetFile(path, metadata=self._footers.get(file.file), memory_map=True)
        self._footers[file.file] = opened.metadata
        return opened

    def rows(self, name: str, capture: str) -> pa.Table:
        """A capture's rows of a table, all columns."""
        for file in self._files(name):
            if groups := file.groups_with(capture):
                opened = self._open(file)
                with reading(self.layout.table_file(file.file)):
                    found = rows_of(capture, opened.read_row_groups(groups))
                if found.num_rows:
                    return found
        return self.table(name, captures=())

    # --- captures ------------------------------------------------------------------------------

    def captures(self, url: str | None = None, *, until: datetime | None = None) -> pa.Table:
        """The table of captures, sorted by time: all, or those of one URL, up to a time.

        Without the column `info`, which is large.
        """
        columns = [name for name in KINDS["captures"].schema.names if name != "info"]
        table = self.table("captures", columns).sort_by("capture")
        if url is not None:
            same = pc.equal(table.column("url"), url)
            table = table.filter(pc.or_(same, pc.equal(table.column("requested_url"), url)))
        if until is not None:
            table = table.filter(pc.less_equal(table.column("time"), pa.scalar(until)))
        return table

    def capture(self, id_: str) -> Capture:
        """The capture with this id."""
        found = stored_capture(self, id_)
        if found is None:
            raise NotFoundError(f"release {self.number} has no capture {id_}")
        return found

    def latest(self, url: str, *, until: datetime | None = None) -> Capture:
        """The last capture of a URL, or the last one up to a time."""
        ids: list[str] = self.captures(url, until=until).column("capture").to_pylist()
        if not ids:
            raise NotFoundError(f"release {self.number} has no capture of {url}")
        return self.capture(ids[-1])

    def __iter__(self) -> Iterator[Capture]:
        for id_ in sorted(self.table("captures", ["capture"]).column("capture").to_pylist()):
            yield self.capture(id_)


def _between(ids: Sequence[str] | None, first: str, last: str) -> list[str] | None:
    return None if ids is None else [id_ for id_ in ids if first <= id_ <= last]


def _filled(table: pa.Table, columns: Sequence[str], types: dict[str, pa.DataType]) -> pa.Table:
    """The columns in the order asked for, null where the table has none."""
    have = set(table.column_names)
    return pa.table(
        [
            table.column(name) if name in have else pa.nulls(table.num_rows, types[name])
            for name in columns
        ],
        names=list(columns),
    )
