"""The relations of a page without any example, best first.

Whatever repeats is found from its first leaf as if somebody had pointed at it. What a page is about
takes much room, has several things to say in each row, and says something else in each; menus,
filters, page numbers and footers take little room, or say one word per row.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from webgeist.scrape.relations.cells import columns
from webgeist.scrape.relations.ends import trimmed
from webgeist.scrape.relations.levels import choose, levels, spread
from webgeist.scrape.relations.model import Relation
from webgeist.scrape.relations.segments import take_turns
from webgeist.scrape.relations.shapes import types
from webgeist.scrape.relations.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.page.model import Page
    from webgeist.scrape.relations.model import Row

_FURNITURE = frozenset({"nav", "header", "footer", "aside", "form", "select"})
_FURNITURE_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_FEWEST_ROWS = 3
_MOST = 10
_HEADING_LEAVES = 1.5
_FEWEST_CELLS = 2
_MOST_OF_IT = 0.5  # of the cells of a page
_MOSTLY = 0.75
_MENU = 0.5
_NARROW, _SIDE, _BOTTOM = 0.3, 0.3, 0.8  # of the page
_OFF_CENTRE = 0.5
_MENU_LINKS = 0.7  # of what a row with its submenu says
_SHORT = 30  # characters of an entry
_HEADER = re.compile(r"(^|[-_])(t?head(er|ers|ing|ings)?|th|labels|columns)($|[-_])", re.IGNORECASE)


@dataclass(frozen=True)
class Proposal:
    """Rows, and how much they look like what the page is about."""

    rows: Sequence[Row]
    score: float


def propose_relations(page: Page, most: int = _MOST) -> list[Relation]:
    """The relations of a page, best first; none where nothing repeats three times."""
    tree = Tree(page)
    found = propose_rows(tree)[:most]
    return [
        Relation(tuple(each.rows), tuple(columns(tree, each.rows)), each.score) for each in found
    ]


def propose_rows(tree: Tree) -> list[Proposal]:
    found: dict[tuple[int, ...], Sequence[Row]] = {}
    for parent, seed in _seeds(tree):
        at = list(levels(tree, [seed]))
        chosen = choose(tree, at)
        outer = [each for each in at if chosen and each.parent == parent < chosen.parent]
        for level in [chosen, *outer] if chosen else []:
            rows = trimmed(tree, _without_header(tree, spread(tree, level)), head=True)
            if len(rows) >= _FEWEST_ROWS:
                found.setdefault(tuple(row.nodes[0] for row in rows), rows)
    scored = [Proposal(rows, score(tree, rows)) for rows in found.values()]
    ranked = sorted(
        _without_groups(tree, _whole(scored)), key=lambda each: each.score, reverse=True
    )
    best = ranked[0].score if ranked else 1.0
    return [replace(each, score=each.score / best if best else 0.0) for each in ranked]


def _seeds(tree: Tree) -> Iterator[tuple[int, int]]:
    """An element, and the first leaf of the first of each kind of its children that comes several
    times.
    """
    for parent, children in sorted(tree.children.items()):
        if len(children) < _FEWEST_ROWS or parent < 0:
            continue
        kinds = types(tree, parent)
        for kind in set(kinds):
            if kinds.count(kind) >= _FEWEST_ROWS:
                yield parent, tree.leaves(children[kinds.index(kind)])[0]


def _without_header(tree: Tree, rows: Sequence[Row]) -> Sequence[Row]:
    """Without a first line that only has names: one of a class of its own that says so, or one of
    a table that is bold where the others are not.
    """
    if len(rows) <= _FEWEST_ROWS:
        return rows
    first, *others = (tree.classes(row.nodes[0]) for row in rows[:6])
    if any(_HEADER.search(name) for name in first.difference(*others)):
        return rows[1:]
    if tree.name(rows[0].nodes[0]) != "tr":
        return rows
    bold = [_boldness(tree, row) for row in rows[:6]]
    return rows[1:] if bold[0] > 0.9 and sum(bold[1:]) / len(bold[1:]) < 0.6 else rows  # noqa: PLR2004


def _boldness(tree: Tree, row: Row) -> float:
    """The share of a row's words that are bold."""
    leaves = [leaf for node in row.nodes for leaf in tree.leaves(node)]
    weights = tree.weights
    return sum(bool(weights[leaf] >= 600) for leaf in leaves) / max(1, len(leaves))  # noqa: PLR2004


def _whole(found: list[Proposal]) -> list[Proposal]:
    """Without those that are the tail of another: the same rows from a later one on."""
    tails = {
        tuple(row.nodes[0] for row in each.rows[skip:]) for each in found for skip in (1, 2, 3)
    }
    return [each for each in found if tuple(row.nodes[0] for row in each.rows) not in tails]


def _without_groups(tree: Tree, found: list[Proposal]) -> list[Proposal]:
    """Without those whose rows are lists of another's rows, with at most a heading above them; and
    without those whose rows are the fields of another's.
    """
    leaves = {
        id(each): {leaf for row in each.rows for node in row.nodes for leaf in tree.leaves(node)}
        for each in found
    }
    dropped = set()
    for outer, inner in permutations(found, 2):
        mine, others = leaves[id(outer)], leaves[id(inner)]
        if (
            len(inner.rows) > len(outer.rows)
            and len(others & mine) >= _MOSTLY * len(others)
            and len(mine - others) <= _HEADING_LEAVES * len(outer.rows)
            and len(others) >= _FEWEST_CELLS * len(inner.rows)
        ):
            dropped.add(id(inner if _are_fields(tree, inner, outer) else outer))
    return [each for each in found if id(each) not in dropped]


def _are_fields(tree: Tree, inner: Proposal, outer: Proposal) -> bool:
    """Whether the inner rows are the fields of the outer ones, the same in each."""
    step, rest = divmod(len(inner.rows), len(outer.rows))
    return not rest and take_turns(tree, [row.nodes[0] for row in inner.rows], step)


def score(tree: Tree, rows: Sequence[Row]) -> float:
    """How much rows look like what a page is about; larger is better."""
    leaves = [[leaf for node in row.nodes for leaf in tree.leaves(node)] for row in rows]
    texts = [" ".join(tree.text(leaf) for leaf in each) for each in leaves]
    menu = _links_alone(tree, leaves)
    fields = _FEWEST_CELLS if menu else float(np.median([len(each) for each in leaves]))
    words = float(np.median([len(text) for text in texts]))
    different = len(set(texts)) / len(texts)
    value = (
        math.log2(1 + len(rows)) * math.log2(1 + min(fields, 12)) * math.log2(2 + min(words, 400))
    )
    value *= (0.2 + different) * (_MENU if menu else 1.0)
    value *= _room(tree, rows) * _place(tree, rows)
    return value * _regularity([len(each) for each in leaves])


def _links_alone(tree: Tree, rows: Sequence[Sequence[int]]) -> bool:
    """Whether little is said but by short links, several in each row: a menu with its submenus."""
    leaves = [leaf for row in rows for leaf in row]
    links = [leaf for leaf in leaves if tree.linked[leaf]]
    several = len({tree.page.parent[leaf] for leaf in links}) >= _FEWEST_CELLS * len(rows)
    if not several or len(links) < _MENU_LINKS * len(leaves):
        return False
    return float(np.median([len(tree.text(leaf)) for leaf in links])) < _SHORT


def _regularity(sizes: list[int]) -> float:
    """Rows of a list have about as many cells each; parts of a page do not."""
    middle = float(np.median(sizes))
    off = float(np.mean([abs(size - middle) for size in sizes])) / max(middle, 1)
    return 1 / (1 + off)


def _room(tree: Tree, rows: Sequence[Row]) -> float:
    """How much of the page the rows take: the root of their share, less for what begins at the
    bottom of a page or stands in a narrow column at its side.
    """
    boxes = np.nan_to_num(tree.boxes[[node for row in rows for node in row.nodes]])
    document = tree.page.documents[0]
    width, height = max(1.0, document.width), max(1.0, document.height)
    share = min(1.0, float((boxes[:, 2] * boxes[:, 3]).sum()) / (width * height))
    left, right = float(boxes[:, 0].min()), float((boxes[:, 0] + boxes[:, 2]).max())
    aside = right - left < _NARROW * width and not _SIDE < (left + right) / 2 / width < 1 - _SIDE
    below = float(boxes[:, 1].min()) > _BOTTOM * height
    return math.sqrt(share) * (_OFF_CENTRE if aside or below else 1.0)


def _place(tree: Tree, rows: Sequence[Row]) -> float:
    """Less than one inside of what stands around the contents of a page. What has most of the page
    in it does not: Web Forms are one form.
    """
    first = rows[0].nodes[0]
    whole = int(tree.leaf_counts[0])
    for node in (first, *tree.above(first)):
        name = tree.name(node)
        if tree.leaf_counts[node] > _MOST_OF_IT * whole:
            return 1.0
        role = tree.page.attributes(node).get("role", "") if name != "#text" else ""
        if name in _FURNITURE or role in _FURNITURE_ROLES:
            return 0.3
    return 1.0
