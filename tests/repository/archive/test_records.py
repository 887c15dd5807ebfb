"""Heads, dates and URLs of records."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.archive.records import (
    RecordError,
    format_date,
    format_head,
    parse_date,
    parse_head,
    record_id,
    uri,
)


@given(st.integers(-(10**12), 10**12), st.sampled_from([UTC, timezone(timedelta(hours=5))]))
def test_dates_come_back(milliseconds: int, zone: timezone) -> None:
    time = datetime(2000, 1, 1, tzinfo=zone) + timedelta(milliseconds=milliseconds)
    assert parse_date(format_date(time)) == time


def test_dates_of_others() -> None:
    assert parse_date("2024-02-29T12:00:00Z") == datetime(2024, 2, 29, 12, tzinfo=UTC)
    with pytest.raises(RecordError, match="no date"):
        parse_date("today")


def test_an_id_is_known_from_the_place() -> None:
    assert record_id("a.warc.gz", 5) == record_id("a.warc.gz", 5)
    assert len({record_id(file, at) for file in ("a", "b") for at in range(50)}) == 100
    assert record_id("a", 0).startswith("<urn:uuid:")


@given(st.text("ab-.é"), st.integers(0, 2**63))
def test_an_id_is_a_uuid_of_version_5(file: str, offset: int) -> None:
    namespace = uuid.UUID("6f0f6f0e-6a7c-5a43-9c0f-0a8f2f1f7c11")
    assert record_id(file, offset) == f"<urn:uuid:{uuid.uuid5(namespace, f'{file}/{offset}')}>"


@given(st.text())
def test_any_url_fits_on_a_line(url: str) -> None:
    head = parse_head(format_head([("WARC-Target-URI", uri(url)), ("Content-Length", "0")]))
    assert head.get("warc-target-uri") == uri(url)
    assert uri(uri(url)) == uri(url)


def test_a_field_cannot_forge_another() -> None:
    head = parse_head(
        format_head([("WARC-Truncated", "a\r\nWARC-Type: x"), ("Content-Length", "0")])
    )
    assert head.kind == ""
