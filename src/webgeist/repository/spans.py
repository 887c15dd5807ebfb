"""Which rows of a sorted table belong to which capture."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webgeist.repository.schema import stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


def spans(table: pa.Table) -> dict[str, range]:
    """The rows of each capture, in the order of the table, where they stand together."""
    if not table.num_rows:
        return {}
    column = _encoded(table)
    numbers, ids = column.indices.to_numpy(), column.dictionary
    bounds = [0, *_changes(numbers).tolist(), len(numbers)]
    return {ids[int(numbers[start])].as_py(): range(start, end) for start, end in pairwise(bounds)}


def starts(table: pa.Table) -> NDArray[np.intp]:
    """The rows where a capture begins, but the first."""
    return _changes(_encoded(table).indices.to_numpy())


def _encoded(table: pa.Table) -> pa.DictionaryArray:
    column = table.column("capture").unify_dictionaries().combine_chunks()
    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def _changes(numbers: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.flatnonzero(numbers[1:] != numbers[:-1]) + 1


def copied(table: pa.Table, rows: range) -> pa.Table:
    """Some rows, as a table of their own: a slice would keep all the others in memory."""
    return table.take(pa.array(np.arange(rows.start, rows.stop)))


def by_capture(tables: Iterable[pa.Table]) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each capture, also where they go on in the next table."""
    for capture, group in groupby(_runs(tables), key=lambda run: run[0]):
        parts = [table for _, table in group]
        yield capture, parts[0] if len(parts) == 1 else stack(parts)


def _runs(tables: Iterable[pa.Table]) -> Iterator[tuple[str, pa.Table]]:
    for table in tables:
        for capture, rows in spans(table).items():
            yield capture, table.slice(rows.start, len(rows))
