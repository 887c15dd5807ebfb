"""Limits that keep a crawl out of places without end."""

from __future__ import annotations

import pytest

from webgeist.crawl.addresses import Address, parse
from webgeist.crawl.traps import shape, sign
from webgeist.settings import CrawlSettings

LIMITS = CrawlSettings(url_length=100, path_segments=8, repeated_segments=2)


def at(path: str) -> Address:
    found = parse(f"http://h/{path}")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("a" * 91, None),
        ("a" * 92, "crawl.url_length"),
        ("1/2/3/4/5/6/7/8", None),
        ("1/2/3/4/5/6/7/8/9", "crawl.path_segments"),
        ("a/b/a/b", None),
        ("a/b/a/b/a", "crawl.repeated_segments"),
        ("", None),
    ],
)
def test_an_address_beyond_a_limit_says_which(path: str, limit: str | None) -> None:
    assert sign(at(path), LIMITS) == limit


def test_a_calendar_has_one_shape() -> None:
    days = {shape(at(f"calendar/{year}/{day}?view=d{day}")) for year in (1, 20) for day in (3, 4)}
    assert days == {"h/calendar/0/0?view"}


def test_other_pages_have_other_shapes() -> None:
    others = [at("calendar/1"), at("calendar/1/2"), at("events/1"), at("calendar/1?day=1")]
    assert len({shape(page) for page in others}) == len(others)
