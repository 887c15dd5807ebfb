"""Which nodes of a page are blocks, and which block each lies in."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from webgeist.page.containment import SLACK, containers, covered
from webgeist.page.model import TEXT
from webgeist.page.painting import CONTROLS, IMAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.model import Page
    from webgeist.page.painting import Painting

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.integer]


class Kind(StrEnum):
    """What a block is. All but `BOX` are leaves."""

    BOX = "box"
    TEXT = "text"
    IMAGE = "image"
    CONTROL = "control"


KINDS = tuple(Kind)


class Sketch:
    """Nodes that are blocks so far; some are dropped until nothing more has to be."""

    def __init__(self, page: Page, painted: Painting, root: int) -> None:
        self.page, self.painted, self.root = page, painted, root
        whole = page.documents[0]
        self.box = painted.seen.copy()
        self.box[root] = (0, 0, whole.width, whole.height)
        self.layer = painted.layer
        self.kind = _kinds(page)
        leaves = self.kind != _number(Kind.BOX)
        inner = page.below(leaves & (page.type != TEXT))  # an image's own parts
        self.paints = painted.paints & ~inner & ~self._behind(painted.paints & ~inner)
        self.kept = self.paints | (page.count_below(self.paints) > 0) & painted.visible & ~inner
        self.kept[root] = True
        self.joined = np.full(len(page), -1, np.int32)  # the node whose box was the same
        self.parent = np.full(len(page), -1, np.int32)

    def _behind(self, paints: Bools) -> Bools:
        """What is painted but covered."""
        which = np.flatnonzero(paints)
        behind = np.zeros(len(paints), bool)
        rounds = self.page.paint_order  # the same for all that is painted in one go
        behind[which] = covered(self.box[which], rounds[which], self.painted.opaque[which])
        return behind

    def join_wrappers(self) -> None:
        """Elements around one thing only: around a text, they stand for it; else they go."""
        inner = self._inner()
        only = np.bincount(inner[inner >= 0], minlength=len(inner)) == 1
        texts = np.flatnonzero(self.kept & (self.page.type == TEXT) & (inner >= 0))
        texts = texts[only[inner[texts]] & (inner[texts] != self.root)]
        self._join(texts, inner[texts])
        self.kind[inner[texts]] = _number(Kind.TEXT)
        wraps = self.kept & only & ~self.paints & (self.kind == _number(Kind.BOX))
        wraps[self.root] = False
        self._drop(np.flatnonzero(wraps), self._only_child(inner))

    def _inner(self) -> Ints:
        """The nearest kept ancestor of each kept node, -1 for others."""
        page, nearest = self.page, np.full(len(self.page) + 1, -1, np.int32)
        for nodes in page.levels:
            above = page.parent[nodes]
            nearest[nodes] = np.where((above >= 0) & self.kept[above], above, nearest[above])
        return np.where(self.kept, nearest[:-1], -1)

    def _only_child(self, inner: Ints) -> Ints:
        """For nodes with one kept child, that child."""
        child = np.full(len(inner), -1, np.int32)
        nodes = np.flatnonzero(inner >= 0)
        child[inner[nodes]] = nodes
        return child

    def settle(self) -> None:
        """Hang every block below what it lies in, and drop those that are of no use there."""
        while True:
            nodes = np.flatnonzero(self.kept)
            nodes = nodes[np.argsort(nodes != self.root, kind="stable")]  # the page first
            found = containers(
                self.box[nodes],
                self._order()[nodes],
                self.layer[nodes],
                self.kind[nodes] == _number(Kind.BOX),
            )
            found[1:][found[1:] < 0] = 0
            self.parent[nodes] = np.where(found >= 0, nodes[found], -1)
            if not self._drop_useless(nodes):
                return

    def _order(self) -> Ints:
        order = self.painted.order.copy()
        order[self.root] = -1
        return order

    def _drop_useless(self, nodes: Ints) -> bool:
        """Boxes that paint nothing and hold one block at most, or are as large as their parent."""
        held = np.bincount(self.parent[nodes[1:]], minlength=len(self.kept))
        plain = nodes[1:][~self.paints[nodes[1:]] & (self.kind[nodes[1:]] == _number(Kind.BOX))]
        lonely = plain[held[plain] <= 1]
        double = plain[self._same(plain, self.parent[plain])]
        double = double[~np.isin(self.parent[double], lonely) & ~np.isin(double, lonely)]
        child = np.full(len(self.kept), -1, np.int32)
        child[self.parent[nodes[1:]]] = nodes[1:]
        child[held != 1] = -1
        self._drop(lonely, child)
        self._drop(double, self.parent)
        return len(lonely) + len(double) > 0

    def _drop(self, nodes: Ints, other: Ints) -> None:
        """Drop blocks; those with the box of the `other` one are joined with it."""
        partner = other[nodes]
        same = (partner >= 0) & self._same(nodes, np.maximum(partner, 0))
        self._join(nodes[same], partner[same])
        self.kept[nodes] = False

    def _join(self, nodes: Ints, into: Ints) -> None:
        self.joined[nodes] = into
        self.kept[nodes] = False

    def _same(self, one: Ints, other: Ints) -> Bools:
        near: Bools = np.abs(self.box[one] - self.box[other]).max(axis=1, initial=0) <= SLACK
        return near


def _number(kind: Kind) -> int:
    return KINDS.index(kind)


def _kinds(page: Page) -> NDArray[np.uint8]:
    kinds = np.zeros(len(page), np.uint8)
    kinds[page.type == TEXT] = _number(Kind.TEXT)
    kinds[page.named(*IMAGES)] = _number(Kind.IMAGE)
    kinds[page.named(*CONTROLS)] = _number(Kind.CONTROL)
    return kinds
