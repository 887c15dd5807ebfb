"""Nasty servers whose status line or headers never end, are malformed, or are not HTTP at all."""

from __future__ import annotations

import asyncio
from itertools import count, cycle
from typing import TYPE_CHECKING

from webgeist.samples.museum.servers.connection import NastyServer

if TYPE_CHECKING:
    from webgeist.samples.museum.servers.connection import Connection, Handler

_BODY = b"<!doctype html><title>Head</title><h1>Body</h1>\n"
_PLAIN = b"Content-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(_BODY)
_LIMIT = "a client stops at its limit of header bytes and reports headers that are too large"
_INVALID = "a client reports an answer that is not valid HTTP"


def _saying(answer: bytes) -> Handler:
    async def handle(connection: Connection) -> None:
        await connection.request()
        await connection.say(answer)

    return handle


async def _slow_headers(connection: Connection) -> None:
    """One byte at a time, for ever: each arrives before a read timeout can strike."""
    await connection.request()
    await connection.say(b"HTTP/1.1 200 OK\r\n")
    for byte in cycle(b"X-Slow: loris\r\n"):
        await connection.say(bytes((byte,)))
        await asyncio.sleep(0.05)


async def _endless_headers(connection: Connection) -> None:
    await connection.request()
    await connection.say(b"HTTP/1.1 200 OK\r\n")
    for n in count():
        await connection.say(b"".join(b"X-Header-%d-%d: more\r\n" % (n, k) for k in range(100)))


async def _endless_informational(connection: Connection) -> None:
    await connection.request()
    while True:
        await connection.say(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.001)


def _header(line: bytes) -> Handler:
    return _saying(b"HTTP/1.1 200 OK\r\n" + line + b"\r\n" + _PLAIN + _BODY)


_EARLY = (
    b"HTTP/1.1 100 Continue\r\n\r\n"
    b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n"
    b"HTTP/1.1 103 Early Hints\r\nLink: </more.css>; rel=preload; as=style\r\n\r\n"
    b"HTTP/1.1 200 OK\r\n"
) + _PLAIN + _BODY  # fmt: skip
_TWICE = (
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
    b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond"
)

SERVERS = {
    "slow-headers": NastyServer("sends its headers byte by byte, for ever", "a client reports a timeout for the whole head", _slow_headers),
    "endless-headers": NastyServer("sends headers without end", _LIMIT, _endless_headers),
    "endless-informational": NastyServer("sends 100 Continue for ever", "a client reports a timeout or too many interim answers", _endless_informational),
    "huge-header": NastyServer("one header of a megabyte", _LIMIT, _header(b"X-Huge: " + b"x" * (1 << 20))),
    "huge-status-line": NastyServer("a status line of a megabyte", _LIMIT, _saying(b"HTTP/1.1 200 " + b"O" * (1 << 20) + b"K\r\n" + _PLAIN + _BODY)),
    "garbage": NastyServer("bytes that are no HTTP", _INVALID, _saying(bytes(range(256)) * 16)),
    "other-protocol": NastyServer("the greeting of a mail server", _INVALID, _saying(b"220 museum.localhost ESMTP ready\r\n500 what?\r\n")),
    "http-0.9": NastyServer("a body without status line and headers", "a client reports an answer that is not valid HTTP; none is kept as a page", _saying(_BODY)),
    "http-9": NastyServer("HTTP version 9.9", _INVALID, _saying(b"HTTP/9.9 200 OK\r\n" + _PLAIN + _BODY)),
    "bad-status": NastyServer("a status that is no number", _INVALID, _saying(b"HTTP/1.1 OK\r\n" + _PLAIN + _BODY)),
    "null-header": NastyServer("a header with a NUL byte", _INVALID, _header(b"X-Null: a\0b")),
    "folded-header": NastyServer("a header folded over two lines, as old standards allowed", "a client joins the lines with a space, or reports invalid HTTP", _header(b"X-Folded: first\r\n second")),
    "nameless-header": NastyServer("a header line without a colon", _INVALID, _header(b"this line is no header")),
    "bare-newlines": NastyServer("lines that end without carriage return", "a client reads them, or reports invalid HTTP", _saying(b"HTTP/1.1 200 OK\n" + _PLAIN.replace(b"\r", b"") + _BODY)),
    "latin-header": NastyServer("header values with bytes above 127", "a client keeps the bytes as they came", _header(b"X-Latin: caf\xe9 \xff\xfe")),
    "early-hints": NastyServer("100 and 103 answers before the real one", "a client passes over them and takes the last answer", _saying(_EARLY)),
    "unasked-upgrade": NastyServer("101 Switching Protocols that nobody asked for", _INVALID, _saying(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello")),
    "two-answers": NastyServer("two answers to one request", "a client takes the first and does not use the connection again", _saying(_TWICE)),
}  # fmt: skip
