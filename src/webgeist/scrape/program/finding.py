"""What a program means on a page: the node of a target, the rows of a relation, a cell's value.

Rather stop than collect wrong data: what is not found, or found in two places that differ, is an
error that says where the program expected it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from webgeist.analyses.blocks.addresses import xpaths
from webgeist.errors import DamagedError, NotFoundError
from webgeist.scrape.program.selecting import Selectable
from webgeist.scrape.relations.addresses import FAIR, Index, address_from, fit, locate
from webgeist.scrape.relations.find import relation_in
from webgeist.scrape.relations.propose import propose_relations
from webgeist.scrape.relations.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webgeist.page.model import Page
    from webgeist.scrape.program.model import Relation, Target
    from webgeist.scrape.relations.addresses import Address, Match
    from webgeist.scrape.relations.model import Relation as FoundRelation
    from webgeist.scrape.relations.model import Row

_ADDRESSES = frozenset({"href", "src", "action"})
_OF_A_ROW = ("text", "href", "place", "id")


@dataclass(frozen=True)
class Cell:
    """A value, and the node that has it."""

    node: int
    value: str


@dataclass(frozen=True)
class FoundRow:
    """The cells of a row by column; those that it lacks are None."""

    cells: Mapping[str, Cell | None] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, str | None]:
        return {name: cell.value if cell else None for name, cell in self.cells.items()}


class View:
    """An open page as it is now, to be looked at by a program."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self._selectable = Selectable(page)
        self.row_path: str | None = None

    # --- single nodes --------------------------------------------------------------------------

    def find(self, target: Target, within: int | None = None) -> int | None:
        """The node that a target means; None where there is none."""
        found = self._candidates(target, within)
        return found[0] if found else None

    def why_not(self, target: Target) -> str:
        """What is known of a target that was not found."""
        if not target.is_address:
            return ""
        match = self._match(target, None)
        if match is None:
            return ": nothing on the page is like it"
        lost = ", ".join(f"{kind} {value!r}" for kind, value in match.missed[:4])
        text = self.page.text(match.node)[:60]
        return (
            f": the best node ({text!r}) fits {match.score:.0%}, "
            f"the next one {match.next_score:.0%}" + (f"; not found: {lost}" if lost else "")
        )

    @cached_property
    def _index(self) -> Index:
        return Index(self.page)

    def _match(self, target: Target, within: int | None) -> Match | None:
        try:
            return locate(self.page, _address(target, within), index=self._index, within=within)
        except DamagedError:  # nothing fits at all
            return None

    def _addressed(self, target: Target, within: int | None) -> list[int]:
        """The node of an address. A selector that comes with it is a short cut: it counts as long
        as what it selects fits the address, and when it selects nothing the address is enough.
        """
        css = target.features.get("css")
        selected = self._selectable.select(css, within) if css else []
        if selected:
            best = selected[0]
            return [best] if fit(self.page, best, _address(target, within)) >= FAIR else []
        match = self._match(target, within)
        return [match.node] if match is not None and match.is_good else []

    def _candidates(self, target: Target, within: int | None) -> list[int]:
        if target.is_address:
            return self._addressed(target, within)
        found = self._selectable.select(target.features.get("css", "*"), within)
        text = target.features.get("text")
        if text is not None:
            same = [node for node in found if self.page.text(node) == " ".join(text.split())]
            found = [node for node in same if not any(_inside(self.page, o, node) for o in same)]
        return found

    def value(self, node: int, attribute: str | None) -> str | None:
        """The text of a node, or an attribute: its own, or that of the link or picture around or
        in it. Addresses are resolved. None where there is no such attribute.
        """
        if attribute is None:
            return self.page.text(node)
        above = [*self.page.ancestors(node).tolist()[::-1]]
        for each in (node, *above[:3], *self.page.descendants(node)):
            value = self.page.attributes(each).get(attribute)
            if value is not None:
                return urljoin(self.url, value) if attribute in _ADDRESSES else value
        return None

    def same(self, earlier: View, cell: Cell) -> int | None:
        """The node of a cell that was seen earlier: at the same place, with the same text; else
        the only one with its text. None where that is not to be said.
        """
        (place,) = xpaths(earlier.page, [cell.node]).values()
        text, name = earlier.page.text(cell.node), earlier.page.names[cell.node]
        alike = [node for node in self.page.find(name) if self.page.text(node) == text]
        there = [node for node, path in xpaths(self.page, alike).items() if path == place]
        found = there or alike
        return found[0] if len(found) == 1 else None

    # --- relations -----------------------------------------------------------------------------

    def rows(self, relation: Relation, like: str | None = None) -> list[FoundRow]:
        """The rows of a relation, in the order of the page; a list can be empty.

        `like` is the way to the rows on the page of the list before (`row_path`): where rows cannot
        be found, or only elsewhere, this page has a single one.
        """
        if relation.rows is not None:
            return self._selected(relation, relation.rows)
        if self._is_alone(relation.columns):
            return [self._single(relation)]
        try:
            found = self._related(relation.columns)
        except NotFoundError:
            if like is None:
                raise
            return [self._single(relation)]
        if found is None:
            return []
        self.row_path = self._way(found.rows[0].nodes[0])
        if like is not None and relation.columns and self.row_path != like:
            self.row_path = like
            return [self._single(relation)]
        places = self._places(found, relation.columns)
        return [
            FoundRow({name: self._cell(at(row), relation, name) for name, at in places.items()})
            for row in range(len(found))
        ]

    def _single(self, relation: Relation) -> FoundRow:
        """The row that has the first of each target."""
        return FoundRow(
            {
                name: self._cell(self.find(target), relation, name)
                for name, target in relation.columns.items()
            }
        )

    def _way(self, node: int) -> str:
        """The names of the elements down to a node."""
        return "/".join(self.page.names[each] for each in (*self.page.ancestors(node), node))

    def _selected(self, relation: Relation, rows: Target) -> list[FoundRow]:
        """Rows that the program names itself; columns are looked for in each."""
        found = self._candidates(rows, None)
        return [
            FoundRow(
                {
                    name: self._cell(self.find(target, row), relation, name)
                    for name, target in relation.columns.items()
                }
                or {"text": Cell(row, self.page.text(row))}
            )
            for row in found
        ]

    def _is_alone(self, columns: Mapping[str, Target]) -> bool:
        """Whether each column is there once at most: the last page of a list may have one row."""
        counts = [len(self._candidates(target, None)) for target in columns.values()]
        return max(counts, default=0) == 1

    def _related(self, columns: Mapping[str, Target]) -> FoundRelation | None:
        """The relation whose first row has these nodes; without columns, the best one."""
        if not columns:
            proposed = propose_relations(self.page, 1)
            return proposed[0] if proposed else None
        found = [nodes for target in columns.values() if (nodes := self._shown(target))]
        if not found:
            return None
        return relation_in(self._tree, self._of_one_row(found))

    @cached_property
    def _tree(self) -> Tree:
        return Tree(self.page)

    def _shown(self, target: Target) -> list[int]:
        """The nodes of a target that show something: not those that have left the view of a list
        that scrolls, or that wait for their texts.
        """
        found = self._candidates(target, None)
        return [node for node in found if self._tree.leaf_counts[node]]

    def _of_one_row(self, found: list[list[int]]) -> list[int]:
        """The first node of each column, but for those that the first row lacks."""
        firsts = [nodes[0] for nodes in found]
        usual = max(found, key=len)
        if len({len(nodes) for nodes in found}) == 1:
            return firsts
        try:
            rows = relation_in(self._tree, [usual[0]]).rows
        except NotFoundError:
            return firsts
        later = [row for row in rows[1:] if self._first_in(row, usual) is not None]
        return [n for n in firsts if all(self._first_in(row, [n]) is None for row in later)]

    def _first_in(self, row: Row, nodes: Sequence[int]) -> int | None:
        """The first of the nodes that stands in a row."""
        spans = [(each, int(self.page.end[each])) for each in row.nodes]
        return next((n for n in nodes if any(a <= n < end for a, end in spans)), None)

    def _places(self, found: FoundRelation, columns: Mapping[str, Target]) -> dict[str, _Column]:
        """The nodes of the program's columns: what the target itself means in a row; where that
        means the first row alone, the column of the relation that it stands in.
        """
        if not columns:
            return {column.name: _Column(column.nodes) for column in found.columns}
        places = {}
        for name, target in columns.items():
            meant = self._candidates(target, None)
            nodes = [self._first_in(row, meant) for row in found.rows]
            aligned = self._aligned(found, meant) or ([None] * len(found))
            if meant and nodes == aligned == [None] * len(found):
                raise NotFoundError(
                    f"column {name} ({target}) stands in no row of the list",
                    remedy="all columns of a loop are cells of its first row",
                )
            both = zip(nodes, aligned, strict=True)
            places[name] = _Column([one if one is not None else other for one, other in both])
        return places

    def _aligned(self, found: FoundRelation, meant: list[int]) -> Sequence[int | None] | None:
        """The nodes of the column of a relation that the first of these nodes stands in."""
        if not meant:
            return None
        near = (c for c in found.columns if any(_touch(self.page, meant[0], n) for n in c.nodes))
        return next((column.nodes for column in near), None)

    def _cell(self, node: int | None, relation: Relation, name: str) -> Cell | None:
        if node is None:
            return None
        target = relation.columns.get(name)
        value = self.value(node, target.attribute if target else None)
        return None if value is None else Cell(node, value)


def _address(target: Target, within: int | None) -> Address:
    """The features of a target. What differs from row to row says nothing inside of one."""
    left_out = {"css"} if within is None else {"css", *_OF_A_ROW}
    return address_from({k: v for k, v in target.features.items() if k not in left_out})


@dataclass(frozen=True)
class _Column:
    nodes: Sequence[int | None]

    def __call__(self, row: int) -> int | None:
        return self.nodes[row]


def _inside(page: Page, node: int, other: int) -> bool:
    """Whether a node is below another."""
    return other < node < int(page.end[other])


def _touch(page: Page, one: int, other: int | None) -> bool:
    """Whether two nodes are the same, or one is in the other."""
    return other is not None and (
        one == other or _inside(page, one, other) or _inside(page, other, one)
    )
