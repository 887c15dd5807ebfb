"""The menus of a site, joined from its lists: one menu may be shown as several."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from webgeist.analyses.menus.found import FoundMenu
from webgeist.analyses.menus.lists import in_order, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.lists import Listed, Place, Template

FEWEST = 3  # items of a menu
_BELONGS = 0.8  # of a list's pages that have a menu, if it may be the menu shown once more
_SAME = 0.9  # of two lists' pages, if they are parts of one menu
_ASKED = 8  # pages of a list that are looked at
_WHOLE = 0.7  # of them, if they show it as a list of its own
_SHOWN = 0.75  # of its items, if a page does
_REPEATED = 0.8  # of two lists' items, if one is the other, shown once more
_STRANGE = 5  # items that were not brought; fewer may be missing by chance
_NEAR = 2  # last steps of two places that may differ where lists stand beside each other


class Menus:
    """Makes menus of lists."""

    def __init__(self, host: Host, template: Template) -> None:
        self._host = host
        self._template = template

    def of(self, main: Listed, lists: Sequence[Listed]) -> list[FoundMenu]:
        """The main menu first, then those inside it, then all others."""
        inside: list[Listed] = []
        beside: list[Listed] = [main]
        others: list[Listed] = []
        for each in lists:
            if each is main:
                continue
            relation = self._relation(main, each)
            (inside if relation > 0 else beside if relation == 0 else others).append(each)
        found = self._main(beside, inside)
        for each in others:
            if self._is_menu(each, found[0]) and not any(_repeats(each, menu) for menu in found):
                found.append(self._menu([each]))
        return found

    def _relation(self, main: Listed, each: Listed) -> int:
        """1: inside the main menu. 0: a part of it, beside the others. -1: another one."""
        if len(main.pages & each.pages) < _SAME * len(main.pages):
            return -1
        if main.known and not each.known and len(each.inner) >= _STRANGE:
            return -1  # the days of a calendar, perhaps
        here, there = (self._template.places[one.place] for one in (main, each))
        if len(there) > len(here) and there[: len(here)] == here:
            return 1
        if not each.inner or _overlap(main.pages, each.pages) < _SAME:
            return -1
        return 0 if here == there or (_beside(here, there) and len(each.inner) > 1) else -1

    def _main(self, beside: list[Listed], inside: Sequence[Listed]) -> list[FoundMenu]:
        """The main menu and the menus that hang below its items. A list inside it that hangs below
        no item, but below plain words, is a part of it.
        """
        items = {target for each in beside for target in each.items}
        hanging: list[Listed] = []
        heads = {id(each): self._head(each) for each in inside}
        for each in sorted(inside, key=lambda one: len(self._template.places[one.place])):
            if heads[id(each)] in items:
                hanging.append(each)
            else:
                beside.append(each)
            items.update(each.items)
        found = [self._menu(beside)]
        for each in hanging:
            if len(each.items) > 1:
                above = next((m for m in found if heads[id(each)] in m.items), found[0])
                found.append(self._menu([each]))
                found[-1].above = above
        return found

    def _head(self, each: Listed) -> int | None:
        """The item that a list hangs below, as most pages have it. A link to the page itself is
        none: such links open and close what is below them.
        """
        counts: Counter[int | None] = Counter()
        for page in self._asked(each):
            number = self._segment(page, {each.place}, set(each.items))
            head = None if number is None else self._host.segments[number].head
            if head != page:
                counts[head] += 1
        return counts.most_common(1)[0][0] if counts else None

    def _asked(self, each: Listed) -> list[int]:
        return spread(each.pages, _ASKED)

    def _is_menu(self, each: Listed, main: FoundMenu) -> bool:
        """Enough items; most of those that are known have the list themselves; and pages show it as
        a list of its own, or among the items of the main menu, not as some links among others.
        """
        if len(each.inner) < FEWEST:
            return False
        having = sum(target in each.pages for target in each.known)
        if having * 2 < len(each.known):
            return False
        return self._is_shown_whole(each, set(main.items))

    def stands_alone(self, each: Listed) -> bool:
        """Whether a list is long enough for a menu, and pages show it as one."""
        return len(each.inner) >= FEWEST and self._is_shown_whole(each, set())

    def _is_shown_whole(self, each: Listed, main: set[int]) -> bool:
        asked = self._asked(each)
        whole = sum(self._is_whole(page, each, main) for page in asked)
        return whole >= _WHOLE * len(asked)

    def _is_whole(self, page: int, each: Listed, main: set[int]) -> bool:
        wanted = {target for target in each.items if target != page}
        number = self._segment(page, {each.place}, wanted)
        if number is None:
            return False
        targets = [t for t in self._host.segments[number].targets if t in wanted or t not in main]
        shown = sum(target in wanted for target in targets)
        return shown >= _SHOWN * len(wanted) and shown * 2 >= len(targets)

    def _menu(self, lists: Sequence[Listed]) -> FoundMenu:
        first = lists[0].pages  # other editions may share a part of the menu
        pages = first.union(*(e.pages for e in lists if _overlap(e.pages, first) >= _SAME))
        places = {each.place for each in lists}
        wanted = {target for each in lists for target in each.items}
        segments = {p: n for p in pages if (n := self._segment(p, places, wanted)) is not None}
        return FoundMenu(self._in_order(lists, pages, places), pages, segments)

    def _in_order(
        self, lists: Sequence[Listed], pages: Iterable[int], places: set[int]
    ) -> list[int]:
        """The items as pages show them: in the order of those that show the most."""
        items = list(dict.fromkeys(target for each in lists for target in each.items))
        wanted = set(items)
        if len(lists) == 1:
            return items
        shown = [self._displayed(page, places, wanted) for page in spread(pages, _ASKED)]
        return in_order([*sorted(shown, key=len, reverse=True), *([item] for item in items)])

    def _displayed(self, page: int, places: set[int], wanted: set[int]) -> list[int]:
        found: list[tuple[float, int]] = []
        for number in self._host.of_page(page):
            segment = self._host.segments[number]
            if self._template.place_of[segment.path] in places:
                found.extend(pair for pair in segment.shown() if pair[1] in wanted)
        return list(dict.fromkeys(target for _, target in sorted(found)))

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
    """Whether two places are below one element and made of the same elements."""
    if len(one) != len(other) or len(one) <= FEWEST + 1:
        return len(one) == len(other) == FEWEST + 1 and one[:-1] == other[:-1]
    above = len(one) - _NEAR
    return one[:above] == other[:above] and all(
        a[0] == b[0] for a, b in zip(one[above:], other[above:], strict=True)
    )
