"""What of a page counts for relations: elements that show something, and texts that can be read.

Scripts, comments, empty elements and what is not displayed are left out; so two rows that look the
same have the same tree.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from webgeist.page.containment import covered
from webgeist.page.model import ELEMENT, TEXT
from webgeist.page.painting import painting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from webgeist.page.model import Page

_PICTURES = ("img", "svg", "video", "canvas", "picture", "object", "iframe", "embed")
_FIELDS = ("input", "select", "textarea", "button", "meter", "progress")
_NO_TEXT = ("script", "style", "noscript", "template", "head", "title", "option")
TEXT_NAME = "#text"
_DEEPEST_PATH = 5


def _weight(text: str) -> float:
    return float(text) if text.isdecimal() else {"bold": 700.0}.get(text, 400.0)


def _seen(page: Page) -> NDArray[np.bool_]:
    """What paints something that can be seen, sooner or later: what has to be scrolled to counts,
    and what stays on the screen meanwhile, as bars and banners do, hides nothing for good.
    """
    painted, unrolled = painting(page), painting(page, unrolled=True)
    stays = page.below(page.values("position", lambda text: text == "sticky", False))
    opaque = painted.opaque & (painted.layer < 0) & ~stays
    which = np.flatnonzero(painted.paints)
    seen = unrolled.paints.copy()
    seen[which] &= ~covered(painted.seen[which], page.paint_order[which], opaque[which])
    return seen


class Tree:
    """A page's visible nodes: `children` are elements and texts, `leaves` what shows something."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.boxes = page.boxes
        self._leaf = self._find_leaves()
        self._sums = np.concatenate([[0], np.cumsum(self._leaf)])
        self.children: dict[int, list[int]] = defaultdict(list)
        inside = page.below(self._pictures)
        seen = ((page.type == ELEMENT) | self._leaf) & (self.leaf_counts > 0) & ~inside
        for node in np.flatnonzero(seen).tolist():
            self.children[int(page.parent[node])].append(node)
        self.types: dict[int, list[int]] = {}  # filled by `shapes`
        self._paths: dict[int, frozenset[str]] = {}

    def _find_leaves(self) -> NDArray[np.bool_]:
        page = self.page
        shown = ~np.isnan(self.boxes[:, 0]) & (self.boxes[:, 2] > 0) & (self.boxes[:, 3] > 0)
        hidden = page.below(page.named(*_NO_TEXT))
        paints = _seen(page)
        words = np.array([bool(text and text.strip()) for text in page.texts])
        text = (page.type == TEXT) & words & paints
        other = (self._pictures | page.named(*_FIELDS)) & ~page.below(self._pictures)
        leaves: NDArray[np.bool_] = shown & ~hidden & (text | other)
        return leaves

    @cached_property
    def _pictures(self) -> NDArray[np.bool_]:
        """Nodes that count as one thing each; frames do where what is in them is not known."""
        page = self.page
        entered = page.named("iframe") & (page.count_below(page.type == TEXT) > 0)
        return page.named(*_PICTURES) & ~entered

    @cached_property
    def leaf_counts(self) -> NDArray[np.int64]:
        """How many leaves each node has, itself included."""
        counts: NDArray[np.int64] = self._sums[self.page.end] - self._sums[:-1]
        return counts

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """How bold each node's text is."""
        return self.page.values("font-weight", _weight, 400.0)

    @cached_property
    def linked(self) -> NDArray[np.bool_]:
        """Which nodes stand in a link."""
        return self.page.below(self.page.named("a"))

    def leaves(self, node: int) -> list[int]:
        """The leaves of a node, in document order."""
        start, end = node, int(self.page.end[node])
        return (np.flatnonzero(self._leaf[start:end]) + start).tolist()

    def name(self, node: int) -> str:
        return TEXT_NAME if self.page.type[node] == TEXT else self.page.names[node]

    def text(self, node: int) -> str:
        if self.page.type[node] == TEXT:
            return " ".join((self.page.texts[node] or "").split())
        return self.page.text(node)

    def classes(self, node: int) -> frozenset[str]:
        if self.page.type[node] != ELEMENT:
            return frozenset()
        return frozenset(self.page.attributes(node).get("class", "").split())

    def above(self, node: int) -> Iterator[int]:
        """The nodes above a node, the nearest first."""
        node = int(self.page.parent[node])
        while node >= 0:
            yield node
            node = int(self.page.parent[node])

    def paths(self, node: int) -> frozenset[str]:
        """The names on the ways down from a node, a few levels deep: its shape."""
        known = self._paths.get(node)
        if known is None:
            own = self.name(node)
            below = {
                f"{own}/{path}"
                for child in self.children.get(node, ())
                for path in self.paths(child)
                if path.count("/") < _DEEPEST_PATH
            }
            kinds = {
                f"{self.name(child)}.{each}"
                for child in self.children.get(node, ())
                for each in self.classes(child)
            }
            known = self._paths[node] = frozenset({own, *below, *kinds})
        return known
