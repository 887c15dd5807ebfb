"""Sitemaps as sites write them, and as they should not."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.crawl.sitemaps import Entry, Sitemap, read_sitemap

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def read(body: bytes | str, *, most_bytes: int = 10_000_000, most_urls: int = 1000) -> Sitemap:
    raw = body if isinstance(body, bytes) else body.encode()
    return read_sitemap(raw, most_bytes=most_bytes, most_urls=most_urls)


def urlset(*urls: str) -> str:
    return f"<urlset {NS}>" + "".join(f"<url><loc>{url}</loc></url>" for url in urls) + "</urlset>"


def test_pages_with_the_time_of_their_last_change() -> None:
    found = read(f"""<?xml version="1.0" encoding="UTF-8"?>
        <urlset {NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
          <url><loc> http://h/a?x=1&amp;y=2 </loc><lastmod>2026-11-16</lastmod>
            <image:image><image:loc>http://h/a.png</image:loc></image:image></url>
          <url><loc>http://h/ü</loc><lastmod>2026-11-16T10:00:00+02:00</lastmod></url>
          <url><priority>0.5</priority></url>
          <url><loc>http://h/c</loc><lastmod>yesterday</lastmod></url>
        </urlset>""")
    east = timezone(timedelta(hours=2))
    assert found == Sitemap(
        pages=[
            Entry("http://h/a?x=1&y=2", datetime(2026, 11, 16, tzinfo=UTC)),
            Entry("http://h/ü", datetime(2026, 11, 16, 10, tzinfo=east)),
            Entry("http://h/c"),
        ]
    )


@pytest.mark.parametrize(("text", "month", "day"), [("2026", 1, 1), ("2026-03", 3, 1)])
def test_a_time_may_be_a_year_or_a_month(text: str, month: int, day: int) -> None:
    found = read(f"<urlset><url><loc>http://h/</loc><lastmod>{text}</lastmod></url></urlset>")
    assert found.pages[0].changed == datetime(2026, month, day, tzinfo=UTC)


def test_an_index_lists_other_sitemaps() -> None:
    found = read(f"""<sitemapindex {NS}><sitemap><loc>http://h/1.xml.gz</loc></sitemap>
        <sitemap><loc>http://h/2.xml</loc></sitemap></sitemapindex>""")
    assert [entry.url for entry in found.sitemaps] == ["http://h/1.xml.gz", "http://h/2.xml"]
    assert found.pages == []


def test_a_plain_list_of_addresses() -> None:
    found = read("\ufeffhttp://h/1\r\n\nhttps://h/2 \nnot an address\nhttp://h/3")
    assert [entry.url for entry in found.pages] == ["http://h/1", "https://h/2", "http://h/3"]


def test_packed_files_are_unpacked() -> None:
    assert read(gzip.compress(urlset("http://h/1").encode())) == read(urlset("http://h/1"))


def test_what_is_cut_off_is_read_as_far_as_it_goes() -> None:
    whole = urlset(*(f"http://h/{n}" for n in range(2000)))
    for cut in (whole[: len(whole) // 2].encode(), gzip.compress(whole.encode())[:-9]):
        found = read(cut, most_urls=5000)
        assert found.problem
        assert 0 < len(found.pages) < 2001


def test_limits_are_kept_and_named() -> None:
    body = urlset(*(f"http://h/{n}" for n in range(50)))
    found = read(body, most_urls=20)
    assert (len(found.pages), found.problem) == (20, "more than 20 addresses")
    assert read("http://h/1\n" * 50, most_urls=20).problem == "more than 20 addresses"
    assert read(body, most_bytes=100).problem == "longer than 100 bytes"


def test_a_packed_bomb_is_not_unpacked() -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(b"<!---->" * 150_000) for _ in range(100)) + packer.flush()
    assert read(bomb, most_bytes=1_000_000).problem == "longer than 1000000 bytes"


def test_entities_are_refused() -> None:
    laughs = '<!DOCTYPE u [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + urlset("http://h/&b;")
    assert "entities" in read(laughs).problem


@pytest.mark.parametrize("body", [b"", b"\x89PNG\r\n", b"<html><p>No such page", b"\x1f\x8bxx"])
def test_what_is_no_sitemap_lists_nothing(body: bytes) -> None:
    assert read(body).pages == []


@given(st.binary(max_size=300))
def test_no_bytes_can_break_it(body: bytes) -> None:
    for whole in (body, b"<urlset>" + body, b"\x1f\x8b\x08" + body):
        assert len(read(whole).pages) <= len(whole)
