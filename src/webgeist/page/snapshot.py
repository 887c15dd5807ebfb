"""A DOM snapshot, as Chromium writes it, becomes the nodes and styles of a page.

Works on the answer to `DOMSnapshot.captureSnapshot` as bytes. Most of them are style vectors, one
list of string numbers per laid-out node, and few of those are distinct: `styles` cuts them out
before anything is decoded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.page import browser_json, styles
from webgeist.page.model import Document, Page
from webgeist.page.order import PageOrder, merge_documents
from webgeist.page.schema import NODES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[Any]
    Json = dict[str, Any]


@dataclass(frozen=True)
class _Layout:
    """What layout said of each node of one document. `entry` is its layout entry, or -1."""

    entry: Array
    box: Array
    paint_order: Array
    text: Array
    stacking: Array


def decode(raw: bytes, properties: Sequence[str]) -> Page:
    """The page in a snapshot answer that was asked for with `properties` as computed styles."""
    slim, style_rows = styles.cut(raw)
    result: Json = browser_json.loads(slim)["result"]
    documents: list[Json] = result["documents"]
    strings = pa.array(result["strings"], pa.string())
    inherited, own = styles.halves(
        [row for rows in style_rows for row in rows], properties, strings
    )
    order = merge_documents(
        [np.array(document["nodes"]["parentIndex"], np.int32) for document in documents],
        [_pairs(document["nodes"]["contentDocumentIndex"]) for document in documents],
    )
    layout = _merge([_layout(document) for document in documents], order, style_rows)
    origins = _origins(documents, order, layout, own)
    columns = _dom_columns(documents, strings, order) | _layout_columns(
        layout, strings, order, origins
    )
    columns["style_inherited"] = _taken(inherited.row_of, layout.entry)
    columns["style_own"] = _taken(own.row_of, layout.entry)
    return Page(
        nodes=pa.Table.from_arrays([columns[field.name] for field in NODES], schema=NODES),
        styles_inherited=inherited.table,
        styles_own=own.table,
        documents=_documents(documents, result["strings"], order, origins),
    )


def _pairs(sparse: Json) -> dict[int, int]:
    return dict(zip(sparse["index"], sparse["value"], strict=True))


def _layout(document: Json) -> _Layout:
    """Spread layout entries over nodes. A pseudo-element has two: its box, then its text."""
    layout, size = document["layout"], len(document["nodes"]["parentIndex"])
    index = np.array(layout["nodeIndex"], np.int32)
    nodes, first = np.unique(index, return_index=True)
    spread = _spreader(size, nodes, first)
    texts = np.array(layout["text"], np.int32)
    text = np.full(size, -1, np.int32)
    text[index[texts >= 0]] = texts[texts >= 0]
    stacking = np.zeros(len(index), bool)
    stacking[layout["stackingContexts"]["index"]] = True
    return _Layout(
        entry=spread(np.arange(len(index), dtype=np.int32), -1),
        box=spread(np.array(layout["bounds"], np.float64).reshape(-1, 4), 0),
        paint_order=spread(np.array(layout.get("paintOrders") or [0] * len(index), np.int32), 0),
        text=text,
        stacking=spread(stacking, False),
    )


def _spreader(size: int, nodes: Array, first: Array) -> Callable[[Array, Any], Array]:
    def spread(values: Array, fill: Any) -> Array:
        wide = np.full((size, *values.shape[1:]), fill, values.dtype)
        wide[nodes] = values[first]
        return wide

    return spread


def _merge(parts: list[_Layout], order: PageOrder, rows: list[list[bytes]]) -> _Layout:
    """All documents' layouts in page order; entries are numbered through."""
    starts = np.cumsum([0, *(len(part) for part in rows)])[:-1]
    entries = [
        np.where(part.entry >= 0, part.entry + start, -1)
        for part, start in zip(parts, starts, strict=True)
    ]

    def joined(arrays: list[Array]) -> Array:
        return np.concatenate(arrays)[order.order]

    return _Layout(
        entry=joined(entries).astype(np.int32),
        box=joined([part.box for part in parts]),
        paint_order=joined([part.paint_order for part in parts]),
        text=joined([part.text for part in parts]),
        stacking=joined([part.stacking for part in parts]),
    )


def _origins(documents: list[Json], order: PageOrder, layout: _Layout, own: styles.Half) -> Array:
    """Where each document's corner lies on the page: inside its frame's border and padding."""
    origins = np.zeros((len(documents), 2))
    for number in np.argsort(order.owner, kind="stable"):  # an owner stands before what it owns
        owner = int(order.owner[number])
        if owner < 0:
            continue
        document = documents[number]
        scroll = (document.get("scrollOffsetX", 0), document.get("scrollOffsetY", 0))
        inset = _inset(own, int(layout.entry[owner]))
        origins[number] = origins[order.document[owner]] + layout.box[owner, :2] + inset - scroll
    return origins


def _inset(own: styles.Half, entry: int) -> Array:
    if entry < 0 or own.row_of[entry] < 0:
        return np.zeros(2)
    return np.array(
        [
            _pixels(own.value(entry, f"border-{side}-width"))
            + _pixels(own.value(entry, f"padding-{side}"))
            for side in ("left", "top")
        ]
    )


def _pixels(length: str) -> float:
    return float(length.removesuffix("px")) if length.endswith("px") else 0.0


def _strings(strings: pa.Array, numbers: Array) -> pa.Array:
    return strings.take(pa.array(numbers, pa.int32(), mask=numbers < 0))


def _taken(values: Array, entry: Array) -> pa.Array:
    taken = np.append(values, np.int32(-1))[entry]
    return pa.array(taken, pa.int32(), mask=taken < 0)


def _layout_columns(
    layout: _Layout, strings: pa.Array, order: PageOrder, origins: Array
) -> dict[str, pa.Array]:
    absent = layout.entry < 0
    corner = layout.box[:, :2] + origins[order.document]
    box = np.column_stack([corner, layout.box[:, 2:]]).astype(np.float32)
    columns = {
        name: pa.array(np.ascontiguousarray(box[:, side]), mask=absent)
        for side, name in enumerate(("x", "y", "width", "height"))
    }
    return columns | {
        "paint_order": pa.array(layout.paint_order, mask=absent),
        "stacking_context": pa.array(layout.stacking),
        "rendered_text": _strings(strings, layout.text),
    }


def _dom_columns(documents: list[Json], strings: pa.Array, order: PageOrder) -> dict[str, pa.Array]:
    parts = [document["nodes"] for document in documents]
    sizes = [len(part["parentIndex"]) for part in parts]

    def dense(name: str) -> Array:
        return np.concatenate([np.array(part[name], np.int32) for part in parts])[order.order]

    def sparse(name: str, fill: int = -1) -> Array:
        wide = []
        for part, size in zip(parts, sizes, strict=True):
            values = np.full(size, fill, np.int32)
            values[part[name]["index"]] = part[name].get("value", 1)
            wide.append(values)
        return np.concatenate(wide)[order.order]

    value = np.maximum(sparse("inputValue"), sparse("textValue"))  # no node has both
    return {
        "node": pa.array(np.arange(len(order.order), dtype=np.int32)),
        "document": pa.array(order.document.astype(np.int16)),
        "parent": pa.array(order.parent, mask=order.parent < 0),
        "end": pa.array(order.end),
        "depth": pa.array(order.depth),
        "type": pa.array(dense("nodeType").astype(np.uint8)),
        "name": _names(_strings(strings, dense("nodeName"))),
        "text": _strings(strings, np.where(dense("nodeType") == 1, -1, dense("nodeValue"))),
        "attributes": _attributes([part["attributes"] for part in parts], strings, order),
        "shadow": _strings(strings, sparse("shadowRootType")).dictionary_encode(),
        "pseudo": _strings(strings, sparse("pseudoType")).dictionary_encode(),
        "value": _strings(strings, value),
        "checked": pa.array(sparse("inputChecked", 0).astype(bool)),
        "selected": pa.array(sparse("optionSelected", 0).astype(bool)),
        "clickable": pa.array(sparse("isClickable", 0).astype(bool)),
        "source_url": _strings(strings, sparse("currentSourceURL")),
    }


def _names(names: pa.Array) -> pa.DictionaryArray:
    """HTML's names are told in capitals; SVG's and MathML's keep their case."""
    encoded = names.dictionary_encode()
    values = [name.lower() if name.isupper() else name for name in encoded.dictionary.to_pylist()]
    unique = pa.DictionaryArray.from_arrays(encoded.indices, pa.array(values, pa.string()))
    # "A" and "a" may now both stand in the dictionary
    return unique.cast(pa.string()).dictionary_encode()


def _attributes(parts: list[list[list[int]]], strings: pa.Array, order: PageOrder) -> pa.Array:
    flat = [pairs for part in parts for pairs in part]
    lists = [flat[place] for place in order.order.tolist()]
    lengths = np.fromiter((len(pairs) // 2 for pairs in lists), np.int32, len(lists))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    numbers = np.array([number for pairs in lists for number in pairs], np.int32).reshape(-1, 2)
    keys = strings.take(pa.array(np.ascontiguousarray(numbers[:, 0])))
    values = pc.fill_null(_strings(strings, np.ascontiguousarray(numbers[:, 1])), "")
    return pa.MapArray.from_arrays(pa.array(offsets), keys, values)


def _documents(
    documents: list[Json], strings: list[str], order: PageOrder, origins: Array
) -> tuple[Document, ...]:
    def text(document: Json, name: str) -> str:
        number = document.get(name, -1)
        return strings[number] if number >= 0 else ""

    return tuple(
        Document(
            url=text(document, "documentURL"),
            base_url=text(document, "baseURL"),
            title=text(document, "title"),
            language=text(document, "contentLanguage"),
            encoding=text(document, "encodingName"),
            owner=int(order.owner[number]) if order.owner[number] >= 0 else None,
            x=float(origins[number, 0]),
            y=float(origins[number, 1]),
            width=float(document.get("contentWidth", 0)),
            height=float(document.get("contentHeight", 0)),
        )
        for number, document in enumerate(documents)
    )
