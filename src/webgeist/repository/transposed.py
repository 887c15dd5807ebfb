"""How staged style tables are stored: turned over, with a row for each longhand.

A style table has hundreds of columns and few rows, and Parquet pays for every column: turned over
it is written and read four times faster. Releases have style tables the right way round.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

SCHEMA = pa.schema(
    [
        pa.field("column", pa.string(), nullable=False),
        pa.field("values", pa.list_(pa.string()), nullable=False),
    ]
)


def transpose(table: pa.Table, frame: pa.Schema) -> pa.Table:
    """A row for each column of `table`: its name and its values as texts.

    Only the columns of `frame` can be other than texts.
    """
    names = table.column_names
    columns = _columns(table)
    for place in _framed(names, frame):
        columns[place] = columns[place].cast(pa.string())
    offsets = np.arange(len(columns) + 1, dtype=np.int32) * table.num_rows
    values = pa.ListArray.from_arrays(pa.array(offsets), pa.concat_arrays(columns))
    return pa.Table.from_arrays([pa.array(names), values], schema=SCHEMA)


def _columns(table: pa.Table) -> list[pa.Array]:
    """All columns at once: asking hundreds of them one by one takes longer than the work."""
    in_one_piece = table.column(table.num_columns - 1).num_chunks == 1
    batches = (table if in_one_piece else table.combine_chunks()).to_batches()
    columns: list[pa.Array] = batches[0].columns
    return columns


def restore(turned: pa.Table, frame: pa.Schema) -> pa.Table:
    """What was turned over; the columns of `frame` get their own types back."""
    names: list[str] = turned.column("column").to_pylist()
    values = turned.column("values").combine_chunks()
    texts, starts = values.values, values.offsets.to_numpy()
    columns = [
        texts.slice(start, end - start)
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    for place in _framed(names, frame):
        columns[place] = columns[place].cast(frame.field(names[place]).type)
    return pa.Table.from_arrays(columns, names=names)


def _framed(names: list[str], frame: pa.Schema) -> list[int]:
    known = set(frame.names)
    return [place for place, name in enumerate(names) if name in known]
