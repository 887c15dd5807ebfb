"""The search against a plain one that tries everything."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import host_of

from webgeist.analyses.menus.alignment import align, difference
from webgeist.analyses.menus.cliques import Finder

if TYPE_CHECKING:
    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.tree import Path

Members = dict[int, int]
Result = tuple[set[frozenset[int]], dict[tuple[int, int], int]]


def random_host(seed: int) -> Host:
    chance = random.Random(seed)
    pages = chance.randint(3, 7)
    density = chance.choice((0.4, 0.6, 0.8, 0.95))
    found = {}
    for page in range(pages):
        segments = []
        for _ in range(chance.randint(1, 3)):
            targets = [each for each in range(pages) if chance.random() < density]
            segments.append((chance.choice(("p", "p#x", "ul", "ul#m")), targets))
        found[page] = segments
    return host_of(found)


class Plain:
    """The definition, without any idea how to be quick."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.cliques: list[Members] = []

    def binding(self, segment: int, target: int) -> int:
        for clique in self.cliques:
            owners = {s: p for p, s in clique.items()}
            if segment in owners and target in clique and owners[segment] != target:
                return len(clique)
        return 0

    def run(self) -> Result:
        for page in range(len(self.host)):
            self.page(page)
        bound = {
            (segment, other): len(clique)
            for clique in self.cliques
            for page, segment in clique.items()
            for other in clique
            if other != page
        }
        return {frozenset(clique.values()) for clique in self.cliques}, bound

    def page(self, middle: int) -> None:
        taken: set[tuple[int, int]] = set()
        while True:
            best = self.best(middle, taken)
            if best is None:
                return
            for page, segment in best.items():
                taken |= {(segment, other) for other in best if other != page}
            if best not in self.cliques:
                self.keep(best)

    def best(self, middle: int, taken: set[tuple[int, int]]) -> Members | None:
        links = [set(self.host.leads(page)) for page in range(len(self.host))]
        around = [p for p in range(len(self.host)) if p in links[middle] and middle in links[p]]
        around = [page for page in around if page != middle]
        for size in range(len(around) + 1, 2, -1):
            ranked = [
                (self.rank(choice), sorted(choice.items()))
                for others in combinations(around, size - 1)
                for choice in self.choices(middle, (middle, *others), taken)
            ]
            if ranked:
                return dict(min(ranked)[1])
        return None

    def choices(
        self, middle: int, pages: tuple[int, ...], taken: set[tuple[int, int]]
    ) -> list[Members]:
        fitting = [
            [
                segment
                for segment in self.host.of_page(page)
                if all(
                    other in self.host.segments[segment].targets
                    and (segment, other) not in taken
                    and self.binding(segment, other) <= len(pages)
                    for other in pages
                    if other != page
                )
            ]
            for page in pages
        ]
        return [self.likest(first, pages, fitting) for first in fitting[0]] if all(fitting) else []

    def likest(self, first: int, pages: tuple[int, ...], fitting: list[list[int]]) -> Members:
        path = self.path(first)
        rest = [
            min(each, key=lambda s: (difference(path, self.path(s)), s)) for each in fitting[1:]
        ]
        return dict(zip(pages, (first, *rest), strict=True))

    def path(self, segment: int) -> Path:
        return self.host.paths[self.host.segments[segment].path]

    def rank(self, choice: Members) -> tuple[int, bool]:
        paths = sorted({self.host.segments[s].path for s in choice.values()})
        return align(self.host.paths[p] for p in paths).wildcards, choice not in self.cliques

    def keep(self, best: Members) -> None:
        lost: dict[int, list[tuple[int, int]]] = {}
        for number, clique in enumerate(self.cliques):
            for page, other in product(clique, clique):
                same = page in best and other in best and best[page] == clique[page]
                if page != other and same:
                    lost.setdefault(number, []).append((page, other))
        left = []
        for number, clique in enumerate(self.cliques):
            members, gone = dict(clique), lost.get(number, [])
            while gone:
                counts = Counter(page for pair in gone for page in pair)
                worst = max(counts, key=lambda page: (counts[page], page))
                del members[worst]
                gone = [pair for pair in gone if worst not in pair]
            if len(members) >= 3:
                left.append(members)
        self.cliques = [*left, best]


def searched(host: Host) -> Result:
    finder = Finder(host)
    cliques = finder.run()
    bound = {
        (segment, other): len(clique)
        for clique in cliques
        for page, segment in clique.members.items()
        for other in clique.members
        if other != page
    }
    owners = {
        (segment, target): len(clique)
        for segment, owned in finder._owners.items()
        for target, clique in owned.items()
    }
    assert owners == bound
    return {frozenset(clique.members.values()) for clique in cliques}, bound


@pytest.mark.parametrize("block", range(4))
def test_all_cliques_and_bindings_are_those_of_trying_everything(block: int) -> None:
    for seed in range(block * 300, block * 300 + 300):
        assert searched(random_host(seed)) == Plain(random_host(seed)).run(), seed


def cliques_of(pages: dict[int, list[tuple[str, list[int]]]]) -> list[list[int]]:
    return [sorted(each.members) for each in Finder(host_of(pages)).run()]


def test_the_menu_of_the_papers_figure_is_two_cliques() -> None:
    """One list holds a menu and, on the pages of its second item, a submenu."""
    top, sub = [0, 1, 2, 3], [4, 5, 6]
    pages = {p: [("ul", top)] for p in (0, 2, 3)}
    pages |= {p: [("ul", [0, 1, *sub, 2, 3])] for p in (1, *sub)}
    pages = dict(sorted(pages.items()))
    assert [0, 1, 2, 3] in cliques_of(pages)
    assert [1, 4, 5, 6] in cliques_of(pages) or [4, 5, 6] in cliques_of(pages)


def test_two_pages_are_no_menu() -> None:
    assert cliques_of({0: [("p", [0, 1])], 1: [("p", [0, 1])]}) == []


def test_a_larger_clique_takes_links_over_and_the_smaller_one_vanishes() -> None:
    """0, 1 and 2 are found first; then 1 to 5 share the same lists."""
    pages = {0: [("p", [0, 1, 2])]}
    pages |= {p: [("p", [0, 1, 2, 3, 4, 5])] for p in (1, 2)}
    pages |= {p: [("p", [1, 2, 3, 4, 5])] for p in (3, 4, 5)}
    assert cliques_of(pages) == [[1, 2, 3, 4, 5]]


def test_the_more_uniform_of_two_lists_is_taken() -> None:
    both = [("nav#top", [0, 1, 2]), ("p#x", [0, 1, 2])]
    host = host_of({0: both[::-1], 1: both, 2: [("nav#top", [0, 1, 2])]})
    first = Finder(host).run()[0]
    steps = {host.paths[host.segments[s].path][-1].name for s in first.members.values()}
    assert steps == {"nav"}


def test_pages_that_all_link_each_other_are_one_clique() -> None:
    everything = list(range(120))
    assert cliques_of({p: [("p", everything)] for p in everything}) == [everything]


def test_dense_noise_ends_and_says_that_it_is_approximate() -> None:
    chance = random.Random(7)
    pages = {
        p: [("p", [q for q in range(40) if chance.random() < 0.8]) for _ in range(3)]
        for p in range(40)
    }
    found = Finder(host_of(pages), budget=2_000).run()
    assert found
    assert any(each.approximate for each in found)
    for clique in found:
        assert len(clique) >= 3


def test_the_result_does_not_depend_on_when_it_is_made() -> None:
    assert searched(random_host(3)) == searched(random_host(3))
