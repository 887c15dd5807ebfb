"""The visual hierarchy as a table, and what pages are as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webgeist.analyses.analysis import Analysis

if TYPE_CHECKING:
    from webgeist.analyses.analysis import Subject

_WORD = pa.dictionary(pa.int32(), pa.string())

BLOCKS = pa.schema(
    [
        pa.field("block", pa.int32(), nullable=False),
        pa.field("node", pa.int32(), nullable=False),
        pa.field("parent", pa.int32()),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("depth", pa.int32(), nullable=False),
        pa.field("order", pa.int32(), nullable=False),
        pa.field("kind", _WORD, nullable=False),
        pa.field("x", pa.float32(), nullable=False),
        pa.field("y", pa.float32(), nullable=False),
        pa.field("width", pa.float32(), nullable=False),
        pa.field("height", pa.float32(), nullable=False),
        pa.field("also", pa.list_(pa.int32()), nullable=False),
    ]
)


def blocks(subject: Subject) -> pa.Table:
    """A row for each block, in the order of a walk through them."""
    found = subject.hierarchy
    box, count = found.box.astype(np.float32), len(found)
    columns = {
        "block": np.arange(count, dtype=np.int32),
        "node": found.node,
        "parent": pa.array(found.parent, pa.int32(), mask=found.parent < 0),
        "end": found.end,
        "depth": found.depth,
        "order": found.order,
        "kind": pa.array(map(str, found.kinds()), pa.string()).dictionary_encode(),
        "x": box[:, 0],
        "y": box[:, 1],
        "width": box[:, 2] - box[:, 0],
        "height": box[:, 3] - box[:, 1],
        "also": _grouped(found.also, count),
    }
    return pa.table(columns)


def _grouped(pairs: np.ndarray, count: int) -> pa.Array:
    """The second numbers of sorted pairs, by the first."""
    offsets = np.searchsorted(pairs[:, 0], np.arange(count + 1)).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(pairs[:, 1], pa.int32()))


BLOCKS_ANALYSIS = Analysis("blocks", "1", BLOCKS, blocks)
