"""Captures in the order of their ids, from any of them on, without reading those before."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from webgeist.repository.schema import KINDS, stack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from webgeist.repository.manifest import TableFile
    from webgeist.repository.rowgroups import RowGroups

COLUMNS = tuple(name for name in KINDS["captures"].schema.names if name != "info")


@dataclass(frozen=True)
class Listing:
    """The captures of a release, or those of one URL or host.

    Each file is sorted, and files may overlap where captures came in late: they are read side by
    side, a row group of each at a time.
    """

    groups: RowGroups
    files: Sequence[TableFile]
    url: str | None = None
    host: str | None = None

    def after(self, capture: str, limit: int) -> pa.Table:
        """Up to `limit` rows, without the column `info`, that come after a capture ("": all)."""
        files = (self._places(file, capture) for file in self.files)
        found = islice(merge(*files, key=lambda place: place[0]), limit)
        runs = [list(run) for _, run in groupby(found, key=lambda place: id(place[2]))]
        tables = [run[0][2].take([row for _, row, _ in run]) for run in runs]
        return stack(tables) if tables else KINDS["captures"].schema.empty_table().select(COLUMNS)

    def _places(self, file: TableFile, after: str) -> Iterator[tuple[str, int, pa.Table]]:
        """The id of each wanted capture of a file, and where it is."""
        first = bisect_right(file.row_groups, after, key=lambda group: group.last)
        for number in range(first, len(file.row_groups)):
            table = self._wanted(self.groups.read(file, number, COLUMNS))
            ids = table.column("capture").to_pylist()
            for row in range(bisect_right(ids, after), len(ids)):
                yield ids[row], row, table

    def _wanted(self, table: pa.Table) -> pa.Table:
        if self.url is not None:
            same = pc.equal(table.column("url"), self.url)
            table = table.filter(pc.or_(same, pc.equal(table.column("requested_url"), self.url)))
        if self.host is not None:
            table = table.filter(pc.equal(table.column("host"), self.host))
        return table
