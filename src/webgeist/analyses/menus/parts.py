"""What the parts of a list are: sections of one site, or sites of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.lists import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.lists import Listed, Template

RECOGNISED = 3  # items of a menu by which a page without another is known
COVERED = 0.6  # of a list's pages, if others divide them
INSIDE = 0.9  # of a part's pages, if it is one of a list's
_REFERS = 0.1  # of a part's links, if it refers to another
_TWICE = 2  # of its pages, at least
_LISTED = 0.4  # of a list's items, if it is one of sites
_REPEATED = 0.7  # of a part's pages, if a link is its template's
_FEWEST = 3  # sites that a list of sites has
_IN_MENUS = 0.4  # of the pages of such a list, at least: other sites have no menu
_ASKED = 8  # pages of a part that are asked where they lead


class Parts:
    """Compares smaller lists that divide the pages of a large one."""

    def __init__(self, host: Host, template: Template) -> None:
        self._host = host
        self._template = template
        self.first = first_places(host, template.place_of)

    def are_sections(self, parts: Sequence[Listed]) -> bool:
        """Whether they are of one site: chapters of a book, or parts that refer to each other."""
        return self._lie_together(parts) or self.hang_together(parts)

    def differ(self, each: Listed, parts: Sequence[Listed]) -> bool:
        """Whether parts have menus and templates of their own: most places of links are found in
        one alone. So it is under a bar that lists all sites of a host; sections are alike.
        """
        if any(len(part.inner) < RECOGNISED for part in parts):
            return False
        places = [self._places(part) - {each.place} for part in parts]
        having = Counter(place for some in places for place in some)
        own = [sum(having[place] == 1 for place in some) * 2 > len(some) for some in places]
        return sum(own) >= COVERED * len(parts)

    def are_whole(
        self, each: Listed, parts: Sequence[Listed], divided: Callable[[Listed], bool]
    ) -> bool:
        """Whether parts are sites by what they have: many pages are in parts with a menu, many of
        the items lead to one, and most parts repeat more than their menu, such as a logo that leads
        to their own first page, or have menus below it. Sections mostly have their menu alone.
        """
        menus = [part for part in parts if len(part.inner) >= RECOGNISED]
        if len(menus) < _FEWEST or _size(menus) < _IN_MENUS * len(each.pages):
            return False
        inside = set().union(*(part.pages.union(part.inner) for part in menus))
        if len(inside.intersection(each.inner)) < _LISTED * len(each.inner):
            return False
        repeated = [self._repeated(part) for part in menus]
        having = Counter(link for links in repeated for link in links)
        own = [{link[0] for link in links if having[link] == 1} for links in repeated]
        whole = [
            bool(places - {part.place}) or divided(part)
            for part, places in zip(menus, own, strict=True)
        ]
        return sum(whole) >= COVERED * len(menus)

    def _repeated(self, part: Listed) -> set[tuple[int, int]]:
        """The links, by place and target, that most pages of a part have."""
        pages = spread(part.pages, _ASKED)
        place_of = self._template.place_of
        counts = Counter(link for page in pages for link in self._host.links_of(page, place_of))
        return {link for link, count in counts.items() if count >= _REPEATED * len(pages)}

    def _places(self, part: Listed) -> set[int]:
        return {place for page in sorted(part.pages)[:_ASKED] for place in self.first[page]}

    def hang_together(self, parts: Sequence[Listed]) -> bool:
        """Whether most pages are in parts that refer to each other. Sections of a site do, sites
        hardly. What the pages of a part have in common is its template's, and does not count.
        """
        part_of = {page: n for n, part in enumerate(parts) for page in part.pages}
        above = list(range(len(parts)))
        for n, part in enumerate(parts):
            for other in self._referred(part, part_of):
                above[_root(above, n)] = _root(above, other)
        sizes: Counter[int] = Counter()
        for n, part in enumerate(parts):
            sizes[_root(above, n)] += len(part.pages)
        return max(sizes.values()) >= COVERED * sizes.total()

    def _referred(self, part: Listed, part_of: Mapping[int, int]) -> Iterable[int]:
        """The parts that a part refers to: two of some pages do, and not by its template. One link
        may be there by chance, and chance joins any number of sites.
        """
        pages = spread(part.pages, _ASKED)
        leads = [set(self._host.leads(page)) for page in pages]
        counts = Counter(target for targets in leads for target in targets)
        few = {t for t, n in counts.items() if t in part_of and (n * 2 < len(pages) or n == 1)}
        links = Counter(part_of[t] for targets in leads for t in targets & few)
        sources = Counter(n for targets in leads for n in {part_of[t] for t in targets & few})
        for other, count in links.items():
            if count >= _REFERS * links.total() and sources[other] >= min(_TWICE, len(pages)):
                yield other

    def _lie_together(self, parts: Sequence[Listed]) -> bool:
        """Whether the pages of all parts are in one folder, and most parts have no menu: so it is
        with the chapters of a book.
        """
        if sum(len(part.inner) >= RECOGNISED for part in parts) * 2 > len(parts):
            return False
        folders = Counter(
            page_key(self._host.urls[page]).rpartition("/")[0]
            for part in parts
            for page in part.pages
        )
        return max(folders.values()) >= INSIDE * folders.total()


def first_places(host: Host, place_of: Sequence[int]) -> list[dict[int, int]]:
    """Where on its page each place comes first."""
    found: list[dict[int, int]] = [defaultdict(lambda: 1 << 30) for _ in range(len(host))]
    for number, segment in enumerate(host.segments):
        places = found[segment.page]
        place = place_of[segment.path]
        if place not in places:
            places[place] = number
    return found


def _size(parts: Iterable[Listed]) -> int:
    return len(frozenset().union(*(part.pages for part in parts)))


def _root(above: list[int], part: int) -> int:
    while above[part] != part:
        part = above[part]
    return part
