"""Which records let a block be skipped."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.scrape.freshness import (
    AHEAD_SECONDS,
    ALWAYS,
    EVER,
    Freshness,
    Record,
    is_fresh,
    steady,
)

NOW = 1_000_000.0
RECORDS = st.lists(
    st.builds(Record, st.floats(0, NOW), st.integers(0, 5), st.sampled_from([None, "a", "b"]))
)


@given(RECORDS)
def test_ever_and_always(records: list[Record]) -> None:
    assert is_fresh(records, EVER, NOW) == bool(records)
    assert not is_fresh(records, ALWAYS, NOW)


@given(RECORDS, st.floats(0, NOW))
def test_one_record_not_before_the_bound_is_enough(records: list[Record], since: float) -> None:
    wanted = any(record.time >= since for record in records)
    assert is_fresh(records, Freshness(since=since), NOW) == wanted


@given(RECORDS, st.integers(-2, 7))
def test_logical_time(records: list[Record], bound: int) -> None:
    wanted = any(record.logical >= bound for record in records)
    assert is_fresh(records, Freshness(logical=bound), NOW) == wanted


def test_bounds_are_inclusive() -> None:
    record = [Record(NOW, 3)]
    assert is_fresh(record, Freshness(since=NOW), NOW)
    assert is_fresh(record, Freshness(logical=3), NOW)
    assert not is_fresh(record, Freshness(since=math.nextafter(NOW, math.inf)), NOW + 1)
    assert not is_fresh(record, Freshness(logical=4), NOW)


def test_the_newest_content_counts() -> None:
    records = [Record(1, 0, "a"), Record(2, 0, "b")]
    assert is_fresh(records, Freshness(content="b"), NOW)
    assert not is_fresh(records, Freshness(content="a"), NOW)
    assert not is_fresh([], Freshness(content="a"), NOW)
    assert not is_fresh([Record(1, 0)], Freshness(content="a"), NOW)


@pytest.mark.parametrize(("ahead", "fresh"), [(0, True), (AHEAD_SECONDS, True), (7200, False)])
def test_a_record_of_the_future_has_no_known_age(ahead: float, fresh: bool) -> None:
    record = [Record(NOW + ahead, 0)]
    assert is_fresh(record, Freshness(since=NOW - 60), NOW) is fresh
    assert is_fresh(record, EVER, NOW)  # that it was done is known all the same


def test_time_does_not_run_backwards() -> None:
    assert steady(5.0, 7.0) == 7.0
    assert steady(9.0, 7.0) == 9.0
