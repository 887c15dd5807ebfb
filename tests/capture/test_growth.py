"""What a browser is in need of, by its sizes over time."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.growth import Growth, Need


def needs(*sizes: int) -> list[Need]:
    growth = Growth(100)
    return [growth.need(size) for size in sizes]


def test_a_small_browser_needs_nothing() -> None:
    assert set(needs(10, 30, 5, 40)) == {Need.NOTHING}


def test_what_has_grown_is_cleared_up() -> None:
    assert needs(30, 50) == [Need.NOTHING, Need.CLEARING]


def test_what_is_still_needed_after_clearing_up_is_left_alone() -> None:
    assert needs(60, 45, 60, 64) == [Need.CLEARING, Need.NOTHING, Need.NOTHING, Need.NOTHING]


def test_what_grows_on_is_cleared_up_again() -> None:
    assert needs(60, 45, 66, 42, 63) == [
        Need.CLEARING,
        Need.NOTHING,
        Need.CLEARING,
        Need.NOTHING,
        Need.CLEARING,
    ]


def test_a_page_that_was_large_while_others_were_cleared_up_is_not_taken_for_granted() -> None:
    assert needs(60, 90, 45, 66) == [Need.CLEARING, Need.ROOM, Need.NOTHING, Need.CLEARING]


def test_tabs_go_where_clearing_up_was_not_enough() -> None:
    assert needs(80, 78, 75) == [Need.CLEARING, Need.ROOM, Need.ROOM]


def test_what_is_too_large_is_replaced() -> None:
    assert needs(101) == [Need.SUCCESSOR]


@given(st.lists(st.integers(0, 120)))
def test_it_never_clears_up_twice_in_a_row(sizes: list[int]) -> None:
    """What is there right after clearing up cannot be cleared up."""
    told = needs(*sizes)
    assert (Need.CLEARING, Need.CLEARING) not in set(pairwise(told))
