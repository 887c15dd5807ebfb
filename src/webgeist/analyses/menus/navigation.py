"""The menus of each site, from the lists that its template repeats."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from webgeist.analyses.menus.attaching import attach
from webgeist.analyses.menus.borders import Borders
from webgeist.analyses.menus.found import FoundSite
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.joining import FEWEST, Menus
from webgeist.analyses.menus.lists import find_lists, lists_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.menus.borders import Border
    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.lists import Listed, Template

_PAIR = 2  # items of a main menu where there is no larger one
_BELONGS = 0.8  # of a list's pages that are of a site, if it is the site's
_MAIN = 0.8  # of the pages that the most common menu has, if another may be the main one
_DEEP = 4  # steps of a place that is an element of the template, not the page as a whole
_EVERYWHERE = 0.9  # of a site's pages


def template_sites(host: Host) -> list[FoundSite]:
    """The sites of a host, the largest first, with their menus."""
    template = find_lists(host)
    found_borders = Borders(host, template).run()
    attach(host, found_borders, _without_menu(Menus(host, template), found_borders, template))
    borders = [border for border in found_borders if border.pages]
    navigation = _Navigation(host, template)
    shared = _shared(borders, template, len(host))
    found = []
    for border in borders:
        lists = lists_of(host, template, border.pages)
        own = [e for e in lists if not _is_among(e, shared) or _is_of(e, border.pages)]
        found.append(navigation.site(border, own))
    return sorted(found, key=lambda site: (-len(site.pages), min(site.pages)))


def _without_menu(menus: Menus, borders: Sequence[Border], template: Template) -> set[int]:
    """The sites that no list makes: none that half of their pages have can be a menu."""
    site_of = {page: number for number, border in enumerate(borders) for page in border.pages}
    found = set(range(len(borders)))
    for each in template.lists:
        counts = Counter(site_of[page] for page in each.pages if page in site_of)
        for site, pages in counts.items():
            enough = pages * 2 >= len(borders[site].pages)
            if site in found and enough and menus.stands_alone(each):
                found.discard(site)
    return found


def _shared(borders: Sequence[Border], template: Template, pages: int) -> set[tuple[int, int]]:
    """The links, by place and target, of lists that several sites have: footers, mostly."""
    site_of = [-1] * pages
    for number, border in enumerate(borders):
        for page in border.pages:
            site_of[page] = number
    found: set[tuple[int, int]] = set()
    for each in template.lists:
        sites = Counter(site_of[page] for page in each.pages)
        most = max(sites.values())
        if len(each.items) >= _PAIR and most < _BELONGS * len(each.pages):
            found.update((each.place, target) for target in each.items)
    return found


def _is_among(each: Listed, shared: set[tuple[int, int]]) -> bool:
    return sum((each.place, target) in shared for target in each.items) * 2 > len(each.items)


def _is_of(each: Listed, pages: set[int]) -> bool:
    """Whether the items of a list are a site's own pages: others have copied its menu."""
    return len(each.items) >= FEWEST and pages.issuperset(each.items)


class _Navigation:
    def __init__(self, host: Host, template: Template) -> None:
        self._host = host
        self._template = template

    def site(self, border: Border, lists: Sequence[Listed]) -> FoundSite:
        pages, by_links = frozenset(border.pages), frozenset(border.by_links)
        main = self._main(border, lists)
        home = self._home(border, lists)
        if main is None:
            return FoundSite(pages, [], None, home, by_links)
        menus = Menus(self._host, self._template).of(main, lists)
        return FoundSite(pages, menus, menus[0], home, by_links)

    # --- the main menu -------------------------------------------------------------------------

    def _main(self, border: Border, lists: Sequence[Listed]) -> Listed | None:
        """The first on the pages of the lists that most pages have."""
        size = len(border.pages) - len(border.by_links)
        common = [each for each in lists if len(each.pages) * 2 >= size]
        together = Counter[tuple[int, int]]()  # items of lists that stand side by side
        for each in common:
            together[each.place, len(each.pages)] += len(each.items)
        for fewest in (FEWEST, _PAIR):
            large = [
                each
                for each in common
                if together[each.place, len(each.pages)] >= fewest and len(each.inner) >= _PAIR
            ]
            most = max((len(each.pages) for each in large), default=0)
            near = [each for each in large if len(each.pages) >= _MAIN * most]
            if (
                near
            ):  # links that lead to no page, as those of a calendar, are no menu beside others
                known = [each for each in near if each.known] or near
                first = min(known, key=lambda each: (self._position(each), each.place))
                return self._around(first, common)
        return None

    def _around(self, inner: Listed, lists: Sequence[Listed]) -> Listed:
        """The list that another is shown inside of, where there is one: drop-down lists may be the
        larger part of a menu, and not its highest.
        """
        places = self._template.places
        here = places[inner.place]
        around = [
            each
            for each in lists
            if each.inner
            and _DEEP <= len(places[each.place]) < len(here)
            and here[: len(places[each.place])] == places[each.place]
            and len(each.pages & inner.pages)
            >= _EVERYWHERE * max(len(each.pages), len(inner.pages))
        ]
        return min(around, key=lambda each: len(places[each.place]), default=inner)

    def _position(self, each: Listed) -> float:
        """Where pages show a list, as the number of the segment; the median of some."""
        found = []
        for page in sorted(each.pages)[:5]:
            numbers = [n for n in self._host.of_page(page) if self._has(n, each)]
            if numbers:
                found.append(numbers[0] - self._host.starts[page])
        return sorted(found)[len(found) // 2] if found else float("inf")

    def _has(self, number: int, each: Listed) -> bool:
        segment = self._host.segments[number]
        place = self._template.place_of[segment.path]
        return place == each.place and not set(each.items).isdisjoint(segment.targets)

    def _home(self, border: Border, lists: Sequence[Listed]) -> list[int]:
        """What all pages lead to, the shortest address first: the entry of the site, mostly."""
        everywhere = [
            e
            for e in lists
            if len(e.pages) >= _EVERYWHERE * (len(border.pages) - len(border.by_links))
        ]
        targets = dict.fromkeys(t for e in everywhere or border.lists for t in e.inner)
        return sorted(targets, key=lambda t: page_key(self._host.targets[t]).count("/"))
