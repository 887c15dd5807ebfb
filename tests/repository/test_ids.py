"""Ids: the same for the same capture, different for any other, sorted by time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.repository.making import NOON, make_capture

from webgeist.capture.viewport import VIEWPORTS, Viewport
from webgeist.repository.ids import batch_id, capture_id, is_id

INFO = make_capture(1).info
TIMES = st.datetimes(datetime(1970, 1, 1), datetime(9999, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  hypothesis adds the zone


def test_an_id_never_changes() -> None:
    """Stored in repositories and in people's notes: a changed rule would be a new format."""
    assert capture_id(INFO) == "01HQTBRPF8ADDVE73SX9BR7GVN"
    assert is_id(capture_id(INFO))


@pytest.mark.parametrize(
    "change",
    [
        {"time": INFO.time + timedelta(microseconds=1)},
        {"requested_url": "http://example.org/pagf"},
        {"viewport": VIEWPORTS["mobile"]},
        {"viewport": Viewport("desktop", 1280, 961)},
    ],
)
def test_another_capture_has_another_id(change: dict[str, object]) -> None:
    assert capture_id(replace(INFO, **change)) != capture_id(INFO)  # type: ignore[arg-type]


def test_the_same_moment_in_another_zone_is_the_same() -> None:
    elsewhere = INFO.time.astimezone(timezone(timedelta(hours=5)))
    assert capture_id(replace(INFO, time=elsewhere)) == capture_id(INFO)


def test_what_only_tells_more_does_not_count() -> None:
    assert capture_id(replace(INFO, url="http://elsewhere/", nodes=3)) == capture_id(INFO)


@given(TIMES, TIMES)
def test_ids_sort_by_time(one: datetime, other: datetime) -> None:
    first, second = (capture_id(replace(INFO, time=time)) for time in (one, other))
    if abs(one - other) >= timedelta(milliseconds=1):
        assert (first < second) == (one < other)
    moment = one.replace(microsecond=one.microsecond // 1000 * 1000)
    assert capture_id(replace(INFO, time=moment))[:10] == first[:10], "to the millisecond"


def test_batches() -> None:
    assert batch_id(["a", "b"], NOON) != batch_id(["a", "c"], NOON)
    assert batch_id(["b"], NOON) < batch_id(["a"], NOON + timedelta(seconds=1))
    with pytest.raises(ValueError, match="before 1970"):
        batch_id([], datetime(1969, 12, 31, tzinfo=UTC))


@pytest.mark.parametrize("text", ["", "http://h/", "0" * 25, "u" * 26, "I" * 26])
def test_what_is_no_id(text: str) -> None:
    assert not is_id(text)
