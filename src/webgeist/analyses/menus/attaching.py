"""Pages that share no menu with a site and still are its: all their links say so.

Indexes, lists of source code, pages of frames: a template gives them nothing in common with the
rest. What is known of them are their links, and that is weak evidence. So only those join a site
whose links lead to it alone and that it leads to, and they are marked. A group of pages that
has a menu of its own stays what it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from webgeist.analyses.menus.identity import host_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webgeist.analyses.menus.borders import Border
    from webgeist.analyses.menus.host import Host

_ALONE = 0.9  # of the links to and from other groups, if they are with one of them
_MOSTLY = 0.5  # of them, where the others have no menu either
_TOUCHED = 0.3  # of a group's pages, if its links are no strays
_ROUNDS = 10


def attach(host: Host, borders: Sequence[Border], weak: set[int]) -> None:
    """Join pages without a site, and those sites that are weak, without a menu, to those that their
    links are with. Borders change in place; those that have been joined to others are left empty.
    """
    groups = _Groups(host, borders, weak)
    for _ in range(_ROUNDS):
        pages = [page for page, at in enumerate(groups.site) if at is None]
        joined = [groups.join_page(page) for page in pages]
        small = sorted(weak, key=lambda number: (len(borders[number].pages), number))
        gone = {number for number in small if groups.join_border(number)}
        weak -= gone  # what has been joined to another is that one's
        if not gone and not any(joined):
            break


class _Groups:
    def __init__(self, host: Host, borders: Sequence[Border], weak: set[int]) -> None:
        self._borders = borders
        self._weak = weak
        self._incoming = host.incoming()
        self._leads: list[set[int]] = []
        self._missing: list[set[int]] = []
        self._sources: defaultdict[int, list[int]] = defaultdict(list)  # of what was not brought
        hosts = {host_key(url) for url in host.urls}
        for page in range(len(host)):
            targets = set(host.leads(page))
            self._leads.append({target for target in targets if target < len(host)})
            self._missing.append(targets - self._leads[-1])
            for target in self._missing[-1]:
                if host_key(host.targets[target]) in hosts:
                    self._sources[target].append(page)
        self.site: list[int | None] = [None] * len(host)
        for number, border in enumerate(borders):
            for page in border.pages:
                self.site[page] = number

    def join_page(self, page: int) -> bool:
        shared = [site for t in self._missing[page] for site in self._only_sources(t)]
        to = self._only_neighbour([page], None, shared)
        if to is None or len(self._missing[page]) - len(shared) > len(self._leads[page]) + len(
            shared
        ):
            return False
        self._give(to, [page])
        return True

    def join_border(self, number: int) -> bool:
        border = self._borders[number]
        to = self._only_neighbour(sorted(border.pages), number)
        if to is None or (to in self._weak and self._is_smaller(to, number)):
            return False
        touched = sum(to in self._around(page) for page in border.pages)
        if touched < _TOUCHED * len(border.pages):
            return False
        self._give(to, border.pages)
        border.pages = set()
        return True

    def _is_smaller(self, one: int, other: int) -> bool:
        """Whether a site is smaller than another that leads to it: it is the one to be joined."""
        pages = self._borders[other].pages
        if len(self._borders[one].pages) >= len(pages):
            return False
        return any(self.site[target] == one for page in pages for target in self._leads[page])

    def _give(self, to: int, pages: Sequence[int] | set[int]) -> None:
        self._borders[to].pages.update(pages)
        self._borders[to].by_links.update(pages)
        for page in pages:
            self.site[page] = to

    def _only_sources(self, target: int) -> set[int]:
        """The site that leads to an address which was not brought, if it is the only one."""
        found = set(self._sites(self._sources.get(target, ())))
        return found if len(found) == 1 else set()

    def _only_neighbour(
        self, pages: Sequence[int], own: int | None, shared: Sequence[int] = ()
    ) -> int | None:
        """The site that nearly all links of some pages are with, in both directions together, and
        that has a link to them. `shared` are sites that lead to the same addresses which were not
        brought.
        """
        there = Counter(at for page in pages for at in self._sites(self._leads[page]))
        here = Counter(at for page in pages for at in self._sites(self._incoming[page].tolist()))
        both: Counter[int] = there + here + Counter(shared)
        if own is not None:
            both.pop(own, None)
        if not both:
            return None
        site, links = max(both.items(), key=lambda pair: (pair[1], -pair[0]))
        strong = sum(n for at, n in both.items() if at != site and at not in self._weak)
        share = _MOSTLY if strong <= (1 - _ALONE) * both.total() else _ALONE
        return site if links >= share * both.total() and (here[site] or site in shared) else None

    def _around(self, page: int) -> set[int]:
        """The sites that a page has links with."""
        return {*self._sites(self._leads[page]), *self._sites(self._incoming[page].tolist())}

    def _sites(self, pages: Iterable[int]) -> Iterator[int]:
        return (at for page in pages if (at := self.site[page]) is not None)
