"""Lists that templates repeat: who has them, and the order of their items."""

from __future__ import annotations

import random

import pytest
from tests.analyses.menus.hosts import host_of

from webgeist.analyses.menus.lists import find_lists, in_order, lists_of, spread


@pytest.mark.parametrize(
    ("shown", "order"),
    [
        ([], []),
        ([[]], []),
        ([[1, 2, 3]], [1, 2, 3]),
        ([[2, 3], [1, 2], [1, 3]], [1, 2, 3]),
        ([[1, 3], [1, 2, 3]], [1, 2, 3]),
        ([[1, 2], [2, 9, 1]], [1, 2, 9]),
        ([[1, 2], [7]], [1, 2, 7]),
        ([[5, 4], [4, 5], [5, 4, 3]], [5, 4, 3]),
        ([[1, 1, 2], [2, 2, 3]], [1, 2, 3]),
    ],
)
def test_orders_are_joined(shown: list[list[int]], order: list[int]) -> None:
    assert in_order(shown) == order


def test_pages_that_leave_themselves_out_show_one_order() -> None:
    for seed in range(50):
        chance = random.Random(seed)
        menu = chance.sample(range(100), 8)
        shown = [[each for each in menu if each != page] for page in chance.sample(menu, 4)]
        assert in_order(shown) == menu


def test_some_pages_come_from_all_over() -> None:
    assert spread(range(100), 4) == [0, 25, 50, 75]
    assert spread({3, 1, 2}, 8) == [1, 2, 3]
    assert spread((), 3) == []


def test_links_of_the_same_pages_in_the_same_place_are_a_list() -> None:
    host = host_of({n: [("nav#a", [0, 1, 2, 3]), ("p#x", [n + 10, 50])] for n in range(6)})
    found = find_lists(host).lists
    assert [host.targets[item][-1] for item in found[0].items] == ["0", "1", "2", "3"]
    assert found[0].pages == frozenset(range(6))
    assert found[0].returned == found[0].known == [0, 1, 2, 3]


def test_a_list_that_two_pages_have_is_none() -> None:
    host = host_of({0: [("nav#a", [7, 8, 9])], 1: [("nav#a", [7, 8, 9])], 2: [("p#b", [5, 6])]})
    assert find_lists(host).lists == []


def test_the_same_links_elsewhere_on_the_page_are_another_list() -> None:
    pages = {n: [("nav#a", [0, 1, 2]), ("footer#b", [0, 1, 2])] for n in range(4)}
    assert len(find_lists(host_of(pages)).lists) == 2


def test_an_item_that_other_sites_have_in_the_same_place_belongs_to_each_list() -> None:
    pages = {n: [("nav#a", [0, 1, 2, 20])] for n in range(5)}
    pages |= {n: [("nav#a", [10, 11, 12, 20])] for n in range(10, 15)}
    host = host_of(pages)
    template = find_lists(host)
    first = lists_of(host, template, range(5))
    assert [[host.targets[item][22:] for item in each.items] for each in first] == [
        ["0", "1", "2", "20"]
    ]


def test_addresses_that_are_none_do_no_harm() -> None:
    host = host_of({n: [("nav#a", [0, 1, 2])] for n in range(4)})
    host.targets[2] = "http://[broken"
    assert len(find_lists(host).lists) == 1
