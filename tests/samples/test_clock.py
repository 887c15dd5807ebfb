"""The sample web's time: it stands still until it is moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from webgeist.samples.clock import START, Clock


def test_it_starts_on_day_0_and_stands_still() -> None:
    clock = Clock()
    assert clock.now == clock.now == START == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert clock.days == 0


def test_it_can_start_later() -> None:
    assert Clock(START + timedelta(days=3)).days == 3


@pytest.mark.parametrize(
    ("hours", "days"), [(0, 0), (23.99, 0), (24, 1), (47.99, 1), (48, 2), (24 * 400, 400)]
)
def test_a_day_begins_at_nine(hours: float, days: int) -> None:
    clock = Clock()
    clock.advance(timedelta(hours=hours))
    assert clock.days == days


def test_steps_add_up_and_no_other_clock_moves() -> None:
    clock, other = Clock(), Clock()
    for hours in (20, 30, -2):
        clock.advance(timedelta(hours=hours))
    assert clock.now == START + timedelta(days=2)
    assert other.now == START
