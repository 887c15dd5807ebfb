"""A page's segments: the groups of links that its DOM keeps together (MenuMiner, section 4).

Four rules, from the leaves up: (1) a leaf that is no link is dropped; (2) a node with one child is
replaced by it; (3) a node with two children, a link and then something else, goes, and both move up
to its parent, because a menu's item with a submenu is still an item of the menu; (4) any other node
stays and is a segment, which has the links right below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.menus.tree import Link, LinkTree, Path

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Segment:
    """Links that belong together, in document order, and where in the page they are."""

    links: tuple[Link, ...]
    path: Path


def segments(tree: LinkTree) -> list[Segment]:
    """The segments of a page that have links, in document order."""
    held: list[list[int]] = [[] for _ in tree.parents]
    kept: list[int] = []
    for node in range(len(tree.parents) - 1, -1, -1):
        moved = _moved(tree, node, held[node])
        if not moved:
            continue
        if moved[0] == node and node not in tree.links:
            kept.append(node)
        parent = tree.parents[node]
        if parent >= 0:
            held[parent].extend(reversed(moved))
    return [each for node in reversed(kept) if (each := _segment(tree, node, held[node]))]


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


def _segment(tree: LinkTree, node: int, below: list[int]) -> Segment | None:
    links = tuple(tree.links[each] for each in below if each in tree.links)
    return Segment(links, tree.path(node)) if links else None
