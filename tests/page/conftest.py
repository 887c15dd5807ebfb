"""Snapshot answers and pages made by hand, for what no browser says on demand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from webgeist.page.model import Document, Page
from webgeist.page.order import merge_documents
from webgeist.page.schema import NODES, style_schema

PROPERTIES = ("color", "border-left-width", "border-top-width", "padding-left", "padding-top")
PLAIN = ("black", "0px", "0px", "0px", "0px")

_TYPES = {"#document": 9, "#text": 3, "#comment": 8, "#document-fragment": 11}
_SPARSE = (
    *("shadowRootType", "pseudoType", "inputValue", "textValue", "currentSourceURL"),
    "contentDocumentIndex",
)
_FLAGS = ("inputChecked", "optionSelected", "isClickable")


def _type(name: str) -> int:
    return _TYPES.get(name, 1)


@dataclass
class HandMade:
    """A snapshot in the making: documents are added, then nodes and layout to each of them."""

    strings: list[str] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)

    def string(self, text: str) -> int:
        """The number of a text; an empty one has none, as with Chromium."""
        if not text:
            return -1
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def document(self, url: str = "http://example.org/", **facts: float) -> int:
        """Add a document that has its root node only."""
        sparse: dict[str, Any] = {name: {"index": [], "value": []} for name in _SPARSE}
        nodes: dict[str, Any] = {"parentIndex": [], "nodeType": [], "nodeName": []}
        nodes |= {"nodeValue": [], "attributes": []} | sparse
        nodes |= {name: {"index": []} for name in _FLAGS}
        layout: dict[str, Any] = {"nodeIndex": [], "styles": [], "bounds": [], "text": []}
        layout |= {"stackingContexts": {"index": []}, "paintOrders": []}
        named = {name: self.string(url) for name in ("documentURL", "baseURL")}
        named |= dict.fromkeys(("title", "contentLanguage", "encodingName"), -1)
        self.documents.append({**named, "nodes": nodes, "layout": layout, **facts})
        self.node("#document", -1)
        return len(self.documents) - 1

    def node(
        self, name: str, parent: int = 0, text: str = "", attributes: dict[str, str] | None = None
    ) -> int:
        """Add a node to the last document. Nodes must come in document order."""
        nodes = self.documents[-1]["nodes"]
        nodes["parentIndex"].append(parent)
        nodes["nodeType"].append(_type(name))
        nodes["nodeName"].append(self.string(name))
        nodes["nodeValue"].append(self.string(text))
        pairs = (attributes or {}).items()
        nodes["attributes"].append([self.string(part) for pair in pairs for part in pair])
        return len(nodes["parentIndex"]) - 1

    def mark(self, name: str, node: int, value: str | None = None) -> None:
        """Set one of the sparse facts of a node of the last document."""
        fact = self.documents[-1]["nodes"][name]
        fact["index"].append(node)
        if value is not None:
            fact["value"].append(self.string(value))

    def lay_out(
        self,
        node: int,
        box: tuple[float, float, float, float],
        style: tuple[str, ...] | None = PLAIN,
        text: str = "",
    ) -> None:
        """Add a layout entry to the last document. A style of None is an empty vector."""
        layout = self.documents[-1]["layout"]
        layout["nodeIndex"].append(node)
        layout["styles"].append([self.string(value) for value in style or ()])
        layout["bounds"].append(box)
        layout["text"].append(self.string(text))
        layout["paintOrders"].append(len(layout["paintOrders"]) + 1)

    def show(self, frame: int, document: int, child: int) -> None:
        """Let the node `frame` of `document` show the document `child`."""
        shown = self.documents[document]["nodes"]["contentDocumentIndex"]
        shown["index"].append(frame)
        shown["value"].append(child)

    def raw(self) -> bytes:
        """The answer as Chromium would write it."""
        result = {"documents": self.documents, "strings": self.strings}
        return json.dumps({"id": 1, "result": result}, separators=(",", ":")).encode()


@pytest.fixture
def hand_made() -> HandMade:
    return HandMade()


Tree = tuple[str, "list[Tree]"]  # a name (or "=text") and what is below


def page_of(tree: Tree) -> Page:
    """A page of one document with this tree and no layout."""
    names: list[str] = []
    texts: list[str | None] = []
    parents: list[int] = []

    def add(branch: Tree, parent: int) -> None:
        name, below = branch
        number = len(names)
        parents.append(parent)
        names.append("#text" if name.startswith("=") else name)
        texts.append(name[1:] if name.startswith("=") else None)
        for child in below:
            add(child, number)

    add(tree, -1)
    return Page(_nodes(names, texts, parents), _no_styles(), _no_styles(), (_document(),))


def _nodes(names: list[str], texts: list[str | None], parents: list[int]) -> pa.Table:
    order = merge_documents([np.array(parents, np.int32)], [{}])
    rows: list[dict[str, Any]] = [
        {
            "node": node,
            "document": 0,
            "parent": parent if parent >= 0 else None,
            "end": int(order.end[node]),
            "depth": int(order.depth[node]),
            "type": _type(names[node]),
            "name": names[node],
            "text": texts[node],
            "attributes": [],
        }
        | dict.fromkeys(("stacking_context", "checked", "selected", "clickable"), False)
        for node, parent in enumerate(parents)
    ]
    return pa.Table.from_pylist(rows, schema=NODES)


def _no_styles() -> pa.Table:
    return style_schema(()).empty_table()


def _document() -> Document:
    return Document("http://example.org/", "http://example.org/", "", "", "", None, 0, 0, 0, 0)


class PageMaker:
    """`page_of` as a fixture: test modules cannot import each other."""

    def __call__(self, tree: Tree) -> Page:
        return page_of(tree)


@pytest.fixture(scope="session")
def make_page() -> PageMaker:
    return PageMaker()
