"""Which pages are one site, by what their templates repeat. The default method.

The largest lists are looked at first. A list makes its pages a site, unless most of them have other
lists that divide them, and this one is no more than a bridge: its items lie in few of the parts and
lead to few of them, and it comes after those lists on the pages, or the parts know nothing of each
other. That is what footers, bars of a whole host and lists of languages do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.analyses.menus.lists import returned
from webgeist.analyses.menus.parts import COVERED, INSIDE, RECOGNISED, Parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.lists import Listed, Template

SMALLEST = 3  # pages of a site
_SPREAD = 0.5  # of the parts' pages, where a list has items
_TAKEN = 0.1  # of a list's pages that may be another site's
_ENOUGH = 2  # items that must have been brought, to say that they lead nowhere
_KNOWN = 0.6  # of its items that must have been brought, too
_STRAY = 0.02  # of a list's pages that may lead to another site by chance
_LOOKED = 3  # pages of a part that are asked for the order of lists


@dataclass(eq=False, slots=True)
class Border:
    """A site: the lists that made it, and its pages; some of them by their links alone."""

    lists: list[Listed]
    pages: set[int] = field(default_factory=set)
    by_links: set[int] = field(default_factory=set)


class Borders:
    """Divides the pages of a host."""

    def __init__(self, host: Host, template: Template) -> None:
        self._host = host
        self._template = template
        self._site: list[int | None] = [None] * len(host)
        self._sites: list[Border] = []
        self._items: dict[int, int] = {}
        self._lists = [each for each in template.lists if _defining(each)]
        self._numbers = {id(each): number for number, each in enumerate(self._lists)}
        self._of_page: list[list[int]] = [[] for _ in range(len(host))]
        for number, each in enumerate(self._lists):
            for page in each.pages:
                self._of_page[page].append(number)
        self._incoming = host.incoming()
        self._compare = Parts(host, template)
        self.bridges: list[Listed] = []

    def run(self) -> list[Border]:
        """The sites, in the order in which they were found."""
        late = [each for number, each in enumerate(self._lists) if not self._settle(number, each)]
        for each in late:
            self._absorb(each)
        for each in self._template.lists:
            self._recognise(each)
        for number, site in enumerate(self._sites):
            for each in site.lists:
                self._give(number, (t for t in each.known if self._site[t] is None))
        self._correct()
        for page, at in enumerate(self._site):
            if at is not None:
                self._sites[at].pages.add(page)
        return self._sites

    def _correct(self) -> None:
        """A page that came to a site by a stray link goes to the one whose menu it has."""
        items: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for number, site in enumerate(self._sites):
            for each in site.lists:
                for page in each.pages:
                    items[page][number] += len(each.inner)
        for page, counts in items.items():
            at = self._site[page]
            best, most = max(counts.items(), key=lambda pair: (pair[1], -pair[0]))
            if at is not None and most >= RECOGNISED > counts[at]:
                self._site[page] = best

    def _settle(self, number: int, each: Listed) -> bool:
        """Decide about a list; False where others must come first."""
        taken = Counter(self._site[page] for page in each.pages)
        free = taken.pop(None, 0)
        if not free or (self.bridges and not self._still_defines(each)):
            return True
        same = self._same_items(each, taken)
        if same is not None:
            self._give(same, each.pages - self._others(number, each))
            self._sites[same].lists.append(each)
            return True
        if taken.total() > _TAKEN * len(each.pages) and not self._outweighs(each):
            return False
        parts, covered = self._parts(number, each, RECOGNISED)  # menus say more than single links
        if covered < COVERED:
            parts, covered = self._parts(number, each)
        if covered >= COVERED and self._is_bridge(each, parts):
            self._add_bridge(each)
            return True
        self._found(each, self._others(number, each))
        return True

    def _add_bridge(self, each: Listed) -> None:
        """What pages lead to by a bridge says nothing of their sites any more."""
        self.bridges.append(each)
        leads = self._template.leads
        for page in each.pages & leads.keys():
            leads[page] = leads[page].difference(each.items)

    def _still_defines(self, each: Listed) -> bool:
        each.returned = returned(each, self._template.leads)
        return _defining(each)

    def _outweighs(self, each: Listed) -> bool:
        """Whether a list is a menu, and what has taken some of its pages are single links."""
        taken = [page for page in each.pages if self._site[page] is not None]
        if len(each.returned) < RECOGNISED or len(taken) * 2 > len(each.pages):
            return False
        return sum(map(self._is_held, taken)) <= _TAKEN * len(each.pages)

    def _is_held(self, page: int) -> bool:
        """Whether a page has a menu of its site."""
        at = self._site[page]
        lists = self._sites[at].lists if at is not None else ()
        return any(page in one.pages for one in lists if len(one.inner) >= RECOGNISED)

    def _found(self, each: Listed, others: set[int]) -> None:
        self._sites.append(Border([each]))
        self._give(len(self._sites) - 1, each.pages - others)
        for target in each.inner:
            if target >= len(self._host) or target in each.returned:
                self._items.setdefault(target, len(self._sites) - 1)

    def _give(self, site: int, pages: Iterable[int]) -> None:
        for page in pages:
            if self._site[page] is None:
                self._site[page] = site

    def _same_items(self, each: Listed, taken: Mapping[int | None, int]) -> int | None:
        """The site whose menu has at least half of a list's items: the menu in another place."""
        sites = Counter(self._items[t] for t in each.returned if t in self._items)
        if not sites:
            return None
        site, items = sites.most_common(1)[0]
        largest = max(taken, key=lambda one: taken[one], default=site)
        enough = items > 1 or taken.get(site, 0) > 0
        return site if enough and items * 2 >= len(each.inner) and largest == site else None

    def _absorb(self, each: Listed) -> None:
        """Pages that share a list with a site and have nothing else to go by."""
        taken = Counter(self._site[page] for page in each.pages)
        if taken.pop(None, 0) and taken:
            site, pages = taken.most_common(1)[0]
            if site is not None and pages * 2 >= len(each.pages):
                self._give(site, each.pages)

    def _recognise(self, each: Listed) -> None:
        """Pages that nothing of a site leads to, but that show its menu: old ones, mostly."""
        sites = Counter(self._items[t] for t in each.inner if t in self._items)
        if sites:
            site, items = sites.most_common(1)[0]
            if items >= RECOGNISED and items * 2 >= len(each.inner):
                self._give(site, each.pages)

    # --- bridges -------------------------------------------------------------------------------

    def _is_bridge(self, each: Listed, parts: Sequence[Listed]) -> bool:
        if len(parts) <= 1:
            return False
        if self._compare.are_whole(each, parts, self._has_below) and not self._compare.are_sections(
            parts
        ):
            return True
        if self._reached(each, parts, 0.5) >= _SPREAD:
            few = len(each.items) < RECOGNISED
            apart = few or self._compare.differ(each, parts) or self._names_sites(each, parts)
            return apart and not self._compare.are_sections(parts)
        if not self._comes_first(each, parts):
            return bool(each.known) or not self._compare.are_sections(parts)
        if len(each.known) < max(_ENOUGH, _KNOWN * len(each.inner)):  # too few to tell
            lone = not each.known and len(each.items) < RECOGNISED  # such as a logo
            return lone and self._have_menus(parts) and not self._compare.are_sections(parts)
        alone = self._reached(each, parts, 0.0) < _SPREAD
        return alone and not self._compare.hang_together(parts)

    def _have_menus(self, parts: Sequence[Listed]) -> bool:
        """Whether most pages are in parts with a menu."""
        with_menu = sum(len(part.pages) for part in parts if len(part.inner) >= RECOGNISED)
        return with_menu >= COVERED * sum(len(part.pages) for part in parts)

    def _names_sites(self, each: Listed, parts: Sequence[Listed]) -> bool:
        """Whether a list comes after the parts' own and reaches them by its own items alone: as
        footers do that name some sites of the host. Parts without a menu are no sites.
        """
        if not self._have_menus(parts):
            return False
        own = self._reached(each, parts, 0.5, but=frozenset(each.items)) >= _SPREAD
        return not own and not self._comes_first(each, parts)

    def _reached(
        self,
        each: Listed,
        parts: Sequence[Listed],
        share: float,
        but: frozenset[int] = frozenset(),
    ) -> float:
        """The share of the parts' pages whose part a list reaches: by more than that share of its
        items, which are in the part or have links into it, `but` others than these.
        """
        leads = self._template.leads
        total = reached = 0
        for part in parts:
            pages = part.pages - but
            items = sum(t in part.pages or not leads[t].isdisjoint(pages) for t in each.known)
            total += len(part.pages)
            if items and items >= share * len(each.known):
                reached += len(part.pages)
        return reached / total

    def _has_below(self, part: Listed) -> bool:
        return bool(self._parts(self._numbers[id(part)], part, RECOGNISED)[0])

    def _others(self, number: int, each: Listed) -> set[int]:
        """The pages of those parts that are sites of their own: they have a menu, and lead to an
        item of the list, which is their neighbour's; but nothing there leads to them.
        """
        if not each.known or len(each.inner) >= RECOGNISED:
            return set()
        parts = self._parts(number, each, RECOGNISED)[0]
        first = max(
            (part for part in parts if not part.pages.isdisjoint(each.known)),
            key=lambda part: len(part.pages),
            default=None,
        )
        found: set[int] = set()
        for part in parts:
            if part is not first and not self._is_reached(each, part):
                found |= part.pages
        return found if len(found) < len(each.pages) else set()

    def _is_reached(self, each: Listed, part: Listed) -> bool:
        """Whether the items of a list, or other pages that have it, lead to a part's pages."""
        inside = part.pages.union(part.inner).difference(each.items)
        leads, known = self._template.leads, range(len(self._host))
        if any(t not in part.pages and not leads[t].isdisjoint(inside) for t in each.known):
            return True
        sources = [set(self._incoming[t].tolist()) - part.pages for t in inside if t in known]
        sources.sort(key=len)
        found = set().union(*sources[:-1])  # others may well lead to its first page
        return len(found & each.pages) > _STRAY * len(each.pages)

    def _parts(self, number: int, each: Listed, fewest: int = 1) -> tuple[list[Listed], float]:
        """Smaller lists that divide the pages of a large one, and the share that they have."""
        counts = Counter(n for page in each.pages for n in self._of_page[page] if n > number)
        parts: list[Listed] = []
        covered: set[int] = set()
        for smaller in sorted(counts):
            part = self._lists[smaller]
            if len(part.pages) >= INSIDE * len(each.pages) or len(part.inner) < fewest:
                continue
            if counts[smaller] < INSIDE * len(part.pages):
                continue
            if len(part.pages & covered) <= _TAKEN * len(part.pages):
                parts.append(part)
                covered |= part.pages
        return parts, len(covered & each.pages) / len(each.pages)

    def _comes_first(self, each: Listed, parts: Sequence[Listed]) -> bool:
        """Whether pages show a list before those that divide them."""
        before = asked = 0
        for part in parts:
            for page in sorted(part.pages & each.pages)[:_LOOKED]:
                places = self._compare.first[page]
                asked += 1
                before += places[each.place] <= places[part.place]
        return before * 2 >= asked


def _defining(each: Listed) -> bool:
    """Whether a list can make a site: most of its items that are known are of it."""
    return not each.known or len(each.returned) * 2 >= len(each.known)
