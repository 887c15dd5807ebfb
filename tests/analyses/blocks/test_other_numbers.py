"""Numbers of another kind than pages."""

from __future__ import annotations

from typing import Any

import pytest
from tests.analyses.blocks.test_sequence import link

from webgeist.analyses.blocks.other_numbers import kinds, other_numbers, values

SIZES = "the number says how many things are shown"


@pytest.mark.parametrize(
    ("word", "numbers", "page_word", "reason"),
    [
        ("limit", [10, 20, 50], False, SIZES),
        ("per", [10, 20, 50], False, SIZES),  # by the numbers alone
        ("anzahl", [12, 24, 96], False, SIZES),
        ("seite", [10, 20, 50], True, None),
        ("start", [10, 20, 30], False, None),
        ("per", [10, 20, 33], False, None),
        ("per", [10], False, None),
        ("", [10, 20, 50], False, None),
        ("releases", [2019, 2020], False, "the numbers are years"),
        ("schuhe", [36, 37, 38], False, "this page would be none of them"),
        ("page", [1, 2, 3], True, None),
        ("ch", [1, 2, 4], False, "the number is part of a date, a vote or another thing"),
        ("year", [2019, 2020], False, "the number is part of a date, a vote or another thing"),
    ],
)
def test_what_numbers_say(
    word: str, numbers: list[float], page_word: bool, reason: str | None
) -> None:
    said = [link(int(n), word=word, page_word=page_word, number=n) for n in numbers]  # step n - 1
    assert {other_numbers(each, numbers) for each in said} == {reason}


def test_in_a_pager_numbers_are_pages() -> None:
    held = link(10, word="x", page_word=False, notes={"NUMBER", "HELD_PAGER"})
    assert other_numbers(held, [10, 20, 30]) is None


def test_numbers_are_told_by_the_form_of_their_addresses() -> None:
    run = [link(3), link(2), link(20, frame="g"), link(9, number=None)]
    assert values(run) == {"f": [2, 3], "g": [20]}


def test_one_of_those_that_are_alike_is_enough() -> None:
    assert len(kinds([link(2), link(3), link(4, near=False)])) == 2


@pytest.mark.parametrize(
    ("numbers", "known", "is_page"),
    [
        ([4, 5, 6], {}, False),  # a first page shows lower ones
        ([2, 3, 9], {}, True),
        ([4, 5, 6], {"near": True}, True),
        ([4, 5, 6], {"scripted": True}, True),
        ([4, 5, 6], {"notes": {"NUMBER", "HELD_PAGER"}}, True),
        ([1, 2, 3], {}, False),  # this page is none of them
        ([1, 2, 3], {"scripted": True}, True),
    ],
)
def test_numbers_of_another_list_that_stand_alone(
    numbers: list[float], known: dict[str, Any], is_page: bool
) -> None:
    first = link(int(numbers[0]), **{"near": False, "step": None} | known)
    assert (other_numbers(first, numbers, alone=True) is None) == is_page
