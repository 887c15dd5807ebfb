"""The columns of a relation: which cells of the rows belong together, and what they are called.

A cell is an element with a text of its own, a bare text, or a picture. Cells of two rows belong to
one column if the same way leads to them. Where several have the same way, what they look like
(words, numbers, dates, prices) says which is missing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.page.model import TEXT
from webgeist.scrape.relations.model import Column
from webgeist.scrape.relations.textshapes import text_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.scrape.relations.model import Row
    from webgeist.scrape.relations.tree import Tree

_NAMING = ("itemprop", "data-field", "data-label", "data-th", "headers", "aria-label", "name")
_LEAST_SHARE = 0.1
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Cell:
    """A cell and the way to it from its row."""

    node: int
    way: str
    shape: str


def columns(tree: Tree, rows: Sequence[Row]) -> list[Column]:
    """The columns in the order of the page; those that hardly any row has are left out."""
    found = [_cells(tree, row) for row in rows]
    aligned = _aligned(found)
    least = max(1, _LEAST_SHARE * len(rows))
    kept = [nodes for nodes in aligned if sum(node is not None for node in nodes) >= least]
    names = _names(tree, rows, kept)
    return [Column(name, tuple(nodes)) for name, nodes in zip(names, kept, strict=True)]


def _cells(tree: Tree, row: Row) -> list[Cell]:
    found = []
    for place, root in enumerate(row.nodes):
        for leaf in tree.leaves(root):
            node = int(tree.page.parent[leaf])
            bare = tree.page.type[leaf] == TEXT and (leaf == root or len(tree.children[node]) > 1)
            node = leaf if bare or tree.page.type[leaf] != TEXT else node
            way = _way(tree, node, root, place)
            found.append(Cell(node, way, text_shape(tree.text(leaf))))
    return found


def _way(tree: Tree, node: int, root: int, place: int) -> str:
    """The names and classes on the way; cells of a table by their column."""
    steps: list[str] = []
    while node != root:
        name = tree.name(node)
        if name in ("td", "th"):
            name = f"td{_table_column(tree, node)}"
        steps.append(".".join([name, *sorted(tree.classes(node))[:2]]))
        node = int(tree.page.parent[node])
    head = tree.name(root) if place else ""
    return "/".join([head, *reversed(steps)])


def _table_column(tree: Tree, cell: int) -> int:
    """Where a cell of a table stands, counting those that span several."""
    column, row = 0, int(tree.page.parent[cell])
    names, node = tree.page.names, row + 1
    while node < cell:
        if names[node] in ("td", "th"):
            span = tree.page.attributes(node).get("colspan", "1")
            column += int(span) if span.isdecimal() else 1
        node = int(tree.page.end[node])
    return column


def _aligned(rows: list[list[Cell]]) -> list[list[int | None]]:
    """Columns of nodes. The n-th cell of a way is the n-th column of that way, unless rows have
    different numbers of them and their shapes say otherwise.
    """
    order: dict[tuple[str, str | int], list[int | None]] = {}
    place: dict[tuple[str, str | int], float] = defaultdict(float)
    keyed = _keyed(rows)
    for number, cells in enumerate(keyed):
        for at, (key, cell) in enumerate(cells):
            nodes = order.setdefault(key, [None] * len(rows))
            nodes[number] = cell.node
            place[key] += at / max(1, len(cells))
    counts = {key: sum(node is not None for node in nodes) for key, nodes in order.items()}
    return [order[key] for key in sorted(order, key=lambda key: place[key] / counts[key])]


def _keyed(rows: list[list[Cell]]) -> list[list[tuple[tuple[str, str | int], Cell]]]:
    numbers: dict[str, set[int]] = defaultdict(set)
    for cells in rows:
        for way, count in Counter(cell.way for cell in cells).items():
            numbers[way].add(count)
    by_shape = {way for way, counts in numbers.items() if len(counts) > 1 and max(counts) > 1}
    found = []
    for cells in rows:
        seen: Counter[tuple[str, str]] = Counter()
        keys: list[tuple[tuple[str, str | int], Cell]] = []
        for cell in cells:
            kind = cell.shape if cell.way in by_shape else ""
            seen[cell.way, kind] += 1
            keys.append(((cell.way, f"{kind}{seen[cell.way, kind]}"), cell))
        found.append(keys)
    return found


# --- names -------------------------------------------------------------------------------------


def _names(tree: Tree, rows: Sequence[Row], found: Iterable[list[int | None]]) -> list[str]:
    heads = _table_heads(tree, rows)
    names: list[str] = []
    for nodes in found:
        there = [node for node in nodes if node is not None]
        name = _head(tree, heads, there) or _attribute(tree, there) or _plain(tree, there)
        names.append(_unique(name, names))
    return names


def _unique(name: str, names: list[str]) -> str:
    number, wanted = 1, name
    while wanted in names:
        number += 1
        wanted = f"{name} {number}"
    return wanted


def _table_heads(tree: Tree, rows: Sequence[Row]) -> dict[int, str]:
    """The names above the columns of a table."""
    first = rows[0].nodes[0]
    if tree.name(first) != "tr":
        return {}
    table = next((node for node in tree.above(first) if tree.name(node) == "table"), None)
    if table is None:
        return {}
    for row in range(table + 1, first):
        cells = tree.children.get(row, [])
        if tree.name(row) == "tr" and len(cells) > 1:
            return {_table_column(tree, cell): tree.text(cell) for cell in cells}
    return {}


def _head(tree: Tree, heads: dict[int, str], nodes: list[int]) -> str:
    node = nodes[0]
    cell = next((n for n in (node, *tree.above(node)) if tree.name(n) in ("td", "th")), None)
    return heads.get(_table_column(tree, cell), "")[:_LONGEST_NAME] if cell and heads else ""


def _attribute(tree: Tree, nodes: list[int]) -> str:
    node = nodes[0] if tree.page.type[nodes[0]] != TEXT else int(tree.page.parent[nodes[0]])
    attributes = tree.page.attributes(node)
    for name in _NAMING:
        if value := attributes.get(name, "").strip():
            return value[:_LONGEST_NAME]
    words = [
        each
        for each in attributes.get("class", "").split()
        if re.fullmatch(r"[a-zA-Z][\w-]{2,30}", each)
    ]
    return re.sub(r"[-_]+", " ", words[0]) if words else ""


def _plain(tree: Tree, nodes: list[int]) -> str:
    """By what most of the cells are: a link, a heading, a number."""
    node = nodes[0]
    for each in (node, *tree.above(node)):
        name = tree.name(each)
        if name in ("a", "h1", "h2", "h3", "h4", "h5", "h6", "dt"):
            return "link" if name == "a" else "title"
        if name in ("img", "picture", "svg"):
            return "picture"
        if name in ("td", "li", "tr", "div", "article"):
            break
    shapes = Counter(text_shape(tree.text(each)) for each in nodes)
    return shapes.most_common(1)[0][0]
