"""Keys are those that the `surt` package gives: the expected ones were computed with surt 0.3.1."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.archive.surt import _unescape, _without_cold_fusion, surt_key

PAIRS = [
    ("http://example.org", "org,example)/"),
    ("http://example.org/", "org,example)/"),
    ("HTTP://WWW.Example.ORG:80/B/../a?y=2&x=1#f", "org,example)/a?x=1&y=2"),
    ("https://www2.example.org:443/", "org,example)/"),
    ("https://example.org:8443/a//b///c/", "org,example:8443)/a/b/c"),
    ("http://example.org/%7Euser/%41%2541", "org,example)/~user/aa"),
    ("http://user:pw@example.org/x", "org,example)/x"),
    ("http://example.org/?", "org,example)/"),
    ("http://example.org/?a", "org,example)/?a"),
    ("http://example.org/?b=&a=2&a=1", "org,example)/?a=1&a=2&b="),
    ("http://bücher.example/straße?ü=ä", "example,xn--bcher-kva)/stra%c3%9fe?%c3%bc=%c3%a4"),
    ("http://127.0.0.1:8000/x", "1,0,0,127:8000)/x"),
    ("http://0x7f.1/", "1,0x7f)/"),
    ("http://017700000001/", "1,145,0,31)/"),
    ("http://2130706433/", "1,0,0,127)/"),
    ("http://[2001:db8::1]:8080/x", "2001:db8::1:8080)/x"),
    ("http://example.org./a", "org,example)/a"),
    ("http://example..org/a", "org,example)/a"),
    ("http://example.org/a/./b/../../c/..", "org,example)/"),
    (
        "http://example.org/x;jsessionid=0123456789abcdef0123456789abcdef",
        "org,example)/x;jsessionid=0123456789abcdef0123456789abcdef",
    ),
    (
        "http://example.org/x?PHPSESSID=0123456789abcdef0123456789abcdef&z=1&a=2",
        "org,example)/x?a=2&z=1",
    ),
    ("http://example.org/x?a=1&sid=0123456789abcdef0123456789abcdef", "org,example)/x?&a=1"),
    ("http://example.org/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx", "org,example)/mileg.aspx"),
    ("http://example.org/(4hqa0555fwsecu455xqckv45)/mileg.aspx", "org,example)/mileg.aspx"),
    ("http://example.org/x?cfid=1&cftoken=2&b=1", "org,example)/x?b=1"),
    ("http://example.org/x?a=1&CFID=1&cftoken=2", "org,example)/x?&a=1"),
    ("http://example.org/x?cfid=&cftoken=2", "org,example)/x?cfid=&cftoken=2"),
    ("http://www.com/", "com)/"),
    ("http://www1.www.example.org/", "org,example,www)/"),
    ("ws://h.test/socket", "test,h)/socket"),
    ("http://example.org/a b?c d=e f", "org,example)/a%20b?c%20d=e%20f"),
    ("http://example.org/?q=a%26b%3Dc", "org,example)/?b=c&q=a"),
    ("http://h/?x=%zz", "h)/?x=%25zz"),
    ("http://example.org/index.html?a=b?c", "org,example)/index.html?a=b?c"),
    ("http://example.org:0080/", "org,example)/"),
    ("http://example.org/\t\na", "org,example)/a"),
    ("http://a.b/%2e%2e/x", "b,a)/../x"),
    ("http://a.b/x/%2e%2e", "b,a)/"),
    ("http://localhost:8000/", "localhost:8000)/"),
    ("http://magazine.localhost:1234/a?b", "localhost,magazine:1234)/a?b"),
    ("http://a.b/?&&a", "b,a)/?&&a"),
    ("http://a.b/?=", "b,a)/?="),
    ("http://a.b/?A=B", "b,a)/?a=b"),
    ("http://a.b", "b,a)/"),
    ("http://a.b?x=1", "b,a)/?x=1"),
    ("http://a.b#x", "b,a)/"),
    ("http://a_b.c/", "c,a_b)/"),
    ("http://1.2.3/", "3,0,2,1)/"),
    ("http://999.1.1.1/", "1,1,1,999)/"),
    ("http://a.b/x?y#z?q", "b,a)/x?y"),
    ("http://a.b/%23x", "b,a)/%23x"),
    ('http://a.b/"<>`{}|', 'b,a)/"<>`{}|'),
    ("http://a.b/x%00", "b,a)/x%00"),
    ("http://a.b/?a=1&__wb_method=POST&name=value", "b,a)/?__wb_method=post&a=1&name=value"),
    ("http://a.b:/x", "b,a)/x"),
]


@pytest.mark.parametrize(("url", "key"), PAIRS)
def test_the_key_is_that_of_the_surt_package(url: str, key: str) -> None:
    assert surt_key(url) == key


def test_keys_sort_by_site_then_path() -> None:
    urls = ["http://b.org/z", "http://x.a.org/", "http://a.org/b", "http://www.a.org/a"]
    assert sorted(urls, key=surt_key) == [urls[3], urls[2], urls[1], urls[0]]


@given(st.text())
def test_any_text_gives_a_key_that_fits_on_a_line(text: str) -> None:
    for url in (text, f"http://{text}", f"http://h.test/{text}"):
        assert not any(character in surt_key(url) for character in " \r\n")


@given(st.text("%25aF4", max_size=30))
def test_unescaping_is_what_decoding_again_and_again_gives(text: str) -> None:
    expected = text.encode()
    while (plain := unquote_to_bytes(expected)) != expected:
        expected = plain
    assert _unescape(text.encode()) == expected


@given(st.lists(st.sampled_from(["cfid=", "cftoken=", "&", "a", "1"]), max_size=12))
def test_sessions_of_cold_fusion_go_as_the_package_s_pattern_says(words: list[str]) -> None:
    query = "".join(words).encode()
    pattern = rb"^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$"
    expected = re.sub(pattern, lambda found: found[1] + (found[2] or b""), query)
    assert b"&".join(_without_cold_fusion(query.split(b"&"))) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://h/%" + "25" * 1_000_000,
        "http://h/?" + "cfid=" * 400_000,
        "http://h/x.aspx/" + ("(" + "a" * 24 + ")/") * 80_000,
        "http://h/?" + ("jsessionid=" + "a" * 32 + "x") * 50_000,
        "http://" + "a." * 1_000_000,
        "http://h" + "/.." * 700_000,
    ],
    ids=lambda url: url[:20],
)
def test_no_url_keeps_it_busy(url: str) -> None:
    """As long as Chromium lets a URL be; anything quadratic would take hours."""
    assert surt_key(url)
