from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.menus.largest import Option, bits, largest


def options(*pages: list[int]) -> list[list[Option]]:
    return [[Option(n, links) for n, links in enumerate(each)] for each in pages]


def test_bits_are_the_numbers_of_a_set() -> None:
    assert list(bits(0b101001)) == [0, 3, 5]


def test_a_clean_menu_is_found_at_once() -> None:
    found = largest(options([0b1111], [0b1111], [0b1111], [0b1111]), 1_000)
    assert found.sets == (0b1111,)
    assert not found.approximate
    assert found.left > 900


def test_a_bound_link_is_left_to_the_larger_clique() -> None:
    free = [[Option(0, 0b111)], [Option(1, 0b111)], [Option(2, 0b111)]]
    assert largest(free, 100).sets == (0b111,)
    bound = [[Option(0, 0b111, ((4, 0b10),))], *free[1:]]
    assert largest(bound, 100).sets == ()
    equal = [[Option(0, 0b111, ((3, 0b10),))], *free[1:]]
    assert largest(equal, 100).sets == (0b111,)


def test_no_budget_still_gives_cliques() -> None:
    chance = random.Random(3)
    pages = [
        [1 << p | sum(1 << q for q in range(30) if chance.random() < 0.85) | 1 for _ in range(3)]
        for p in range(30)
    ]
    found = largest(options(*pages), 0)
    assert found.approximate
    for each in found.sets:
        assert all(any(links & each == each for links in pages[p]) for p in bits(each))


MASKS = st.lists(st.lists(st.integers(0, 127), min_size=1, max_size=3), min_size=7, max_size=7)


@given(MASKS)
def test_it_finds_all_that_trying_finds(masks: list[list[int]]) -> None:
    pages = [[m | 1 << p | 1 for m in each] for p, each in enumerate(masks)]
    best: list[int] = []
    for size in range(7, 2, -1):
        sets = [sum(1 << p for p in (0, *rest)) for rest in combinations(range(1, 7), size - 1)]
        best = [s for s in sets if all(any(m & s == s for m in pages[p]) for p in bits(s))]
        if best:
            break
    assert sorted(largest(options(*pages), 10**6).sets) == sorted(best)
