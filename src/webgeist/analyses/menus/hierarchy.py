"""Which menu lies below which, and where in its site a page is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.menus.found import FoundMenu, FoundSite
    from webgeist.analyses.menus.host import Host

_INSIDE = 0.95  # of a menu's pages that another one has, if it lies above
_SMALLER = 0.95  # of the pages of the menu above, at most


@dataclass(eq=False, slots=True)
class Node:
    """A menu in the hierarchy of its site; 1 is the level of the main menu."""

    menu: FoundMenu
    parent: Node | None
    level: int
    below: list[Node] = field(default_factory=list)


def hierarchy(site: FoundSite) -> list[Node]:
    """The menus of a site, parents first: the parent is the smallest that all pages of a menu have,
    too, and others besides (MenuMiner, section 6.3), or the one that a menu is shown inside of.
    """
    ordered = sorted(site.menus, key=lambda m: (m is not site.main, -len(m.pages), m.items))
    nodes: list[Node] = []
    known: dict[int, Node] = {}
    for menu in ordered:
        parent = known.get(id(menu.above)) or _smallest_above(menu, nodes)
        node = Node(menu, parent, parent.level + 1 if parent else 1)
        if parent:
            parent.below.append(node)
        nodes.append(node)
        known[id(menu)] = node
    return nodes


def _smallest_above(menu: FoundMenu, nodes: Sequence[Node]) -> Node | None:
    fitting = [
        node
        for node in nodes
        if node.menu.above is None
        and len(menu.pages) <= _SMALLER * len(node.menu.pages)
        and len(menu.pages & node.menu.pages) >= _INSIDE * len(menu.pages)
    ]
    return min(fitting, key=lambda node: (len(node.menu.pages), -node.level), default=None)


class Places:
    """The way to each page of a site: targets from its entry down. An item lies where its menu is,
    another page in the section whose menu it has, or below an item that links to it.
    """

    def __init__(self, host: Host, site: FoundSite, nodes: Sequence[Node], entry: int) -> None:
        self._host = host
        self._entry = entry
        self._above: dict[int, int] = {}  # the item that each item lies below
        self._depth: dict[int, int] = {entry: 0}
        for node in nodes:
            self._place_items(node)
        self._linked = self._links(site)
        self._sections = self._owned(nodes)

    def _place_items(self, node: Node) -> None:
        owner = self.owner(node)
        for target in node.menu.items:
            if target not in self._depth and target != owner:
                self._above[target] = owner
                self._depth[target] = self._depth.get(owner, 0) + 1

    def owner(self, node: Node) -> int:
        """The item that a menu belongs to: one of the parent's that has the menu, or leads to most
        of its items. Of several, one that is no item of the menu itself.
        """
        if node.parent is None:
            return self._entry
        menu, above = node.menu, node.parent.menu.items
        candidates = [t for t in above if t in self._depth and t < len(self._host)]
        fitting = [t for t in candidates if t in menu.pages or self._lists_most(t, menu)]
        outside = [t for t in fitting if t not in menu.items]
        if fitting:
            return max(outside or fitting, key=lambda t: self._shown(t, menu))
        owners = [self._above[t] for t in menu.items if t in self._above]
        return owners[0] if owners else self._entry

    def _lists_most(self, target: int, menu: FoundMenu) -> bool:
        return self._shown(target, menu) * 2 >= len(menu.items)

    def _shown(self, target: int, menu: FoundMenu) -> int:
        """How many of a menu's items a page links to."""
        return len(set(self._host.leads(target)).intersection(menu.items))

    def _links(self, site: FoundSite) -> dict[int, int]:
        """Pages that an item links to, by that item; the deepest item wins, then the first."""
        found: dict[int, int] = {}
        items = [t for t in self._depth if t < len(self._host)]
        for item in sorted(items, key=lambda t: -self._depth[t]):
            for target in self._host.leads(item):
                if target in site.pages and target not in self._depth:
                    found.setdefault(target, item)
        return found

    def _owned(self, nodes: Sequence[Node]) -> dict[int, int]:
        """Pages that have the menu of a section, by the item that it belongs to."""
        found: dict[int, int] = {}
        for node in sorted(nodes, key=lambda each: each.level):
            if node.parent is not None and node.menu.above is None:
                owner = self.owner(node)
                found.update(dict.fromkeys(node.menu.pages, owner))
        return found

    def _section(self, page: int) -> int:
        linked = self._linked.get(page, self._entry)
        owner = self._sections.get(page, self._entry)
        return linked if self._depth.get(linked, 0) >= self._depth.get(owner, 0) else owner

    def linked_from(self, page: int) -> int | None:
        """The item whose link to a page tells its place, where no menu does."""
        return self._linked.get(page)

    def way(self, page: int) -> list[int]:
        """Targets from the entry to a page, both included."""
        way = [page]
        if page not in self._depth:
            way.append(self._section(page))
        while way[-1] in self._above:
            way.append(self._above[way[-1]])
        if way[-1] != self._entry:
            way.append(self._entry)
        return way[::-1]
