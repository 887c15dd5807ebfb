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
    def __init__(self, page: Page) -> None:
        self._page = page
        self._parent = page.parent.tolist()
        self._element = (page.type == ELEMENT).tolist()
        self._shadow = page.nodes["shadow"].to_pylist()
        self._pseudo = page.nodes["pseudo"].to_pylist()
        self._document = page.document.tolist()
        self._known: dict[int, str] = {}
        order = np.argsort(page.parent, kind="stable")
        self._children: list[int] = order.tolist()
        starts = np.searchsorted(page.parent[order], np.arange(len(page) + 1))
        self._starts: list[int] = starts.tolist()

    def of(self, nodes: Iterable[int]) -> dict[int, str]:
        return {node: self._address(node) for node in nodes}

    def _address(self, node: int) -> str:
        path = []
        at = node
        while at >= 0 and at not in self._known:
            path.append(at)
            at = self._parent[at]
        found = self._known.get(at, "")
        for each in reversed(path):
            found = self._known[each] = self._below(found, each)
        return found

    def _below(self, above: str, node: int) -> str:
        parent = self._parent[node]
        if self._page.names[node].startswith("#"):
            return above  # a document or a shadow root: what is below it begins anew
        enters = parent >= 0 and self._enters(node, parent)
        start = above + INSIDE if enters and above else above
        return f"{start}/{self._step(node)}"

    def _enters(self, node: int, parent: int) -> bool:
        """A document's root below its frame, or a shadow tree's top below its host."""
        if self._document[node] != self._document[parent]:
            return True
        return bool(self._shadow[node]) and not self._shadow[parent]

    def _step(self, node: int) -> str:
        name = self._page.names[node].lower()
        if not self._element[node]:
            name = "text()"
        same = [each for each in self._siblings(node) if self._same(each, node)]
        return name if len(same) < 2 else f"{name}[{same.index(node) + 1}]"

    def _siblings(self, node: int) -> list[int]:
        parent = self._parent[node]
        if parent < 0:
            return [node]
        return self._children[self._starts[parent] : self._starts[parent + 1]]

    def _same(self, one: int, other: int) -> bool:
        return (
            self._page.names[one] == self._page.names[other]
            and self._element[one] == self._element[other]
            and not self._pseudo[one]
            and self._document[one] == self._document[other]
        )
