"""The menus of each site, from the lists that its template repeats."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from webgeist.analyses.menus.borders import Borders
from webgeist.analyses.menus.found import FoundMenu, FoundSite
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.lists import find_lists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.borders import Border
    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.lists import Listed, Place, Template

FEWEST = 3  # items of a menu
_PAIR = 2  # items of a main menu where there is no larger one
_BELONGS = 0.8  # of a list's pages that are of a site, if it is the site's
_MAIN = 0.8  # of the pages that the most common menu has, if another may be the main one
_EVERYWHERE = 0.9  # of a site's pages
_SAME = 0.9  # of two lists' pages, if they are parts of one menu
_ASKED = 8  # pages of a list that are looked at
_WHOLE = 0.7  # of them, if they show it as a list of its own
_SHOWN = 0.75  # of its items, if a page does
_REPEATED = 0.8  # of two lists' items, if one is the other, shown once more


def template_sites(host: Host) -> list[FoundSite]:
    """The sites of a host, the largest first, with their menus."""
    template = find_lists(host)
    borders = [border for border in Borders(host, template).run() if border.pages]
    mine = _lists_of(borders, template, len(host))
    navigation = _Navigation(host, template)
    found = [navigation.site(b, mine[n]) for n, b in enumerate(borders)]
    return sorted(found, key=lambda site: (-len(site.pages), min(site.pages)))


def _lists_of(borders: Sequence[Border], template: Template, pages: int) -> dict[int, list[Listed]]:
    """The lists that have nearly all their pages in one site."""
    site_of = [-1] * pages
    for number, border in enumerate(borders):
        for page in border.pages:
            site_of[page] = number
    found: dict[int, list[Listed]] = defaultdict(list)
    for each in template.lists:
        counts: dict[int, int] = defaultdict(int)
        for page in each.pages:
            counts[site_of[page]] += 1
        site = max(counts, key=lambda one: counts[one])
        if site >= 0 and counts[site] >= _BELONGS * len(each.pages):
            found[site].append(each)
    return found


class _Navigation:
    def __init__(self, host: Host, template: Template) -> None:
        self._host = host
        self._template = template

    def site(self, border: Border, lists: Sequence[Listed]) -> FoundSite:
        main = self._main(border, lists)
        home = self._home(border, lists)
        if main is None:
            return FoundSite(frozenset(border.pages), [], None, home)
        menus = self._menus(main, lists)
        return FoundSite(frozenset(border.pages), menus, menus[0], home)

    # --- the main menu -------------------------------------------------------------------------

    def _main(self, border: Border, lists: Sequence[Listed]) -> Listed | None:
        """The first on the pages of the lists that most pages have."""
        common = [e for e in lists if len(e.pages) * 2 >= len(border.pages)]
        for fewest in (FEWEST, _PAIR):
            large = [e for e in common if len(e.items) >= fewest and len(e.inner) >= _PAIR]
            most = max((len(each.pages) for each in large), default=0)
            near = [each for each in large if len(each.pages) >= _MAIN * most]
            if near:
                return min(near, key=lambda each: (self._position(each), each.place))
        return None

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
        everywhere = [e for e in lists if len(e.pages) >= _EVERYWHERE * len(border.pages)]
        targets = dict.fromkeys(t for e in everywhere or border.lists for t in e.inner)
        return sorted(targets, key=lambda t: page_key(self._host.targets[t]).count("/"))

    # --- all menus -----------------------------------------------------------------------------

    def _menus(self, main: Listed, lists: Sequence[Listed]) -> list[FoundMenu]:
        """The main menu first, then lists inside it, then all others that are menus."""
        inside: list[Listed] = []
        beside: list[Listed] = [main]
        others: list[Listed] = []
        for each in lists:
            if each is main:
                continue
            relation = self._relation(main, each)
            (inside if relation > 0 else beside if relation == 0 else others).append(each)
        first = self._menu(self._in_order(beside))
        found = [first]
        for each in inside:
            if len(each.items) > 1:
                found.append(self._menu([each]))
                found[-1].above = first
        for each in others:
            if self._is_menu(each) and not any(_repeats(each, menu) for menu in found):
                found.append(self._menu([each]))
        return found

    def _relation(self, main: Listed, each: Listed) -> int:
        """1: inside the main menu. 0: a part of it, beside the others. -1: another one."""
        if _overlap(main.pages, each.pages) < _SAME:
            return -1
        here, there = (self._template.places[one.place] for one in (main, each))
        if len(there) > len(here) and there[: len(here)] == here:
            return 1
        return 0 if here == there or (_beside(here, there) and len(each.inner) > 1) else -1

    def _is_menu(self, each: Listed) -> bool:
        """Enough items; most of those that are known have the list themselves; and pages show it as
        a list of its own, not as some links among others.
        """
        if len(each.inner) < FEWEST:
            return False
        having = sum(target in each.pages for target in each.known)
        if having * 2 < len(each.known):
            return False
        asked = sorted(each.pages)[:: max(1, len(each.pages) // _ASKED)][:_ASKED]
        whole = sum(self._is_whole(page, each) for page in asked)
        return whole >= _WHOLE * len(asked)

    def _is_whole(self, page: int, each: Listed) -> bool:
        wanted = {target for target in each.items if target != page}
        number = self._segment(page, {each.place}, wanted)
        if number is None:
            return False
        targets = self._host.segments[number].targets
        shown = sum(target in wanted for target in targets)
        return shown >= _SHOWN * len(wanted) and shown * 2 >= len(targets)

    def _in_order(self, lists: Sequence[Listed]) -> list[Listed]:
        return sorted(lists, key=lambda each: (self._position(each), each.place, each.items))

    def _menu(self, lists: Sequence[Listed]) -> FoundMenu:
        items = list(dict.fromkeys(t for each in lists for t in each.items))
        pages = frozenset().union(*(each.pages for each in lists))
        places, wanted = {each.place for each in lists}, set(items)
        segments = {p: n for p in pages if (n := self._segment(p, places, wanted)) is not None}
        return FoundMenu(items, pages, segments)

    def _segment(self, page: int, places: set[int], wanted: set[int]) -> int | None:
        """The segment of a page that has most of a menu's links."""
        host, place_of = self._host, self._template.place_of
        best, most = None, 0
        for number in host.of_page(page):
            segment = host.segments[number]
            if place_of[segment.path] in places:
                shown = sum(target in wanted for target in segment.targets)
                if shown > most:
                    best, most = number, shown
        return best


def _repeats(each: Listed, menu: FoundMenu) -> bool:
    """Whether a list is a menu shown once more on the same pages."""
    return _overlap(each.items, menu.items) >= _REPEATED and len(
        menu.pages & each.pages
    ) >= _BELONGS * len(each.pages)


def _overlap(one: Iterable[int], other: Iterable[int]) -> float:
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second)


def _beside(one: Place, other: Place) -> bool:
    """Whether two places are children of one element."""
    return len(one) == len(other) and one[:-1] == other[:-1] and len(one) > FEWEST
