"""How alike two parts of a page are built: names on the ways down, classes, headers of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.scrape.relations.tree import TEXT_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.scrape.relations.tree import Tree

ALIKE = 0.6
_PATHS, _CLASSES = 0.7, 0.3
_EXAMPLES = 3


def likeness(tree: Tree, one: int, other: int) -> float:
    """From 0 to 1. Elements of different names are never alike, nor are the header of a table, a
    line of it that is one wide cell, and its data.
    """
    if tree.name(one) != tree.name(other) or _line(tree, one) != _line(tree, other):
        return 0.0
    shape = same_shape(tree, one, other)
    return _PATHS * shape + _CLASSES * _class_likeness(tree, one, other)


def same_shape(tree: Tree, one: int, other: int) -> float:
    """How alike what is inside of them is, from 0 to 1."""
    return _dice(tree.paths(one), tree.paths(other))


def _class_likeness(tree: Tree, one: int, other: int) -> float:
    mine, theirs = tree.classes(one), tree.classes(other)
    if mine == theirs:
        return 1.0
    if not mine or not theirs:
        return 0.6  # a class that only some rows have: odd, first, sold
    return 0.2 + 0.8 * _dice(mine, theirs)


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _line(tree: Tree, node: int) -> str:
    """What a row of a table is: `header` cells alone, one `wide` cell, or nothing of that."""
    if tree.name(node) != "tr":
        return ""
    cells = tree.children.get(node, [])
    if {tree.name(child) for child in cells} == {"th"}:
        return "header"
    if len(cells) != 1 or tree.name(cells[0]) == TEXT_NAME:
        return ""
    return "wide" if tree.page.attributes(cells[0]).get("colspan", "1") != "1" else ""


def types(tree: Tree, parent: int) -> list[int]:
    """A number for each child; those that are alike have the same. Found once for each parent."""
    known = tree.types.get(parent)
    if known is None:
        known = tree.types[parent] = _types(tree, tree.children[parent])
    return known


def _types(tree: Tree, nodes: Sequence[int]) -> list[int]:
    found: list[int] = []
    first: list[list[int]] = []  # up to three examples of each type
    for node in nodes:
        best, at = 0.0, -1
        for number, examples in enumerate(first):
            like = max(likeness(tree, node, each) for each in examples)
            if like > best:
                best, at = like, number
        if best < ALIKE:
            at = len(first)
            first.append([])
        if len(first[at]) < _EXAMPLES:
            first[at].append(node)
        found.append(at)
    return found


def mean_likeness(tree: Tree, nodes: Sequence[int], example: int) -> float:
    others: Iterable[float] = [likeness(tree, example, each) for each in nodes if each != example]
    values = list(others)
    return sum(values) / len(values) if values else 1.0
