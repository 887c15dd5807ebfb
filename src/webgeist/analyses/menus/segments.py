"""A page's segments: the groups of links that its DOM keeps together (MenuMiner, section 4).

Four rules, from the leaves up: (1) a leaf that is no link is dropped; (2) a node with one child is
replaced by it; (3) a node with two children, a link and then something else, goes, and both move up
to its parent, because a menu's item with a submenu is still an item of the menu; (4) any other node
stays and is a segment, which has the links right below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.menus.tree import Link, LinkTree, Path

_PAIR = 2
_INLINE = frozenset({"span", "b", "strong", "em", "i", "font", "h2", "h3", "h4", "p"})


@dataclass(frozen=True, slots=True)
class Segment:
    """Links that belong together, in document order, and where in the page they are.

    `head` is the item that a submenu hangs below; `order` has the place of each link in the page.
    """

    links: tuple[Link, ...]
    path: Path
    head: Link | None = None
    order: tuple[int, ...] = ()


def segments(tree: LinkTree) -> list[Segment]:
    """The segments of a page that have links, in document order."""
    held: list[list[int]] = [[] for _ in tree.parents]
    kept: list[int] = []
    heads: dict[int, Link] = {}
    for node in range(len(tree.parents) - 1, -1, -1):
        moved = _moved(tree, node, held[node])
        if not moved:
            continue
        if moved[0] == node and node not in tree.links:
            kept.append(node)
            heads.update(_heads(tree, held[node]))
        parent = tree.parents[node]
        if parent >= 0:
            held[parent].extend(reversed(moved))
    return [
        each
        for node in reversed(kept)
        if (each := _segment(tree, node, held[node], heads.get(node)))
    ]


def _moved(tree: LinkTree, node: int, below: list[int]) -> list[int]:
    """What a node hands up to its parent: itself, or what takes its place.

    Children are met from the last to the first, so they are turned round once all are there.
    """
    if node in tree.links:
        return [node]
    below.reverse()
    if len(below) <= 1:  # rules 1 and 2
        return below
    if len(below) == _PAIR and below[0] in tree.links and below[1] not in tree.links:  # rule 3
        return below
    return [node]


def _heads(tree: LinkTree, below: list[int]) -> Iterator[tuple[int, Link]]:
    """Segments that follow a link inside the same element, with that link."""
    for one, other in pairwise(below):
        if one in tree.links and other not in tree.links:
            around = tree.parents[one]
            while around >= 0 and tree.steps[around].name in _INLINE:
                around = tree.parents[around]
            at = tree.parents[other]
            while at > around:
                at = tree.parents[at]
            if at == around:
                yield other, tree.links[one]


def _segment(tree: LinkTree, node: int, below: list[int], head: Link | None) -> Segment | None:
    order = tuple(each for each in below if each in tree.links)
    links = tuple(tree.links[each] for each in order)
    return Segment(links, tree.path(node), head, order) if links else None
