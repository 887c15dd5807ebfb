"""Heads are written as they were sent, but for what would mislead readers, and come back."""

from __future__ import annotations

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange

from webgeist.repository.archive.http import (
    HeadError,
    answer_head,
    parse_answer,
    parse_request,
    request_head,
)


def test_an_answer() -> None:
    exchange = make_exchange(
        headers=((b"X-a", b"1"), (b"x-A", b""), (b"Transfer-Encoding", b"gzip, chunked"))
    )
    head = answer_head(exchange)
    close_bodies()
    assert head == (
        b"HTTP/1.1 200 OK\r\nX-a: 1\r\nx-A: \r\nX-Crawler-Transfer-Encoding: gzip, chunked\r\n\r\n"
    )
    assert parse_answer(head).headers == exchange.response_headers


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://h.test", "/"),
        ("http://h.test/a?b=c#d", "/a?b=c"),
        ("http://h.test/a;p?b?c", "/a;p?b?c"),
        ("ws://h.test/s", "/s"),
        ("http://[::1/x", "/x"),
        ("http://h.test/a b\n\x00é", "/a%20b%0A%00%C3%A9"),
        ("http://h.test?q#f", "/?q"),
        ("http://h.test/\ud800", "/?"),
        ("rubbish", "/rubbish"),
        ("", "/"),
    ],
)
def test_a_request(url: str, target: str) -> None:
    exchange = make_exchange(url, request_headers=((b"transfer-encoding", b"chunked"),))
    parsed = parse_request(request_head(exchange))
    close_bodies()
    assert (parsed.method, parsed.target, parsed.version) == ("GET", target, "HTTP/1.1")
    assert parsed.headers == exchange.request_headers


@pytest.mark.parametrize(
    "head", [b"", b"GET /\r\n\r\n", b"GET / a b\r\n\r\n", b"GET / x\r\nno\r\n\r\n"]
)
def test_no_request(head: bytes) -> None:
    with pytest.raises(HeadError):
        parse_request(head)


@pytest.mark.parametrize(
    "head", [b"", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n", b"HTTP/1.1 200\r\nno\r\n\r\n"]
)
def test_no_answer(head: bytes) -> None:
    with pytest.raises(HeadError):
        parse_answer(head)
