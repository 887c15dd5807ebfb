"""A page in one piece: how a single page, or one node of it, is fetched without reading many.

The tables are made for scans: a row group holds dozens of pages, and the style tables have hundreds
of columns, each with a price. So every page is kept a second time, for fetching: one value that
holds three Arrow streams behind each other. docs/repository.md tells the form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import TypeAdapter

from webgeist.errors import DamagedError
from webgeist.page.model import Document, Page
from webgeist.page.schema import NODES, style_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PACKED_PAGES = pa.schema(
    [
        pa.field("capture", pa.string(), nullable=False),
        pa.field("documents", pa.string(), nullable=False),
        pa.field("properties_inherited", pa.string(), nullable=False),
        pa.field("properties_own", pa.string(), nullable=False),
        pa.field("page", pa.binary(), nullable=False),
    ]
)
# Node numbers become distances, which are small and alike, and so compress to half.
PACKED_NODES = pa.schema(
    [
        {"parent": pa.field("up", pa.int32()), "end": pa.field("size", pa.int32())}.get(
            field.name, field
        )
        for field in NODES
        if field.name != "node"
    ]
)
_FEW = 1 << 16
_FRAME = frozenset({"capture", *style_schema(()).names})
_DOCUMENTS = TypeAdapter(tuple[Document, ...])


def pack(
    capture: str, documents: str, nodes: pa.Table, inherited: pa.Table, own: pa.Table
) -> dict[str, Any]:
    """The row of a capture. The tables may have the column `capture`, and are those of one page."""
    halves = [_pack_styles(inherited), _pack_styles(own)]
    streams = (_stream(_pack_nodes(nodes)), *(_stream(half) for _, half in halves))
    return {
        "capture": capture,
        "documents": documents,
        "properties_inherited": orjson.dumps(halves[0][0]).decode(),
        "properties_own": orjson.dumps(halves[1][0]).decode(),
        "page": b"".join(streams),
    }


def _stream(batch: pa.RecordBatch) -> pa.Buffer:
    target = pa.BufferOutputStream()
    with pa.ipc.new_stream(target, batch.schema) as writer:
        writer.write_batch(batch)
    return target.getvalue()


def _pack_nodes(nodes: pa.Table) -> pa.RecordBatch:
    columns = [nodes.column(name).combine_chunks() for name in NODES.names]
    by_name = dict(zip(NODES.names, columns, strict=True))
    numbers = pa.array(np.arange(nodes.num_rows, dtype=np.int32))
    by_name["up"] = pc.subtract(numbers, by_name.pop("parent"))
    by_name["size"] = pc.subtract(by_name.pop("end"), numbers)
    return pa.RecordBatch.from_arrays(
        [by_name[field.name] for field in PACKED_NODES], schema=PACKED_NODES
    )


def _pack_styles(styles: pa.Table) -> tuple[list[str], pa.RecordBatch]:
    """The longhands' names, and a batch of one row: the distinct texts, and a number per value."""
    columns = _columns(styles)
    names = [
        name
        for name, column in columns.items()
        if name not in _FRAME and column.null_count < len(column)
    ]
    counts = columns.get("nodes", pa.array([], pa.int32()))
    values = pa.concat_arrays([columns[name] for name in names] or [pa.array([], pa.string())])
    encoded = values.dictionary_encode(null_encoding="encode")
    kind = pa.uint16() if len(encoded.dictionary) < _FEW else pa.int32()
    rows = [_one_list(counts), _one_list(encoded.dictionary), _one_list(encoded.indices.cast(kind))]
    return names, pa.RecordBatch.from_arrays(rows, names=["nodes", "texts", "numbers"])


def _columns(table: pa.Table) -> dict[str, pa.Array]:
    """All columns at once: asking hundreds of them one by one takes longer than the work."""
    batches = table.to_batches()
    if len(batches) > 1:
        batches = table.combine_chunks().to_batches()
    return dict(zip(table.column_names, batches[0].columns, strict=True)) if batches else {}


def _one_list(values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array([0, len(values)], pa.int32()), values)


@dataclass(frozen=True)
class PackedStyles:
    """The style vectors of one half of a page: a number for each longhand and vector."""

    properties: list[str]
    nodes: pa.Array
    texts: pa.Array
    numbers: NDArray[np.integer[Any]]

    def __len__(self) -> int:
        return len(self.nodes)

    def table(self) -> pa.Table:
        """As the page had them. All texts are looked up at once: each column is a slice."""
        rows = len(self)
        values = self.texts.take(pa.array(self.numbers.ravel()))
        columns = [values.slice(start * rows, rows) for start in range(len(self.properties))]
        styles = pa.array(np.arange(rows, dtype=np.int32))
        schema = style_schema(self.properties)
        return pa.Table.from_arrays([styles, self.nodes, *columns], schema=schema)

    def vector(self, style: int) -> dict[str, str]:
        """One vector, by its number."""
        texts: list[str] = self.texts.take(pa.array(self.numbers[:, style])).to_pylist()
        return dict(zip(self.properties, texts, strict=True))


@dataclass(frozen=True)
class PackedPage:
    """A page as it comes out of its row. The parts are made when they are asked for."""

    documents_json: str
    _nodes: pa.RecordBatch
    inherited: PackedStyles
    own: PackedStyles

    @cached_property
    def nodes(self) -> pa.Table:
        numbers = pa.array(np.arange(self._nodes.num_rows, dtype=np.int32))
        columns = dict(zip(self._nodes.schema.names, self._nodes.columns, strict=True))
        columns["node"] = numbers
        columns["parent"] = pc.subtract(numbers, columns.pop("up"))
        columns["end"] = pc.add(columns.pop("size"), numbers)
        return pa.Table.from_arrays([columns[name] for name in NODES.names], schema=NODES)

    def style(self, node: int) -> dict[str, str]:
        """All computed longhands of a node; empty where it has no layout."""
        found: dict[str, str] = {}
        for half, column in ((self.inherited, "style_inherited"), (self.own, "style_own")):
            row = self._nodes.column(column)[node].as_py()
            found |= {} if row is None else half.vector(row)
        return found

    def page(self) -> Page | None:
        """The page; None where the capture has none."""
        if not self._nodes.num_rows:
            return None
        documents = _DOCUMENTS.validate_json(self.documents_json)
        return Page(self.nodes, self.inherited.table(), self.own.table(), documents)


def unpack(row: dict[str, Any]) -> PackedPage:
    """What `pack` made a row of. DamagedError where it is none."""
    try:
        streams = pa.BufferReader(row["page"])
        names = (row["properties_inherited"], row["properties_own"])
        nodes = _batch(streams, PACKED_NODES)
        halves = [_batch(streams) for _ in names]
        styles = [
            _styles(orjson.loads(name), half) for name, half in zip(names, halves, strict=True)
        ]
    except (pa.ArrowException, ValueError, KeyError, IndexError, OSError) as error:
        raise DamagedError(
            f"the packed page of capture {row['capture']} is damaged: {error}",
            remedy="webgeist check --repair",
        ) from error
    return PackedPage(row["documents"], nodes, *styles)


def _batch(streams: pa.BufferReader, expected: pa.Schema | None = None) -> pa.RecordBatch:
    """The next stream's batch. Arrow believes what it reads, so it is validated."""
    with pa.ipc.open_stream(streams) as opened:
        batch = opened.read_next_batch()
        batch.validate(full=True)
        for _ in opened:
            raise ValueError("more than one batch")
    if expected is not None and not batch.schema.equals(expected):
        raise ValueError("other columns than expected")
    return batch


def _styles(names: Sequence[str], batch: pa.RecordBatch) -> PackedStyles:
    nodes, texts, numbers = (batch.column(name)[0].values for name in ("nodes", "texts", "numbers"))
    matrix = numbers.to_numpy().reshape(len(names), len(nodes))
    return PackedStyles(list(names), nodes, texts, matrix)
