"""A page in memory: nodes in document order, their styles in two halves, and its documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

ELEMENT, TEXT, COMMENT, DOCTYPE = 1, 3, 8, 10

_SILENT = frozenset({"script", "style", "template", "noscript"})
_INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font"}
    | {"i", "ins", "kbd", "label", "mark", "q", "rb", "rt", "ruby", "s", "samp", "small", "span"}
    | {"strong", "sub", "sup", "slot", "time", "tt", "u", "var", "wbr"}
)


@dataclass(frozen=True)
class Document:
    """One document of a page: the page's own, or a frame's (`owner` is the frame's node)."""

    url: str
    base_url: str
    title: str
    language: str
    encoding: str
    owner: int | None
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class Page:
    """Nodes are numbered in document order; the descendants of n are `range(n + 1, end[n])`."""

    nodes: pa.Table
    styles_inherited: pa.Table
    styles_own: pa.Table
    documents: tuple[Document, ...]

    def __len__(self) -> int:
        return int(self.nodes.num_rows)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """-1 for a root."""
        return self._numbers("parent", -1)

    @cached_property
    def end(self) -> NDArray[np.int32]:
        return self._numbers("end", -1)

    @cached_property
    def type(self) -> NDArray[np.uint8]:
        return self._numbers("type", 0)

    @cached_property
    def document(self) -> NDArray[np.int16]:
        return self._numbers("document", 0)

    @cached_property
    def names(self) -> list[str]:
        names: list[str] = self.nodes.column("name").to_pylist()
        return names

    @cached_property
    def texts(self) -> list[str | None]:
        texts: list[str | None] = self.nodes.column("text").to_pylist()
        return texts

    @cached_property
    def boxes(self) -> NDArray[np.float32]:
        """x, y, width, height in CSS pixels of the page; NaN for nodes without layout."""
        return np.column_stack(
            [self._numbers(side, np.nan) for side in ("x", "y", "width", "height")]
        )

    @cached_property
    def _attributes(self) -> list[list[tuple[str, str]]]:
        pairs: list[list[tuple[str, str]]] = self.nodes.column("attributes").to_pylist()
        return pairs

    def attributes(self, node: int) -> dict[str, str]:
        return dict(self._attributes[node])

    def style(self, node: int) -> dict[str, str]:
        """All computed longhands of a node; empty where it has no layout."""
        values: dict[str, str] = {}
        for table, column in (
            (self.styles_inherited, "style_inherited"),
            (self.styles_own, "style_own"),
        ):
            row = self.nodes.column(column)[node].as_py()
            if row is not None:
                values |= table.slice(row, 1).to_pylist()[0]
        values.pop("style", None)
        values.pop("nodes", None)
        return values

    def text(self, node: int) -> str:
        """The text below a node as one line; scripts and styles are left out.

        White space is folded; where a block begins or ends, words are kept apart.
        """
        pieces: list[str] = []
        open_blocks: list[int] = []
        below, last = node, int(self.end[node])
        while below < last:
            while open_blocks and below >= open_blocks[-1]:
                open_blocks.pop()
                pieces.append(" ")
            name = self.names[below]
            if name in _SILENT:
                below = int(self.end[below])
                continue
            if self.type[below] == TEXT:
                pieces.append(self.texts[below] or "")
            elif name not in _INLINE and self.type[below] != COMMENT and name[:2] != "::":
                pieces.append(" ")
                open_blocks.append(int(self.end[below]))
            below += 1
        return " ".join("".join(pieces).split())

    def find(self, name: str) -> list[int]:
        """The nodes with this name, in document order."""
        found = (node for node, other in enumerate(self.names) if other == name)
        return [node for node in found if self.type[node] != DOCTYPE]

    def _numbers(self, column: str, fill: float) -> NDArray[Any]:
        array = self.nodes.column(column).combine_chunks()
        numbers: NDArray[Any] = array.fill_null(fill).to_numpy(zero_copy_only=False)
        return numbers
