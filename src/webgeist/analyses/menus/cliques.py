"""Segment cliques: pages that reach each other by one menu (MenuMiner, sections 3.3 and 5).

Page after page, over the pages linked both ways with it. A link belongs to one clique at most, and
larger cliques take links over from smaller ones, which shrink or vanish.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.analyses.menus.alignment import align, difference
from webgeist.analyses.menus.largest import SMALLEST, Found, Option, bits, largest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from webgeist.analyses.menus.host import Host

BUDGET = 100_000  # segments looked at for one page: some 50 ms
_MOST_NEIGHBOURS = 600  # a page with more mutual links than this is looked at in part
_MOST_ROUNDS = 200  # cliques of one page


@dataclass(eq=False)
class Clique:
    """Pages, and the segment of each that links to all others."""

    members: dict[int, int]
    approximate: bool = False

    def __len__(self) -> int:
        return len(self.members)


@dataclass
class _Near:
    """A page with those linked both ways: their segments as sets of bits."""

    order: list[int]
    options: list[list[Option]]
    cut: bool


@dataclass
class Finder:
    """Finds the cliques of a host; pages are looked at in the order of their numbers."""

    host: Host
    budget: int = BUDGET
    _owners: dict[int, dict[int, Clique]] = field(default_factory=dict)
    _cliques: dict[frozenset[int], Clique] = field(default_factory=dict)
    _uniform: dict[frozenset[int], int] = field(default_factory=dict)
    _differences: dict[tuple[int, int], int] = field(default_factory=dict)

    def run(self) -> list[Clique]:
        """All cliques, the larger first."""
        self._mutual = self.host.mutual()
        self._useful = _useful(self.host, self._mutual)
        for page in range(len(self.host)):
            self.look_at(page)
        return sorted(self._cliques.values(), key=lambda each: (-len(each), sorted(each.members)))

    def look_at(self, page: int) -> None:
        """The cliques that a page is in."""
        if not any(segment in self._useful for segment in self.host.of_page(page)):
            return
        near = self._near(page)
        left = self.budget
        for _ in range(_MOST_ROUNDS):
            found = largest(near.options, left)
            left = found.left
            if not found.sets:
                return
            chosen, pages = self._best(near, found)
            robbed = self._keep(chosen, approximate=found.approximate or near.cut)
            if robbed:
                self._bind_anew(near)
            _take_links(near, chosen, pages)
            if left < -self.budget:  # even the short way has become too long
                return

    # --- the page and its neighbours -----------------------------------------------------------

    def _near(self, page: int) -> _Near:
        around = self._mutual[page].tolist()
        order = [page, *around[:_MOST_NEIGHBOURS]]
        place = {each: number for number, each in enumerate(order)}
        options = [self._options(each, number, place) for number, each in enumerate(order)]
        return _Near(order, options, len(around) > _MOST_NEIGHBOURS)

    def _options(self, page: int, number: int, place: Mapping[int, int]) -> list[Option]:
        found = []
        for segment in self.host.of_page(page):
            targets = self._useful.get(segment)
            if targets is None:
                continue
            links = 1 << number
            for target in targets:
                if target in place:
                    links |= 1 << place[target]
            if links & 1 and links.bit_count() >= SMALLEST:
                found.append(Option(segment, links, self._bound(segment, place)))
        return found

    def _bound(self, segment: int, place: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
        sizes: dict[int, int] = {}
        for target, clique in self._owners.get(segment, {}).items():
            if target in place:
                sizes[len(clique)] = sizes.get(len(clique), 0) | 1 << place[target]
        return tuple(sorted(sizes.items()))

    def _bind_anew(self, near: _Near) -> None:
        """Cliques have shrunk: some links are free again, others bound less."""
        place = {each: number for number, each in enumerate(near.order)}
        for options in near.options:
            for option in options:
                option.bound = self._bound(option.segment, place)

    # --- choosing ------------------------------------------------------------------------------

    def _best(self, near: _Near, found: Found) -> tuple[dict[int, int], int]:
        """The most uniform of the largest cliques; else one that is known already, else the first
        by its pages.
        """
        ranked = [
            (*self._rank(chosen), sorted(chosen.items()), pages)
            for pages in found.sets
            for chosen in self._choices(near, pages)
        ]
        _, _, members, pages = min(ranked)
        return dict(members), pages

    def _choices(self, near: _Near, pages: int) -> Iterable[dict[int, int]]:
        """For each segment of the page in the middle, the segments most like it on the others."""
        size = pages.bit_count()
        fitting = {
            number: [
                each.segment for each in near.options[number] if each.free(size) & pages == pages
            ]
            for number in bits(pages)
        }
        for middle in fitting[0]:
            yield {
                near.order[number]: middle if number == 0 else self._nearest(middle, segments)
                for number, segments in fitting.items()
            }

    def _nearest(self, middle: int, segments: Sequence[int]) -> int:
        if len(segments) == 1:
            return segments[0]
        return min(segments, key=lambda each: (self._difference(middle, each), each))

    def _difference(self, one: int, other: int) -> int:
        paths = self.host.segments[one].path, self.host.segments[other].path
        if paths not in self._differences:
            first, second = (self.host.paths[each] for each in paths)
            self._differences[paths] = difference(first, second)
        return self._differences[paths]

    def _rank(self, chosen: Mapping[int, int]) -> tuple[int, bool]:
        members = frozenset(chosen.values())
        paths = frozenset(self.host.segments[each].path for each in members)
        wildcards = self._uniform.get(paths)
        if wildcards is None:
            ordered = (self.host.paths[each] for each in sorted(paths))
            wildcards = self._uniform[paths] = align(ordered).wildcards
        return wildcards, members not in self._cliques

    # --- keeping -------------------------------------------------------------------------------

    def _keep(self, chosen: dict[int, int], *, approximate: bool) -> bool:
        """Remember a clique; those that lose links to it shrink. Whether there were any."""
        key = frozenset(chosen.values())
        if key in self._cliques:
            return False
        clique = self._cliques[key] = Clique(chosen, approximate)
        robbed: dict[int, tuple[Clique, list[tuple[int, int]]]] = {}
        for page, segment in chosen.items():
            owners = self._owners.setdefault(segment, {})
            for other in chosen:
                if other == page:
                    continue
                owner = owners.get(other)
                if owner is not None:
                    robbed.setdefault(id(owner), (owner, []))[1].append((page, other))
                owners[other] = clique
        for owner, lost in robbed.values():
            self._shrink(owner, lost)
        return bool(robbed)

    def _shrink(self, clique: Clique, lost: list[tuple[int, int]]) -> None:
        """Take pages out until all links that are left are the clique's own."""
        del self._cliques[frozenset(clique.members.values())]
        members = dict(clique.members)
        while lost:
            counts = Counter(page for pair in lost for page in pair)
            worst = max(counts, key=lambda page: (counts[page], page))
            del members[worst]
            lost = [pair for pair in lost if worst not in pair]
        key = frozenset(members.values())
        stays = len(members) >= SMALLEST and key not in self._cliques
        kept = members if stays else {}
        for page, segment in clique.members.items():
            owners = self._owners[segment]
            for other in clique.members:
                gone = page not in kept or other not in kept
                if gone and owners.get(other) is clique:
                    del owners[other]
        clique.members = kept
        if stays:
            self._cliques[key] = clique


def _take_links(near: _Near, chosen: Mapping[int, int], pages: int) -> None:
    """What belongs to a clique is not looked at again from this page."""
    for number in bits(pages):
        segment = chosen[near.order[number]]
        taken = pages & ~(1 << number)
        kept = []
        for option in near.options[number]:
            if option.segment == segment:
                option.links &= ~taken
                if not option.links & 1 or option.links.bit_count() < SMALLEST:
                    continue
            kept.append(option)
        near.options[number] = kept


def _useful(host: Host, mutual: Sequence[NDArray[np.int64]]) -> dict[int, tuple[int, ...]]:
    """The segments that can be in a clique: those with two links that are returned."""
    found: dict[int, tuple[int, ...]] = {}
    for page, around in enumerate(mutual):
        returned = set(around.tolist())
        for segment in host.of_page(page):
            targets = tuple(t for t in host.segments[segment].targets if t in returned)
            if len(targets) >= SMALLEST - 1:
                found[segment] = targets
    return found
