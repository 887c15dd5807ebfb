"""Revisit intervals by change history."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.crawl.revisits import Bounds, Visit, change_rate, interval, is_due

DAY = 86_400.0
FREE = Bounds(least=1e-9, most=1e12)


@given(st.integers(1, 60), st.integers(1, 60), st.floats(1, 1e6))
def test_in_equal_intervals_it_is_cho_and_garcia_molinas(n: int, found: int, step: float) -> None:
    changes = min(n, found)
    history = [Visit(step, number < changes) for number in range(n)]
    expected = -log((n - changes + 0.5) / (n + 0.5)) / step
    assert change_rate(history) == pytest.approx(expected, rel=1e-6)


def test_a_page_that_changed_each_time_has_a_finite_rate() -> None:
    assert change_rate([Visit(DAY, changed=True)] * 10) == pytest.approx(log(21) / DAY)


def test_with_irregular_visits_the_rate_is_found_again() -> None:
    """Pages that change every two days on average, visited after half a day to four days."""
    random, rates = Random(7), []
    for _ in range(200):
        spans = [random.uniform(0.5, 4) * DAY for _ in range(30)]
        history = [Visit(t, random.random() < 1 - exp(-t / (2 * DAY))) for t in spans]
        rates.append(change_rate(history) * DAY)
    assert sum(rates) / len(rates) == pytest.approx(0.5, rel=0.05)


def test_a_change_is_as_likely_as_not_when_the_interval_is_over() -> None:
    history = [Visit(DAY, changed=bool(number % 2)) for number in range(40)]
    found = interval(history, FREE)
    assert found.seconds * change_rate(history) == pytest.approx(log(2))
    assert (found.visits, found.changes) == (40, 20)


def test_who_changes_more_often_is_visited_sooner() -> None:
    waits = [
        interval([Visit(DAY, n < changed) for n in range(20)], FREE).seconds
        for changed in range(21)
    ]
    assert waits == sorted(waits, reverse=True)


def test_a_page_that_never_changed_waits_twice_as_long_as_it_was_watched() -> None:
    assert interval([Visit(DAY, changed=False)] * 3, FREE).seconds == 6 * DAY


@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.booleans()), max_size=30))
def test_every_history_is_within_bounds(raw: list[tuple[float, bool]]) -> None:
    bounds = Bounds()
    found = interval([Visit(*each) for each in raw], bounds)
    assert bounds.least <= found.seconds <= bounds.most


def test_without_history_or_with_a_clock_that_was_set_back_it_is_the_first() -> None:
    assert interval([], Bounds()).seconds == DAY
    assert interval([Visit(-5, changed=True), Visit(0, changed=True)], Bounds()).seconds == DAY


@pytest.mark.parametrize(
    ("visited", "seconds", "due"),
    [(0.0, 10.0, True), (90.0, 10.0, True), (91.0, 10.0, False), (105.0, 10.0, False)],
)
def test_a_page_is_due_after_its_interval(visited: float, seconds: float, due: bool) -> None:
    assert is_due(visited, seconds, 100.0) is due


def test_nobody_waits_for_a_clock_that_was_wrong() -> None:
    assert is_due(5000.0, 10.0, 100.0)
