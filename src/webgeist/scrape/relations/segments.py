"""Rows among the children of one element: which children belong to which row.

A row is one child, or several behind each other: dt and dd, two lines of a table, a heading and
what stands below it. What stands between rows now and then (advertisements, headings) is left out.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from statistics import median
from typing import TYPE_CHECKING

from webgeist.scrape.relations.model import Row
from webgeist.scrape.relations.shapes import same_shape, types
from webgeist.scrape.relations.textshapes import text_shape

if TYPE_CHECKING:
    from webgeist.scrape.relations.tree import Tree

_OFTEN = 0.6  # of the rows have a part that belongs to them
_MOST_CHILDREN = 5_000
_MOST_PAIRS = 100
_TURNS = 0.12
_SEVERAL, _MOST_LINES = 1.3, 4
_FEWEST_TURNS = 3
_SMALL = 3  # texts in what may be a cell
_SAME = 0.8  # shape


def segment(tree: Tree, parent: int, example: int, also: int | None = None) -> list[Row]:
    """The rows among the children of `parent`, from the one that holds `example` on.

    `example` is a child; `also` is another child of the same row, if one is known.
    """
    children = tree.children[parent][:_MOST_CHILDREN]
    kinds = types(tree, parent)[: len(children)]
    kinds = _told_by_class(tree, children, kinds) or _beat(tree, children, kinds)
    at = children.index(example)
    parts = _parts(tree, children, kinds, at, also)
    start = _start(tree, children, kinds, parts, at)
    return _cut(children, kinds, parts, start, at)


def _told_by_class(tree: Tree, children: list[int], kinds: list[int]) -> list[int] | None:
    """The types, where cells without anything around the rows are told apart by their class: the
    one that rows begin with, and the others as one type. None where it is not so.
    """
    own = Counter(kinds).most_common(1)[0][0]
    run = [child for child, kind in zip(children, kinds, strict=True) if kind == own]
    named: dict[frozenset[str], list[int]] = {}
    for child in run:
        named.setdefault(tree.classes(child), []).append(child)
    usual = max(map(len, named.values()))
    often = [name for name, found in named.items() if len(found) >= _OFTEN * usual]
    if usual < _FEWEST_TURNS or len(often) < 2 or median(tree.leaf_counts[run]) > _SMALL:  # noqa: PLR2004
        return None
    head = often[0]
    kept = [named[name] for name in often]
    if len({_look(tree, nodes) for nodes in kept}) == 1 or _are_whole(tree, kept):
        return None  # colours that take turns, or names that a style sheet was packed with
    order = [tree.classes(child) for child in run if child >= named[head][0]]
    if not _is_ordered(order, head):
        return None
    rest = {child for child in run if tree.classes(child) != head}
    return [
        own + len(children) if child in rest else kind
        for child, kind in zip(children, kinds, strict=True)
    ]


def _are_whole(tree: Tree, named: list[list[int]]) -> bool:
    """Whether what has different classes is built the same way, of several texts each."""
    first, *others = (nodes[0] for nodes in named)
    several = tree.leaf_counts[[first, *others]].min() > 1
    return bool(several) and all(same_shape(tree, first, each) > _SAME for each in others)


def _look(tree: Tree, nodes: list[int]) -> tuple[str, float, int]:
    """What cells say and how: the shape of most texts, how bold, how long."""
    leaves = [tree.leaves(node)[0] for node in nodes]
    texts = [tree.text(leaf) for leaf in leaves]
    shape = Counter(map(text_shape, texts)).most_common(1)[0][0]
    length = int(median(map(len, texts))).bit_length()
    return shape, float(tree.weights[leaves[0]]), length


def _is_ordered(order: list[frozenset[str]], head: frozenset[str]) -> bool:
    """Whether each row has every class at most once, always in the same order."""
    rows: list[list[frozenset[str]]] = []
    for name in order:
        if name == head:
            rows.append([])
        else:
            rows[-1].append(name)
    before = {pair for row in rows for pair in combinations(row, 2)}
    return not any((other, one) in before for one, other in before)


def _beat(tree: Tree, children: list[int], kinds: list[int]) -> list[int]:
    """The types, where children that are alike take turns: lines of a table, two for each row."""
    own = Counter(kinds).most_common(1)[0][0]
    run = [child for child, kind in zip(children, kinds, strict=True) if kind == own]
    for step in (2, 3):
        if len(run) < 3 * step or len(run) % step:
            continue
        if take_turns(tree, run, step):
            turn = {child: own + (at % step) * len(children) for at, child in enumerate(run)}
            return [turn.get(child, kind) for child, kind in zip(children, kinds, strict=True)]
    return kinds


def take_turns(tree: Tree, run: list[int], step: int) -> bool:
    """Whether what stands `step` places further is more alike than anything nearer."""
    nearer = max(_lag(tree, run, n) for n in range(1, step))
    return _lag(tree, run, step) - nearer > _TURNS


def _lag(tree: Tree, run: list[int], step: int) -> float:
    """How alike a child and the one so many places further are. Their own classes do not count:
    lines whose colours take turns are rows by themselves.
    """
    pairs = list(zip(run, run[step:], strict=False))[:_MOST_PAIRS]
    return sum(same_shape(tree, one, other) for one, other in pairs) / len(pairs)


def _parts(
    tree: Tree, children: list[int], kinds: list[int], at: int, also: int | None
) -> set[int]:
    """The types that belong to a row with the example's."""
    own = kinds[at]
    parts = {own} | ({kinds[children.index(also)]} if also in children else set())
    name = tree.name(children[at])
    if name in ("dd", "dt"):
        return {
            kind
            for child, kind in zip(children, kinds, strict=True)
            if tree.name(child) in ("dt", "dd")
        }
    head = _head(tree, children, kinds, own)
    if head is not None:
        return parts | {head}
    periods = _periods(kinds, own)
    if len(periods) < 2:  # noqa: PLR2004
        return parts
    often = Counter(kind for period in periods for kind in set(period))
    inner = len(periods) - 1  # the last one may be followed by what belongs to no row
    for kind, count in often.items():
        if kind != own and count >= _OFTEN * max(inner, 2):
            parts.add(kind)
    return parts


def _head(tree: Tree, children: list[int], kinds: list[int], own: int) -> int | None:
    """The type that stands before each few single lines of a type: a heading with its paragraphs.

    Lines that say more than one thing are rows by themselves, and headings stand between them.
    """
    lines = [child for child, kind in zip(children, kinds, strict=True) if kind == own]
    if sum(int(tree.leaf_counts[child]) for child in lines) >= 2 * len(lines):
        return None
    before = Counter(one for one, next_ in pairwise(kinds) if next_ == own and one != own)
    if not before:
        return None
    head, count = before.most_common(1)[0]
    few = _SEVERAL * count <= len(lines) <= _MOST_LINES * count
    alone = count >= 0.8 * kinds.count(head)
    return head if few and alone and count >= 3 else None  # noqa: PLR2004


def _periods(kinds: list[int], own: int) -> list[list[int]]:
    """What stands behind each child of a type, up to the next."""
    found: list[list[int]] = []
    for kind in kinds:
        if kind == own:
            found.append([])
        elif found:
            found[-1].append(kind)
    return found


def _start(tree: Tree, children: list[int], kinds: list[int], parts: set[int], at: int) -> int:
    """The type that a row begins with: of the row's types, the one that comes first."""
    if len(parts) == 1:
        return kinds[at]
    if tree.name(children[at]) == "dd":
        terms = [k for c, k in zip(children, kinds, strict=True) if tree.name(c) == "dt"]
        return terms[0] if terms else kinds[at]
    head = _head(tree, children, kinds, kinds[at])
    if head is not None:
        return head
    counts = Counter(kind for kind in kinds if kind in parts)
    own = counts[kinds[at]]
    for kind in kinds[: at + 1]:
        if kind in parts and counts[kind] >= min(own, max(2, _OFTEN * own)):
            return kind
    return kinds[at]


def _cut(children: list[int], kinds: list[int], parts: set[int], start: int, at: int) -> list[Row]:
    rows: list[list[int]] = []
    first = max((i for i in range(at + 1) if kinds[i] == start), default=at)
    for child, kind in list(zip(children, kinds, strict=True))[first:]:
        if kind == start:
            rows.append([child])
        elif rows and kind in parts:
            rows[-1].append(child)
    return [Row(tuple(row)) for row in rows]
