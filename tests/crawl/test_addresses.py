"""Canonical addresses: what is one page, and what belongs together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.crawl.addresses import Ignored, parse, registrable

SAME = [
    ("HTTP://Example.ORG:80/a/../b", "http://example.org/b"),
    ("https://example.org:443", "https://example.org/"),
    ("http://example.org:8080/", "http://example.org:8080/"),
    ("http://example.org./a#part", "http://example.org/a"),
    ("http://user:secret@example.org/", "http://example.org/"),
    ("http://example.org/%7euser/%c3%bc%2f", "http://example.org/~user/%C3%BC%2F"),
    ("http://example.org/ü", "http://example.org/%C3%BC"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://example.org/?", "http://example.org/"),
    ("http://example.org/?b=2&a=1&b=1", "http://example.org/?b=2&a=1&b=1"),
    ("http://example.org/?q=%41%20b+c", "http://example.org/?q=A%20b+c"),
    ("http://example.org/100%", "http://example.org/100%"),
    ("http://[::FFFF:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://example.org/a b", "http://example.org/a%20b"),
    ("http:\\\\example.org\\a", "http://example.org/a"),
]
NO_PAGE = [
    *("", "/a", "example.org", "http://", "http://.", "http:///", "mailto:a@example.org"),
    *("javascript:void(0)", "data:text/html,x", "file:///etc/passwd", "http://exa mple.org/"),
    *("http://example.org:99999/", "ws://example.org/", "about:blank", "http://[::1/"),
]


@pytest.mark.parametrize(("written", "canonical"), SAME)
def test_one_page_has_one_address(written: str, canonical: str) -> None:
    found = parse(written)
    assert found is not None
    assert found.url == canonical


@pytest.mark.parametrize("text", NO_PAGE)
def test_what_no_page_can_be_at(text: str) -> None:
    assert parse(text) is None


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_a_canonical_address_is_its_own(host: str, path: str, query: str) -> None:
    found = parse(f"http://h{host}/{path}?{query}")
    if found is not None:
        assert parse(found.url) == found


def test_the_parts_of_an_address() -> None:
    found = parse("https://News.example.co.uk:8443/a/b?c=d&e#f")
    assert found is not None
    assert found.origin == "https://news.example.co.uk:8443"
    assert found.host == "news.example.co.uk:8443"
    assert (found.path, found.query, found.site) == ("/a/b", "c=d&e", "example.co.uk")


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("bbc.co.uk:8080", "bbc.co.uk"),
        ("co.uk", "co.uk"),
        ("one.github.io", "one.github.io"),
        ("shop.localhost:8000", "shop.localhost"),
        ("localhost", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:8000", "[::1]"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_the_site_of_a_host(host: str, site: str) -> None:
    assert registrable(host) == site


def test_parameters_that_make_no_other_page_are_left_out() -> None:
    ignored = Ignored(["utm_*", "gclid", "a.b"])
    query = "id=7&utm_source=x&GCLID=1&utm=kept&axb=kept&a.b&utm_"
    assert ignored.without(query) == "id=7&utm=kept&axb=kept"
    found = parse("http://h/?utm_source=x", ignored)
    assert found is not None
    assert found.url == "http://h/"


def test_no_parameter_is_ignored_unless_named() -> None:
    assert Ignored([]).without("utm_source=x") == "utm_source=x"
