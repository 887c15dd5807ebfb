"""The relations of a page without any example, best first.

Whatever repeats is found from its first leaf as if somebody had pointed at it. What a page is about
takes much room, has several things to say in each row, and says something else in each; menus,
filters, page numbers and footers take little room, or say one word per row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from webgeist.scrape.relations.cells import columns
from webgeist.scrape.relations.ends import trimmed
from webgeist.scrape.relations.levels import choose, levels, spread
from webgeist.scrape.relations.model import Relation
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
_NEARLY_ALL = 0.95
_MENU = 0.5


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
    for seed in _seeds(tree):
        level = choose(tree, list(levels(tree, [seed])))
        rows = _without_header(tree, spread(tree, level)) if level else ()
        rows = trimmed(tree, rows, head=True)
        if len(rows) >= _FEWEST_ROWS:
            found.setdefault(tuple(row.nodes[0] for row in rows), rows)
    scored = [Proposal(rows, score(tree, rows)) for rows in found.values()]
    ranked = sorted(
        _without_groups(tree, _whole(scored)), key=lambda each: each.score, reverse=True
    )
    best = ranked[0].score if ranked else 1.0
    return [replace(each, score=each.score / best if best else 0.0) for each in ranked]


def _seeds(tree: Tree) -> Iterator[int]:
    """The first leaf of the first of each kind of children that comes several times."""
    for parent, children in sorted(tree.children.items()):
        if len(children) < _FEWEST_ROWS or parent < 0:
            continue
        kinds = types(tree, parent)
        for kind in set(kinds):
            if kinds.count(kind) >= _FEWEST_ROWS:
                yield tree.leaves(children[kinds.index(kind)])[0]


def _without_header(tree: Tree, rows: Sequence[Row]) -> Sequence[Row]:
    """Without a first line of a table that only has names: bold where the others are not."""
    if len(rows) <= _FEWEST_ROWS or tree.name(rows[0].nodes[0]) != "tr":
        return rows
    bold = [_boldness(tree, row) for row in rows[:6]]
    others = sum(bold[1:]) / len(bold[1:])
    return rows[1:] if bold[0] > 0.9 and others < 0.6 else rows  # noqa: PLR2004


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
    """Without those whose rows are lists of another's rows, with at most a heading above them."""
    leaves = {
        id(each): {leaf for row in each.rows for node in row.nodes for leaf in tree.leaves(node)}
        for each in found
    }
    kept = []
    for outer in found:
        mine = leaves[id(outer)]
        inside = [
            inner
            for inner in found
            if len(inner.rows) > len(outer.rows)
            and leaves[id(inner)] <= mine
            and len(mine) - len(leaves[id(inner)]) <= _HEADING_LEAVES * len(outer.rows)
            and len(leaves[id(inner)]) >= _FEWEST_CELLS * len(inner.rows)
        ]
        if not inside:
            kept.append(outer)
    return kept


def score(tree: Tree, rows: Sequence[Row]) -> float:
    """How much rows look like what a page is about; larger is better."""
    leaves = [[leaf for node in row.nodes for leaf in tree.leaves(node)] for row in rows]
    texts = [" ".join(tree.text(leaf) for leaf in each) for each in leaves]
    fields = float(np.median([len(each) for each in leaves]))
    words = float(np.median([len(text) for text in texts]))
    different = len(set(texts)) / len(texts)
    value = (
        math.log2(1 + len(rows)) * math.log2(1 + min(fields, 12)) * math.log2(2 + min(words, 400))
    )
    value *= 0.2 + different
    value *= math.sqrt(_area_share(tree, rows)) * _place(tree, rows)
    if _links_alone(tree, leaves):
        value *= _MENU
    return value * _regularity([len(each) for each in leaves])


def _links_alone(tree: Tree, rows: Sequence[Sequence[int]]) -> bool:
    """Whether nothing is said but by links, several in each row: a menu with its submenus."""
    leaves = [leaf for row in rows for leaf in row]
    several = len(leaves) >= _FEWEST_CELLS * len(rows)
    return several and float(np.mean(tree.linked[leaves])) > _NEARLY_ALL


def _regularity(sizes: list[int]) -> float:
    """Rows of a list have about as many cells each; parts of a page do not."""
    middle = float(np.median(sizes))
    off = float(np.mean([abs(size - middle) for size in sizes])) / max(middle, 1)
    return 1 / (1 + off)


def _area_share(tree: Tree, rows: Sequence[Row]) -> float:
    """How much of the page the rows cover together."""
    boxes = np.nan_to_num(tree.boxes[[node for row in rows for node in row.nodes]])
    document = tree.page.documents[0]
    whole = max(1.0, document.width * document.height)
    return min(1.0, float((boxes[:, 2] * boxes[:, 3]).sum()) / whole)


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
