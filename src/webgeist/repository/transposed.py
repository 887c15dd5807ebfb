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


def transpose(table: pa.Table) -> pa.Table:
    """A row for each column of `table`: its name and its values as texts."""
    columns = [_texts(column) for column in table.columns]
    offsets = np.arange(len(columns) + 1, dtype=np.int32) * table.num_rows
    values = pa.ListArray.from_arrays(pa.array(offsets), pa.concat_arrays(columns))
    return pa.Table.from_arrays([pa.array(table.column_names), values], schema=SCHEMA)


def _texts(column: pa.ChunkedArray) -> pa.Array:
    texts = column if pa.types.is_string(column.type) else column.cast(pa.string())
    return texts.combine_chunks()


def restore(turned: pa.Table, frame: pa.Schema) -> pa.Table:
    """What was turned over; the columns of `frame` get their own types back."""
    names: list[str] = turned.column("column").to_pylist()
    values = turned.column("values").combine_chunks()
    texts, starts = values.values, values.offsets.to_numpy()
    columns = [
        texts.slice(start, end - start)
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    for place, name in enumerate(names):
        if name in frame.names:
            columns[place] = columns[place].cast(frame.field(name).type)
    return pa.Table.from_arrays(columns, names=names)
