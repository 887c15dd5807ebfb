"""A table of a release in pieces, a row group each, from any row on."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webgeist.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from webgeist.repository.manifest import RowGroup, TableFile
    from webgeist.repository.rowgroups import RowGroups

_LISTED = 12  # names in an error, where none is near


def nearest(wrong: str, known: Iterable[str]) -> str:
    """What to do about a name that is not there: the one that was meant, or what there is."""
    names = list(known)
    if close := get_close_matches(wrong, names, 1):
        return f"did you mean {close[0]}?"
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"there is {', '.join(names[:_LISTED])}{more}"


@dataclass(frozen=True)
class TableStream:
    """What is wanted of a table: some columns or all, of some captures or all, in their order."""

    name: str
    groups: RowGroups
    files: Sequence[TableFile]
    types: Mapping[str, pa.DataType]
    columns: Sequence[str] | None = None
    captures: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for column in self.columns or ():
            if column not in self.types:
                remedy = nearest(column, self.types)
                raise NotFoundError(f"table {self.name} has no column {column}", remedy=remedy)

    def pieces(self, start: int = 0) -> Iterator[pa.Table]:
        """The rows from number `start` on. Row groups before it are not read.

        But for chosen captures: there the column `capture` is, to count them.
        """
        if start < 0:
            raise UsageError(f"a stream has no row {start}", remedy="start=0 is its beginning")
        left = start
        for file in self.files:
            for number, group in enumerate(file.row_groups):
                rows = self._wanted(file, number, group)
                if left < len(rows):
                    yield self._read(file, number, rows[left:])
                left = max(0, left - len(rows))

    def _wanted(
        self, file: TableFile, number: int, group: RowGroup
    ) -> range | np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The numbers of the rows in a row group that belong to the stream."""
        if self.captures is None:
            return range(group.rows)
        near = [id_ for id_ in self.captures if group.first <= id_ <= group.last]
        if not near:
            return range(0)
        places = self.groups.spans(self.name, file, number)
        found = [np.arange(places[id_].start, places[id_].stop) for id_ in near if id_ in places]
        return np.concatenate(found) if found else range(0)

    def _read(
        self,
        file: TableFile,
        number: int,
        rows: range | np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> pa.Table:
        table = self.groups.read(file, number, self.columns)
        if isinstance(rows, range):
            table = table.slice(rows.start, len(rows))
        else:
            table = table.take(pa.array(rows))
        return table if self.columns is None else _filled(table, self.columns, self.types)


def _filled(table: pa.Table, columns: Sequence[str], types: Mapping[str, pa.DataType]) -> pa.Table:
    """The columns in the order asked for, null where the table has none."""
    have = set(table.column_names)
    return pa.table(
        [
            table.column(name) if name in have else pa.nulls(table.num_rows, types[name])
            for name in columns
        ],
        names=list(columns),
    )
