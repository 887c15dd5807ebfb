"""Sites as in MenuMiner (section 6.2): pages that share a menu, joined wherever menus overlap."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from webgeist.analyses.menus.alignment import align, matches
from webgeist.analyses.menus.cliques import Finder
from webgeist.analyses.menus.found import FoundMenu, FoundSite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.cliques import Clique
    from webgeist.analyses.menus.host import Host


def paper_sites(host: Host) -> list[FoundSite]:
    """The sites of a host, the largest first. The menu that most pages have is the main one, of
    several the first in the document.
    """
    carriers = _Carriers(host)
    menus = [carriers.menu(clique) for clique in Finder(host).run()]
    found = [_site(pages, joined) for pages, joined in _joined(menus, len(host))]
    return sorted(found, key=lambda site: (-len(site.pages), min(site.pages)))


def _site(pages: frozenset[int], menus: list[FoundMenu]) -> FoundSite:
    most = max(len(menu.pages) for menu in menus)
    largest = [menu for menu in menus if len(menu.pages) == most]
    page = min(largest[0].pages)
    main = min(largest, key=lambda menu: (menu.segments.get(page, 1 << 60), menu.items))
    return FoundSite(pages, menus, main, [])


class _Carriers:
    """Finds all pages that have a menu, also those that it does not link to."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._segments: defaultdict[int, list[int]] = defaultdict(list)
        for number, segment in enumerate(host.segments):
            for target in segment.targets:
                self._segments[target].append(number)

    def menu(self, clique: Clique) -> FoundMenu:
        host, wanted = self._host, frozenset(clique.members)
        paths = [host.paths[host.segments[each].path] for each in clique.members.values()]
        signature = align(paths)
        having = dict(clique.members)
        for number in self._candidates(wanted):
            segment = host.segments[number]
            if segment.page in having or not wanted <= {*segment.targets, segment.page}:
                continue
            if matches(signature, host.paths[segment.path]):
                having[segment.page] = number
        items = _displayed(host, clique)
        return FoundMenu(items, frozenset(having), having, clique.approximate)

    def _candidates(self, wanted: Iterable[int]) -> list[int]:
        """The segments that link to the item that the fewest link to."""
        return min((self._segments[each] for each in wanted), key=len)


def _displayed(host: Host, clique: Clique) -> list[int]:
    """The items in the order of the first page; its own stands where its link to itself is."""
    page = min(clique.members)
    segment = host.segments[clique.members[page]]
    targets = list(segment.targets)
    targets.insert(segment.own[0] if segment.own else 0, page)
    return [target for target in targets if target in clique.members]


def _joined(
    menus: Sequence[FoundMenu], pages: int
) -> Iterable[tuple[frozenset[int], list[FoundMenu]]]:
    """Menus with a page in common, and all their pages."""
    above = list(range(pages))

    def root(page: int) -> int:
        while above[page] != page:
            above[page] = above[above[page]]
            page = above[page]
        return page

    for menu in menus:
        first, *rest = menu.pages
        for page in rest:
            above[root(page)] = root(first)
    groups: defaultdict[int, list[FoundMenu]] = defaultdict(list)
    for menu in menus:
        groups[root(next(iter(menu.pages)))].append(menu)
    for joined in groups.values():
        yield frozenset().union(*(menu.pages for menu in joined)), joined
