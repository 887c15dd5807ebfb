"""The whole relation of a page from one or two cells of its first row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.errors import NotFoundError, UsageError
from webgeist.scrape.relations.cells import columns
from webgeist.scrape.relations.ends import trimmed
from webgeist.scrape.relations.levels import choose, levels, spread
from webgeist.scrape.relations.model import Relation
from webgeist.scrape.relations.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.page.model import Page
    from webgeist.scrape.relations.model import Row


def find_relation(page: Page, cells: int | Sequence[int]) -> Relation:
    """The relation whose first row has these cells, by the numbers of their nodes.

    NotFoundError where nothing on the page is like what the cells stand in.
    """
    return relation_in(Tree(page), [cells] if isinstance(cells, int) else list(cells))


def relation_in(tree: Tree, wanted: Sequence[int]) -> Relation:
    """The same on a tree that was made before."""
    rows = find_rows(tree, [_shown(tree, cell) for cell in wanted])
    if not rows:
        raise NotFoundError(
            f"nothing on the page is like what node {wanted[0]} stands in",
            remedy="choose a cell of the first row of a list, or two cells of it",
        )
    return Relation(tuple(rows), tuple(columns(tree, rows)))


def find_rows(tree: Tree, cells: Sequence[int]) -> Sequence[Row]:
    """The rows, without their columns; none where nothing repeats."""
    level = choose(tree, list(levels(tree, cells)))
    return trimmed(tree, spread(tree, level), head=False) if level else ()


def _shown(tree: Tree, node: int) -> int:
    """The node itself, if anything of it can be seen. UsageError."""
    if not 0 <= node < len(tree.page):
        raise UsageError(f"the page has no node {node}", remedy=f"there are {len(tree.page)}")
    if not tree.leaf_counts[node]:
        raise UsageError(
            f"node {node} shows nothing", remedy="choose an element with a text or a picture"
        )
    return node
