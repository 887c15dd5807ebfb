"""Where a node stands, as an XPath such as /html/body/div[4]/a[2]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webgeist.page.model import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.page.model import Page

INSIDE = " >>> "  # between the address of a frame or shadow host and that of what is inside it


def xpaths(page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """The XPath of each node. A number stands only where siblings share a name. What is inside a
    frame or a shadow root is told by its host's address, ` >>> `, and its own address in there.
    """
    return _Addresses(page).of(nodes)


class _Addresses:
    """Siblings are looked for when a node above a wanted one needs its number."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._parent = page.parent
        self._shadow = _marked(page, "shadow")
        self._pseudo = _marked(page, "pseudo")
        self._known: dict[int, str] = {}
        self._steps_of: dict[int, dict[int, str]] = {}

    def of(self, nodes: Iterable[int]) -> dict[int, str]:
        return {node: self._address(node) for node in nodes}

    def _address(self, node: int) -> str:
        path = []
        at = node
        while at >= 0 and at not in self._known:
            path.append(at)
            at = int(self._parent[at])
        found = self._known.get(at, "")
        for each in reversed(path):
            found = self._known[each] = self._below(found, each)
        return found

    def _below(self, above: str, node: int) -> str:
        parent = int(self._parent[node])
        enters = parent >= 0 and self._enters(node, parent)
        start = above + INSIDE if enters and above else above
        if self._page.names[node].startswith("#"):
            return start  # a document or a shadow root: what is below it begins anew
        return f"{start}/{self._step(node)}"

    def _enters(self, node: int, parent: int) -> bool:
        """A document below its frame, or a shadow tree's top below its host."""
        if self._page.document[node] != self._page.document[parent]:
            return True
        return node in self._shadow and parent not in self._shadow

    def _step(self, node: int) -> str:
        parent = int(self._parent[node])
        if parent < 0:
            return self._name(node)
        if parent not in self._steps_of:
            self._steps_of[parent] = self._numbered(parent)
        return self._steps_of[parent].get(node, self._name(node))

    def _name(self, node: int) -> str:
        return self._page.names[node].lower() if self._page.type[node] == ELEMENT else "text()"

    def _numbered(self, parent: int) -> dict[int, str]:
        """The steps of all children, with a number where several share a name."""
        inside = self._parent[parent + 1 : self._page.end[parent]]
        alike: dict[tuple[str, int, int], list[int]] = {}
        for node in (np.flatnonzero(inside == parent) + parent + 1).tolist():
            if node not in self._pseudo:
                page = self._page
                kind = (page.names[node], int(page.type[node]), int(page.document[node]))
                alike.setdefault(kind, []).append(node)
        return {
            node: self._name(node) + (f"[{number}]" if len(nodes) > 1 else "")
            for nodes in alike.values()
            for number, node in enumerate(nodes, 1)
        }


def _marked(page: Page, column: str) -> frozenset[int]:
    """The nodes that have something in a column that is mostly empty."""
    values = page.nodes[column]
    if values.null_count == len(values):
        return frozenset()
    return frozenset(np.flatnonzero(values.is_valid().to_numpy()).tolist())
