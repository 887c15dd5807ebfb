"""A page in memory: nodes in document order, their styles in two halves, and its documents.

Immutable. What is asked of it is answered by arrays over all nodes, made when first asked for; no
question walks through nodes one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.page.flow import Flow, flow
from webgeist.page.order import below

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

ELEMENT, TEXT, COMMENT, DOCTYPE = 1, 3, 8, 10


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
    def parent(self) -> Ints:
        """-1 for a root."""
        return self._numbers("parent", -1)

    @cached_property
    def end(self) -> Ints:
        return self._numbers("end", -1)

    @cached_property
    def type(self) -> NDArray[np.uint8]:
        return self._numbers("type", 0)

    @cached_property
    def document(self) -> NDArray[np.int16]:
        return self._numbers("document", 0)

    @cached_property
    def names(self) -> list[str]:
        column = self.nodes.column("name").combine_chunks()
        known: list[str] = column.dictionary.to_pylist()
        return [known[number] for number in column.indices.to_numpy().tolist()]

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
    def paint_order(self) -> Ints:
        """Higher is painted later; 0 without layout."""
        return self._numbers("paint_order", 0)

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
        return self.flow.between(node, int(self.end[node]))

    @cached_property
    def flow(self) -> Flow:
        """All words of the page in a row, and where each node's begin."""
        # What floats or is placed counts as a block for the browser, though it may be a letter.
        blocks = self.values("display", _stands_apart, False)
        blocks &= self.values("float", lambda text: text == "none", False)
        blocks &= self.values("position", lambda text: text in ("static", "relative"), False)
        return flow(self.nodes["name"], self.nodes["text"], self.type, self.end, blocks)

    # --- which nodes ---------------------------------------------------------------------------

    def find(self, name: str) -> list[int]:
        """The nodes with this name, in document order."""
        found: list[int] = np.flatnonzero(self.named(name)).tolist()
        return found

    def named(self, *names: str) -> NDArray[np.bool_]:
        """Which nodes have one of these names; a document type is no node of its name."""
        column = self.nodes["name"].combine_chunks()
        hit = pc.is_in(column.dictionary, pa.array(names, pa.string())).to_numpy(
            zero_copy_only=False
        )
        found: NDArray[np.bool_] = hit[column.indices.to_numpy()] & (self.type != DOCTYPE)
        return found

    def with_attribute(self, name: str, value: str | None = None) -> NDArray[np.bool_]:
        """Which nodes have an attribute, with this value where one is given."""
        column = self.nodes["attributes"].combine_chunks()
        hit = pc.equal(column.keys, name)
        if value is not None:
            hit = pc.and_(hit, pc.equal(column.items, value))
        pairs = np.concatenate([[0], np.cumsum(hit.to_numpy(zero_copy_only=False))])
        offsets = column.offsets.to_numpy() - column.offsets[0].as_py()
        found: NDArray[np.bool_] = np.diff(pairs[offsets]) > 0
        return found

    def ancestors(self, node: int) -> Ints:
        """The nodes above a node, the root first."""
        above = (np.arange(len(self)) < node) & (self.end > node)
        return np.flatnonzero(above).astype(np.int32)

    def descendants(self, node: int) -> range:
        """The nodes below a node."""
        return range(node + 1, int(self.end[node]))

    def below(self, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which nodes have a marked one above them."""
        return below(marked, self.end)

    def count_below(self, marked: NDArray[np.bool_]) -> Ints:
        """How many marked nodes each node has below it."""
        sums = np.concatenate([[0], np.cumsum(marked)])
        counts: Ints = (sums[self.end] - sums[1:]).astype(np.int32)
        return counts

    @cached_property
    def levels(self) -> list[Ints]:
        """The nodes by their depth, the roots first."""
        depth = self._numbers("depth", 0)
        order = np.argsort(depth, kind="stable").astype(np.int32)
        return np.split(order, np.cumsum(np.bincount(depth))[:-1])

    # --- columns and styles --------------------------------------------------------------------

    def values(self, name: str, read: Callable[[str], Any], missing: Any) -> NDArray[Any]:
        """What `read` makes of a computed longhand, for every node; `missing` without layout, and
        where the browser did not know the property. Distinct values are read once.
        """
        half = 1 if name in self._halves[1] else 0
        column = self._halves[half].get(name)
        if column is None:
            return np.full(len(self), missing)
        texts: list[str] = self._tables[half].column(column).to_pylist()
        known = {text: read(text) for text in set(texts)}
        of_style = np.array([*(known[text] for text in texts), missing])
        found: NDArray[Any] = of_style[self._style_rows[half]]
        return found

    @property
    def _tables(self) -> tuple[pa.Table, pa.Table]:
        return self.styles_inherited, self.styles_own

    @cached_property
    def _halves(self) -> tuple[dict[str, int], ...]:
        """Where each longhand stands, in each half."""
        return tuple(
            {name: number for number, name in enumerate(table.column_names)}
            for table in self._tables
        )

    @cached_property
    def _style_rows(self) -> tuple[Ints, Ints]:
        """The style row of each node in each half; -1 without layout."""
        return self._numbers("style_inherited", -1), self._numbers("style_own", -1)

    def _numbers(self, column: str, fill: float) -> NDArray[Any]:
        array = self.nodes.column(column).combine_chunks()
        numbers: NDArray[Any] = array.fill_null(fill).to_numpy(zero_copy_only=False)
        return numbers


def _stands_apart(display: str) -> bool:
    return display.startswith(("block", "flex", "grid", "table", "list-item", "flow-root"))
