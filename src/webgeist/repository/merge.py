"""Sorted tables become one sorted stream, cut into row groups. Memory holds a few row groups.

Sources are sorted by capture, and no capture has rows in two of them. So whole row groups pass
through as they are, and are cut only where sources overlap.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.errors import DamagedError
from webgeist.repository.schema import MOST_BYTES, stack
from webgeist.repository.spans import starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Source:
    """Tables to come, none of them empty, with no capture before `first`."""

    first: str
    tables: Callable[[], Iterator[pa.Table]]


class _Head(NamedTuple):
    """What comes next from a source. One that is not opened yet goes before its equals."""

    first: str
    opened: bool
    number: int
    table: pa.Table | None
    rest: Iterator[pa.Table]


def merged(sources: Iterable[Source]) -> Iterator[pa.Table]:
    """All rows of all sources, sorted by capture. A source is opened when its turn comes."""
    heap = [
        _Head(source.first, opened=False, number=number, table=None, rest=source.tables())
        for number, source in enumerate(sources)
    ]
    heapq.heapify(heap)
    while heap:
        head = heapq.heappop(heap)
        if head.table is None:
            _push(heap, head, next(head.rest, None))
            continue
        ready = _rows_before(head.table, heap[0].first) if heap else head.table.num_rows
        if not ready:
            raise DamagedError(f"the rows of capture {head.first} stand in two files")
        yield head.table.slice(0, ready)
        if ready < head.table.num_rows:
            _push(heap, head, head.table.slice(ready))
        else:
            _push(heap, head, next(head.rest, None))


def _push(heap: list[_Head], head: _Head, table: pa.Table | None) -> None:
    if table is not None:
        heapq.heappush(heap, _Head(first_capture(table), True, head.number, table, head.rest))


def first_capture(table: pa.Table) -> str:
    first: str = table.column("capture")[0].as_py()
    return first


def last_capture(table: pa.Table) -> str:
    last: str = table.column("capture")[table.num_rows - 1].as_py()
    return last


def _rows_before(table: pa.Table, capture: str) -> int:
    if last_capture(table) < capture:
        return int(table.num_rows)
    ids = table.column("capture").cast(pa.string())
    return int(pc.sum(pc.less(ids, capture)).as_py() or 0)


def row_groups(
    tables: Iterable[pa.Table],
    rows: int,
    prepare: Callable[[pa.Table], pa.Table],
    measure: Callable[[pa.Table], int] = lambda _: 0,
    most_bytes: int | None = None,
) -> Iterator[pa.Table]:
    """The stream cut into tables of about `rows` rows, each with one dictionary per column.

    If they are large, as `measure` tells, then of fewer. A capture's rows are never divided: what
    is larger is one row group of its own. `prepare` is applied to long runs of rows, which is
    quicker than to each source's.
    """
    limit = most_bytes or MOST_BYTES
    held: list[pa.Table] = []
    count = size = 0
    for table in tables:
        held.append(table)
        count += table.num_rows
        size += measure(table)
        most = rows if size <= limit else min(rows, count * limit // size)
        if count > most:
            whole = _joined(held, prepare)
            cuts = _cuts(starts(whole), count, most)
            for start, end in pairwise([0, *cuts]):
                yield dense(whole.slice(start, end - start))
            done = cuts[-1] if cuts else 0
            held, count = [whole.slice(done)], count - done
            size = measure(held[0])
    if count:
        yield dense(_joined(held, prepare))


def _cuts(beginnings: NDArray[np.intp], count: int, rows: int) -> list[int]:
    """Where to cut `count` rows so that pieces have `rows` at most, or one capture."""
    cuts: list[int] = []
    done = 0
    while count - done > rows:
        fitting = beginnings[(beginnings > done) & (beginnings <= done + rows)]
        beyond = beginnings[beginnings > done]
        if not len(beyond):
            break
        done = int(fitting[-1] if len(fitting) else beyond[0])
        cuts.append(done)
    return cuts


def _joined(tables: list[pa.Table], prepare: Callable[[pa.Table], pa.Table]) -> pa.Table:
    """One table; runs of the same columns are put together first, which is quick."""
    runs = groupby(tables, key=lambda table: table.schema)
    return stack(prepare(pa.concat_tables(run)) for _, run in runs)


def encoded(table: pa.Table) -> pa.Table:
    """Texts as numbers of a dictionary: how the style tables are kept."""
    columns = [
        column.combine_chunks().dictionary_encode() if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    return pa.Table.from_arrays(columns, names=table.column_names)


def dense(table: pa.Table) -> pa.Table:
    """The table in one piece, with dictionaries that hold no more than is used."""
    whole = table.unify_dictionaries().combine_chunks()
    columns = [
        _used(column.combine_chunks()) if pa.types.is_dictionary(column.type) else column
        for column in whole.columns
    ]
    return pa.Table.from_arrays(columns, schema=whole.schema)


def _used(array: pa.DictionaryArray) -> pa.DictionaryArray:
    numbers = array.indices.fill_null(0).to_numpy(zero_copy_only=False)
    if not len(array.dictionary):
        return array
    used = np.zeros(len(array.dictionary), bool)
    used[numbers] = True
    if used.all():
        return array
    places = (np.cumsum(used) - 1).astype(np.int32)[numbers]
    missing = array.indices.is_null().to_numpy(zero_copy_only=False)
    return pa.DictionaryArray.from_arrays(
        pa.array(places, mask=missing), array.dictionary.filter(pa.array(used))
    )
