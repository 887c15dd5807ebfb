"""What a host's answer to /robots.txt means."""

from __future__ import annotations

import pytest

from webgeist.crawl.robots import MOST_BYTES, Robots, decode

FILE = """
User-agent: *
Disallow: /private
Crawl-delay: 10
Sitemap: https://h/sitemap.xml

User-agent: webgeist
Disallow: /*.pdf$
Allow: /private/open
Disallow: /private
Crawl-delay: 2.5
"""


def test_the_rules_for_us_are_obeyed() -> None:
    robots = Robots(200, FILE)
    assert robots.allows("https://h/")
    assert robots.allows("https://h/private/open/1")
    assert not robots.allows("https://h/private/1")
    assert not robots.allows("https://h/a.pdf")
    assert robots.delay == 2.5
    assert list(robots.sitemaps) == ["https://h/sitemap.xml"]


def test_the_rules_for_all_are_obeyed_where_there_are_none_for_us() -> None:
    robots = Robots(200, FILE.partition("\nUser-agent: webgeist")[0])
    assert not robots.allows("https://h/private/open")
    assert robots.delay == 10


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 499])
def test_a_host_without_the_file_allows_everything(status: int) -> None:
    robots = Robots(status, "User-agent: *\nDisallow: /")
    assert robots.known
    assert robots.allows("https://h/")
    assert robots.delay == 0
    assert list(robots.sitemaps) == []


@pytest.mark.parametrize("status", [429, 500, 502, 503, 599, None])
def test_a_host_that_cannot_say_allows_nothing_for_a_while(status: int | None) -> None:
    robots = Robots(status)
    assert not robots.known
    assert not robots.allows("https://h/")
    assert robots.kept_seconds < Robots(200).kept_seconds <= 24 * 3600


@pytest.mark.parametrize("text", ["", "<html>not found", "\ufffd\x01", "Disallow: /", "a" * 9999])
def test_rubbish_forbids_nothing(text: str) -> None:
    assert Robots(200, text).allows("https://h/a")


@pytest.mark.parametrize("delay", ["-1", "soon", "nan", "inf", ""])
def test_a_delay_that_is_none_counts_as_none(delay: str) -> None:
    assert Robots(200, f"User-agent: *\nCrawl-delay: {delay}").delay in {0.0, float("inf")}


def test_a_file_is_text_whatever_is_in_it() -> None:
    assert decode(b"\xef\xbb\xbfUser-agent: *\n\xff\0") == "User-agent: *\n\ufffd\ufffd"
    assert len(decode(b"a" * (MOST_BYTES + 1))) == MOST_BYTES
