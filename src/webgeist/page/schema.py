"""The columns of a page's tables. docs/tables.md tells each one's meaning; a test compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAMES = pa.dictionary(pa.int32(), pa.string())

# Lengths are CSS pixels from the top left corner of the page, also for nodes inside frames.
NODES = pa.schema(
    [
        pa.field("node", pa.int32(), nullable=False),
        pa.field("document", pa.int16(), nullable=False),
        pa.field("parent", pa.int32()),
        pa.field("end", pa.int32(), nullable=False),
        pa.field("depth", pa.int32(), nullable=False),
        pa.field("type", pa.uint8(), nullable=False),
        pa.field("name", _NAMES, nullable=False),
        pa.field("text", pa.string()),
        pa.field("attributes", pa.map_(pa.string(), pa.string())),
        pa.field("shadow", _NAMES),
        pa.field("pseudo", _NAMES),
        pa.field("x", pa.float32()),
        pa.field("y", pa.float32()),
        pa.field("width", pa.float32()),
        pa.field("height", pa.float32()),
        pa.field("paint_order", pa.int32()),
        pa.field("stacking_context", pa.bool_(), nullable=False),
        pa.field("style_inherited", pa.int32()),
        pa.field("style_own", pa.int32()),
        pa.field("rendered_text", pa.string()),
        pa.field("value", pa.string()),
        pa.field("checked", pa.bool_(), nullable=False),
        pa.field("selected", pa.bool_(), nullable=False),
        pa.field("clickable", pa.bool_(), nullable=False),
        pa.field("source_url", pa.string()),
    ]
)

LINKS = pa.schema(
    [
        pa.field("node", pa.int32(), nullable=False),
        pa.field("href", pa.string(), nullable=False),
        pa.field("url", pa.string()),
        pa.field("text", pa.string(), nullable=False),
        pa.field("rel", pa.string()),
        pa.field("followed", pa.string()),
    ]
)


def style_schema(properties: Iterable[str]) -> pa.Schema:
    """A row per distinct style vector: its number on the page, how many nodes have it, values."""
    return pa.schema(
        [
            pa.field("style", pa.int32(), nullable=False),
            pa.field("nodes", pa.int32(), nullable=False),
            *(pa.field(name, pa.string(), nullable=False) for name in properties),
        ]
    )
