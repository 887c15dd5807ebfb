"""Reads row groups of table files, and keeps the last ones: neighbours are asked for in turn."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from webgeist.repository.schema import stack
from webgeist.repository.spans import copied, spans
from webgeist.repository.stored import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pyarrow as pa

    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import TableFile

_KEPT = 2  # of each table: files may overlap, where captures came in late


@dataclass(frozen=True)
class Group:
    """A row group, or a piece of a staged table, and where each capture's rows are in it."""

    table: pa.Table
    spans: dict[str, range]

    def rows(self, capture: str) -> pa.Table:
        return copied(self.table, self.spans[capture])


@dataclass
class LastGroups:
    """The groups that were used last, a few of each table. Several threads may use it."""

    _held: dict[str, OrderedDict[object, Group]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, table: str, key: object) -> Group | None:
        with self._lock:
            groups = self._held.get(table)
            if groups is None or key not in groups:
                return None
            groups.move_to_end(key)
            return groups[key]

    def get(self, table: str, key: object, read: Callable[[], pa.Table | None]) -> Group | None:
        """The group of this key, read if it is not there; None where there is nothing to read."""
        found = self.find(table, key)
        if found is not None:
            return found
        made = read()
        if made is None or not made.num_rows:
            return None
        group = Group(made, spans(made))
        with self._lock:
            groups = self._held.setdefault(table, OrderedDict())
            groups[key] = group
            while len(groups) > _KEPT:
                groups.popitem(last=False)
        return group


class RowGroups:
    """The row groups of one release's files."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._footers: dict[str, pq.FileMetaData] = {}
        self._last = LastGroups()

    def schema(self, file: TableFile) -> pa.Schema:
        return self._open(file).schema_arrow

    def footer(self, file: TableFile) -> pq.FileMetaData:
        return self._footers.get(file.file) or self._open(file).metadata

    def read(self, file: TableFile, group: int, columns: Sequence[str] | None = None) -> pa.Table:
        """A row group, or those of `columns` that it has."""
        opened = self._open(file)
        with reading(self._layout.table_file(file.file)):
            wanted = None
            if columns is not None:
                wanted = [name for name in opened.schema_arrow.names if name in columns]
            return opened.read_row_group(group, wanted).replace_schema_metadata()

    def spans(self, table: str, file: TableFile, group: int) -> dict[str, range]:
        """Where captures are in a row group, without reading more than that."""
        held = self._last.find(table, (file.file, group))
        return held.spans if held else spans(self.read(file, group, ["capture"]))

    def rows(self, table: str, files: Iterable[TableFile], capture: str) -> pa.Table | None:
        """A capture's rows, all columns; None where it has none."""
        places = [(file, group) for file in files for group in file.groups_with(capture)]
        if len(places) > 1:  # most hold captures before and after this one
            places = [place for place in places if capture in self.spans(table, *place)]
        groups = (self._whole(table, file, number) for file, number in places)
        found = [group.rows(capture) for group in groups if group and capture in group.spans]
        return stack(found) if found else None

    def _whole(self, table: str, file: TableFile, group: int) -> Group | None:
        key = (file.file, group)
        return self._last.get(table, key, lambda: self.read(file, group))

    def _open(self, file: TableFile) -> pq.ParquetFile:
        path = self._layout.table_file(file.file)
        with reading(path):
            opened = pq.ParquetFile(path, metadata=self._footers.get(file.file), memory_map=True)
        self._footers[file.file] = opened.metadata
        return opened
