"""Nasty servers whose body is longer, shorter or other than their headers say."""

from __future__ import annotations

import gzip
from itertools import repeat
from typing import TYPE_CHECKING

from webgeist.samples.museum.bombs import gzip_bomb
from webgeist.samples.museum.servers.connection import NastyServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.samples.museum.servers.connection import Connection, Handler

_TEXT = b"<!doctype html><title>Body</title><h1>Forty-eight bytes and more</h1>\n"
_FILLING = b"<p>And so on, and so on, and so on.</p>\n" * 400
_ZEROS_MEBIBYTES = 10 * 1024
# "<!doctype html><title>Brotli</title>…", whole: 57 bytes
BROTLI = bytes.fromhex(
    "1b4300e864b761aa0b6dac8f8585b4502f280a825804871cb07f4f2d8a3dd880034ce3791cec"
    "6562e93d6f4f463e0f12f35c5d10ff62d0730d"
)

_PARTIAL = "a client keeps what came, marks it incomplete and says so"
_LIMIT = "a client stops at its limit of body bytes, keeps what came and marks it incomplete"
_INVALID = "a client reports an answer that is not valid HTTP"
_EXPANDS = "a client expands no further than its limit and reports a body that is too large"
_ENCODING = "a client keeps the bytes and reports that they are not what Content-Encoding says"


def _head(*lines: bytes) -> bytes:
    return b"\r\n".join((b"HTTP/1.1 200 OK", b"Content-Type: text/html", *lines, b"", b""))


def _length(*values: bytes) -> bytes:
    return _head(*(b"Content-Length: " + value for value in values), b"Connection: close")


def _pouring(head: bytes, chunks: Callable[[], Iterable[bytes]]) -> Handler:
    """Sends the head, then each chunk as it is made: nothing is held in memory."""

    async def handle(connection: Connection) -> None:
        await connection.request()
        await connection.say(head)
        for chunk in chunks():
            await connection.say(chunk)

    return handle


def _saying(head: bytes, body: bytes) -> Handler:
    return _pouring(head, lambda: (body,))


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _encoded(encoding: bytes, body: bytes) -> Handler:
    return _saying(_head(b"Content-Encoding: " + encoding, b"Content-Length: %d" % len(body)), body)


def _onion(layers: int) -> bytes:
    body = _TEXT
    for _ in range(layers):
        body = gzip.compress(body, mtime=0)
    return body


_CHUNKED = _head(b"Transfer-Encoding: chunked")
_BOMB = _head(b"Content-Encoding: gzip", b"Connection: close")
_TOO_LONG = b"%d" % (len(_TEXT) + 1000)
_TOO_SHORT = b"%d" % (len(_TEXT) - 30)
_RIGHT = b"%d" % len(_TEXT)

SERVERS = {
    "endless-body": NastyServer("a body that ends with the connection, which never ends", _LIMIT, _pouring(_head(b"Connection: close"), lambda: repeat(_FILLING))),
    "endless-chunks": NastyServer("chunks without end", _LIMIT, _pouring(_CHUNKED, lambda: repeat(_chunk(_FILLING)))),
    "length-too-long": NastyServer("Content-Length of 1,000 bytes more than come before the close", _PARTIAL, _saying(_length(_TOO_LONG), _TEXT)),
    "length-too-short": NastyServer("30 bytes more than Content-Length says", "a client takes as many bytes as declared and does not use the connection again", _saying(_length(_TOO_SHORT), _TEXT)),
    "length-negative": NastyServer("a negative Content-Length", _INVALID, _saying(_length(b"-1"), _TEXT)),
    "length-huge": NastyServer("a Content-Length of a quintillion bytes, and then a close", _PARTIAL, _saying(_length(b"1" + b"0" * 18), _TEXT)),
    "length-words": NastyServer("a Content-Length in words", _INVALID, _saying(_length(b"seventy"), _TEXT)),
    "length-twice": NastyServer("two Content-Length headers that differ", _INVALID, _saying(_length(_RIGHT, b"10"), _TEXT)),
    "length-and-chunked": NastyServer("both Content-Length and Transfer-Encoding", "a client goes by the chunks, or reports invalid HTTP", _saying(_head(b"Content-Length: 5", b"Transfer-Encoding: chunked", b"Connection: close"), _chunk(_TEXT) + _chunk(b""))),
    "bad-chunk-size": NastyServer("a chunk size that is no number", _INVALID, _saying(_CHUNKED, _chunk(_TEXT) + b"zz\r\nhello\r\n0\r\n\r\n")),
    "bad-chunk-end": NastyServer("a chunk longer than its size", _INVALID, _saying(_CHUNKED, b"5\r\nhello world\r\n0\r\n\r\n")),
    "huge-chunk-size": NastyServer("a chunk size of a thousand digits", _INVALID, _saying(_CHUNKED, b"f" * 1000 + b"\r\nhello")),
    "unfinished-chunks": NastyServer("chunks, and a close without the last one", _PARTIAL, _saying(_CHUNKED, _chunk(_TEXT))),
    "endless-trailers": NastyServer("trailers without end after the last chunk", _LIMIT, _pouring(_CHUNKED + _chunk(_TEXT) + b"0\r\n", lambda: repeat(b"X-Trailer: more\r\n" * 100))),
    "truncated-gzip": NastyServer("gzip that breaks off, with the right length", _PARTIAL, _encoded(b"gzip", gzip.compress(_TEXT * 50, mtime=0)[:-30])),
    "truncated-brotli": NastyServer("brotli that breaks off, with the right length", _PARTIAL, _encoded(b"br", BROTLI[:40])),
    "gzip-bomb": NastyServer("gzip of 10 GB of zeros, 10 MB on the wire", _EXPANDS, _pouring(_BOMB, lambda: gzip_bomb(_ZEROS_MEBIBYTES))),
    "gzip-onion": NastyServer("gzip within gzip, twenty times", "a client unpacks a limited number of layers", _encoded(b", ".join([b"gzip"] * 20), _onion(20))),
    "wrong-encoding": NastyServer("says gzip, sends plain text", _ENCODING, _encoded(b"gzip", _TEXT)),
    "unknown-encoding": NastyServer("a Content-Encoding nobody knows", _ENCODING, _encoded(b"museum", _TEXT)),
}  # fmt: skip
