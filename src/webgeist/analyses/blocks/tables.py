"""The analyses `pagination` and `block_types`: what was found on each capture, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.blocks.blocktype import block_type, block_types
from webgeist.analyses.blocks.classify import classify_blocks
from webgeist.analyses.blocks.pagination import LINKS, find_pagination
from webgeist.analyses.scope import TableScope
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from webgeist.analyses.analysis import Subject
    from webgeist.page.model import Page

# `url` is the address that a link means: it links a page to the others of its list.
PAGINATION = pa.schema([LINKS.field("node"), pa.field("url", pa.string()), *list(LINKS)[1:]])
BLOCK_TYPES = pa.schema(
    [
        pa.field("node", pa.int32(), nullable=False),
        pa.field("xpath", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("score", pa.float32(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
    ]
)


def pagination(subject: Subject) -> pa.Table:
    """A row for each link to another page of the list that a capture shows."""
    page = subject.page
    rows = find_pagination(subject.capture).to_arrow().to_pylist()
    addressed = [row | {"url": _url(page, row)} for row in rows]
    return pa.Table.from_pylist(addressed, schema=PAGINATION)


def _url(page: Page, row: dict[str, Any]) -> str | None:
    href = row["href"]
    if href is None or href.strip().lower().startswith("javascript:"):
        return None
    return resolve(page.documents[int(page.document[row["node"]])].base_url, href.strip())


def found_types(subject: Subject) -> pa.Table:
    """A row for each block of a type that comes with webgeist; pagination has its own table."""
    _ = subject.page  # a capture without one has nothing to say
    names = [name for name in block_types() if name != "pagination" and block_type(name).model]
    rows = [vars(found) for name in names for found in classify_blocks(subject.capture, name)]
    return pa.Table.from_pylist(rows, schema=BLOCK_TYPES)


PAGINATION_ANALYSIS = Analysis(
    "pagination",
    "1",
    PAGINATION,
    pagination,
    TableScope("pagination", "a link to another page of the list that a capture shows"),
)
BLOCK_TYPES_ANALYSIS = Analysis(
    "block_types",
    "1",
    BLOCK_TYPES,
    found_types,
    TableScope("block_type", "a node that is a block of a type, as a search form"),
)
