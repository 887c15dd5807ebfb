"""The largest segment cliques around one page, exactly or, where that takes too long, nearly.

A set of pages is a segment clique if each of them has a segment that links to all others.
MenuMiner (section 5.2) walks through the pages one level after another. Here a set of candidates
shrinks until every page in it has such a segment: a page without one large enough goes, and where a
page has several that lack others, the search branches. It finds the same cliques; ordinary menus
need one state instead of one per page.

Sets of pages are bits of an integer; bit 0 is the page in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SMALLEST = 3
_BEAM = 8  # states that are followed greedily when the search has become too long


@dataclass(slots=True)
class Option:
    """A segment of a page: whom it links to (the page itself included), and for links that a clique
    has already, which are worth taking over only for one of at least that `bound` size.
    """

    segment: int
    links: int
    bound: tuple[tuple[int, int], ...] = ()  # (size, links)

    def free(self, size: int) -> int:
        """The links that a clique of this size may have."""
        links = self.links
        for needed, bits in self.bound:
            if needed > size:
                links &= ~bits
        return links


@dataclass(frozen=True, slots=True)
class Found:
    """All largest sets that were found; there may be others where it is `approximate`. `left` is
    what remains of the budget.
    """

    sets: tuple[int, ...]
    approximate: bool
    left: int


def bits(pages: int) -> Iterator[int]:
    """The numbers of the pages in a set."""
    while pages:
        lowest = pages & -pages
        yield lowest.bit_length() - 1
        pages ^= lowest


def largest(options: Sequence[Sequence[Option]], budget: int) -> Found:
    """The largest cliques with page 0. `budget` bounds the work, in segments looked at."""
    search = _Search(options, budget)
    return search.run()


class _Search:
    def __init__(self, options: Sequence[Sequence[Option]], budget: int) -> None:
        self._options = options
        self._left = budget
        self._heap: list[tuple[int, int]] = []
        self._seen: set[int] = set()
        self._best = SMALLEST
        self._sets: list[int] = []

    def run(self) -> Found:
        for option in self._options[0]:
            self._push(option.links)
        while self._heap and -self._heap[0][0] >= self._best:
            if self._left < 0:
                return self._nearly()
            _, pages = heappop(self._heap)
            self._visit(pages)
        return Found(tuple(self._sets), approximate=False, left=self._left)

    def _push(self, pages: int) -> None:
        size = pages.bit_count()
        if size >= self._best and pages not in self._seen:
            self._seen.add(pages)
            heappush(self._heap, (-size, pages))

    def _visit(self, pages: int) -> None:
        kept, obstacle = self._reduce(pages)
        if not kept:
            return
        if kept != pages and kept in self._seen:
            return
        self._seen.add(kept)
        if obstacle is None:
            self._end(kept)
            return
        size = kept.bit_count()
        for option in self._options[obstacle]:
            self._push(kept & option.free(size))
        if obstacle:
            self._push(kept & ~(1 << obstacle))

    def _end(self, pages: int) -> None:
        size = pages.bit_count()
        if size > self._best:
            self._sets = []
        if size >= self._best:
            self._best = size
            self._sets.append(pages)

    def _reduce(self, pages: int) -> tuple[int, int | None]:
        """The set without pages that cannot be in a clique as large as the best; and one of those
        left, if any, that has no segment with links to all others: the one with the most links
        that still lacks some, so that little is lost by deciding about it.
        """
        while True:
            size = pages.bit_count()
            if size < self._best or not pages & 1:
                return 0, None
            kept, obstacle, most = pages, None, 0
            for page in bits(pages):
                covered = self._covered(page, pages, size)
                if covered < self._best:
                    kept &= ~(1 << page)
                elif covered < size and covered > most:
                    obstacle, most = page, covered
            if kept == pages:
                return pages, obstacle
            pages = kept

    def _covered(self, page: int, pages: int, size: int) -> int:
        """How many pages of a set the best of a page's segments links to, itself included."""
        most = 0
        options = self._options[page]
        self._left -= len(options)
        for option in options:
            links = option.free(size) if option.bound else option.links
            count = (links & pages).bit_count()
            if count > most:
                if count == size:
                    return size
                most = count
        return most

    def _nearly(self) -> Found:
        """From the most promising sets, drop the page in the way again and again."""
        beam = [heappop(self._heap)[1] for _ in range(min(_BEAM, len(self._heap)))]
        for start in beam:
            pages: int = start
            while True:
                pages, obstacle = self._reduce(pages)
                if not pages:
                    break
                if obstacle is None:
                    self._end(pages)
                    break
                pages = self._without_worst(pages)
        return Found(tuple(dict.fromkeys(self._sets)), approximate=True, left=self._left)

    def _without_worst(self, pages: int) -> int:
        size = pages.bit_count()
        others = pages & ~1
        worst = min(bits(others), key=lambda page: (self._covered(page, pages, size), -page))
        if self._covered(worst, pages, size) == size:  # page 0 itself is in the way
            option = max(self._options[0], key=lambda each: (each.free(size) & pages).bit_count())
            return pages & option.free(size)
        return pages & ~(1 << worst)
