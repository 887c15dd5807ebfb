"""Heads on their way: what is about one connection stays there, what could mislead is refused."""

from __future__ import annotations

import pytest

from webgeist.capture.recorder.heads import RequestHead, for_origin, for_page, smuggles, value
from webgeist.capture.recorder.origin import Origin

ORIGIN = Origin("http", "example.org", 8080)


def test_a_request_goes_on_as_if_there_were_no_proxy() -> None:
    headers = (
        (b"Host", b"whatever.example"),
        (b"Proxy-Connection", b"keep-alive"),
        (b"Proxy-Authorization", b"Basic c2VjcmV0"),
        (b"User-Agent", b"x"),
        (b"TE", b"trailers"),
        (b"Accept-Encoding", b"gzip, br, zstd"),
        (b"Accept-Encoding", b"twice"),
    )
    assert for_origin(headers, ORIGIN) == (
        (
            (b"Host", b"example.org:8080"),
            (b"Connection", b"keep-alive"),
            (b"User-Agent", b"x"),
            (b"Accept-Encoding", b"gzip, br, zstd"),
            (b"Accept-Encoding", b"twice"),
        ),
        False,
    )


def test_what_connection_names_stays_behind() -> None:
    headers = ((b"Connection", b"X-Mine, close"), (b"x-mine", b"1"), (b"X-Other", b"2"))
    kept, _ = for_origin(headers, ORIGIN)
    assert kept == ((b"Connection", b"keep-alive"), (b"X-Other", b"2"))


@pytest.mark.parametrize("framing", [b"Content-Length", b"Transfer-Encoding", b"Host"])
def test_connection_cannot_take_the_framing_away(framing: bytes) -> None:
    """Else a body would become a request of its own behind us."""
    headers = ((b"Host", b"h"), (b"Connection", framing), (framing, b"5"))
    assert framing in dict(for_origin(headers, ORIGIN)[0])


def test_a_web_socket_may_ask_for_its_upgrade() -> None:
    headers = (
        (b"Connection", b"Upgrade"),
        (b"Upgrade", b"WebSocket"),
        (b"Sec-WebSocket-Key", b"k"),
    )
    kept, upgrade = for_origin(headers, ORIGIN)
    assert upgrade
    assert kept == (
        (b"Connection", b"Upgrade"),
        (b"Upgrade", b"WebSocket"),
        (b"Sec-WebSocket-Key", b"k"),
    )


def test_other_upgrades_are_not_passed_on() -> None:
    kept, upgrade = for_origin(((b"Connection", b"Upgrade"), (b"Upgrade", b"h2c")), ORIGIN)
    assert not upgrade
    assert kept == ((b"Connection", b"keep-alive"),)


def test_an_answer_leaves_its_connection_behind() -> None:
    headers = (
        (b"Connection", b"close, X-Hop"),
        (b"Keep-Alive", b"timeout=5"),
        (b"X-Hop", b"1"),
        (b"Set-Cookie", b"a=b"),
        (b"set-cookie", b"c=d"),
    )
    assert for_page(headers) == ((b"Set-Cookie", b"a=b"), (b"set-cookie", b"c=d"))


def test_chunks_beat_a_length() -> None:
    headers = ((b"Content-Length", b"5"), (b"Transfer-Encoding", b"chunked"))
    assert for_page(headers) == ((b"Transfer-Encoding", b"chunked"),)


def test_a_switch_keeps_all_of_its_head() -> None:
    headers = ((b"Connection", b"Upgrade"), (b"Upgrade", b"websocket"))
    assert for_page(headers, upgrade=True) == headers


def head(*lines: bytes) -> bytes:
    return b"\r\n".join((b"POST http://h/ HTTP/1.1", b"Host: h", *lines, b"", b""))


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (b"Content-Length: 5",),
        (b"content-length:5",),
        (b"Transfer-Encoding: chunked",),
        (b"X-Value: content-length: 7", b"Content-Length: 5"),
    ],
)
def test_clear_heads_pass(lines: tuple[bytes, ...]) -> None:
    assert smuggles(head(*lines)) is None


@pytest.mark.parametrize(
    "lines",
    [
        (b"Content-Length: 5", b"Transfer-Encoding: chunked"),
        (b"Transfer-Encoding: chunked", b"CONTENT-LENGTH: 5"),
        (b"Content-Length: 5", b"Content-Length: 6"),
        (b"Content-Length: 5", b"content-length: 5"),
        (b"Content-Length: 5, 5",),
        (b"Content-Length: +5",),
        (b"Content-Length: -5",),
        (b"Content-Length: 0x5",),
        (b"Content-Length: ",),
        (b"X: y", b" Content-Length: 5"),
        (b"X: y", b"\tfolded"),
        (b"X: y\nContent-Length: 5",),
        (b"X: y\rContent-Length: 5",),
        (b"X: a\0b",),
    ],
)
def test_heads_that_mean_two_things_are_refused(lines: tuple[bytes, ...]) -> None:
    assert smuggles(head(*lines))


@pytest.mark.parametrize(
    ("headers", "length"),
    [
        ((), 0),
        (((b"Content-Length", b"70000"),), 70000),
        (((b"Transfer-Encoding", b"chunked"),), None),
    ],
)
def test_the_length_of_a_request(
    headers: tuple[tuple[bytes, bytes], ...], length: int | None
) -> None:
    request = RequestHead("POST", ORIGIN, b"/a?b", headers)
    assert request.length == length
    assert request.url == "http://example.org:8080/a?b"


def test_all_values_of_a_header_are_one_list() -> None:
    assert value(((b"A", b"1"), (b"b", b"2"), (b"a", b"3")), b"a") == b"1, 3"
    assert value((), b"a") == b""
