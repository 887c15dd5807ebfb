"""HTTP heads as bytes, as they stand in the records. Pure.

Bodies are stored without chunking. A head that still said `Transfer-Encoding: chunked` would make
readers look for chunks, so the header is kept under another name, as Common Crawl does:
`X-Crawler-Transfer-Encoding`. Reading gives the name as it was sent.

A body that was decoded when it was recorded has its `Content-Encoding` and `Content-Length` kept
that way too, and a length that is true; reading gives what fits the body. Messages of HTTP/2 and 3
stand as HTTP/1.1, the form that WARC has for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.repository.archive.records import uri

if TYPE_CHECKING:
    from webgeist.capture.exchange import Exchange, Headers

_RENAMED = b"X-Crawler-"
_TRANSFER_ENCODING = b"transfer-encoding"
_UNDONE = frozenset({b"content-encoding", b"content-length"})
_BINARY = frozenset({"HTTP/2", "HTTP/3"})
_BREAKS = re.compile(rb"[\r\n\0]+")
_BEFORE_PATH = re.compile(r"^[^:/?]+:(?://[^/?]*)?")
_REQUEST_PARTS = 3


class HeadError(ValueError):
    """These bytes are no HTTP head; the text says why."""


@dataclass(frozen=True)
class RequestHead:
    method: str
    target: str
    version: str
    headers: Headers


@dataclass(frozen=True)
class AnswerHead:
    version: str
    status: int
    reason: str
    headers: Headers


def request_head(exchange: Exchange) -> bytes:
    """The request line and headers, with the blank line."""
    line = f"{exchange.method} {_target(exchange.url)} {_version(exchange)}"
    return _head(line, exchange.request_headers)


def answer_head(exchange: Exchange) -> bytes:
    """The status line and headers, with the blank line."""
    line = f"{_version(exchange)} {exchange.status} {exchange.reason}"
    return _head(line, _fitting(exchange))


def _version(exchange: Exchange) -> str:
    return "HTTP/1.1" if exchange.version in _BINARY else exchange.version


def _fitting(exchange: Exchange) -> Headers:
    """The answer's headers, such that they are true of the body that is stored."""
    headers = exchange.response_headers
    if not exchange.decoded:
        return headers
    kept = [(_RENAMED + n if n.lower() in _UNDONE else n, value) for n, value in headers]
    return (*kept, (b"Content-Length", str(exchange.body.size).encode()))


def _target(url: str) -> str:
    """Path and query. The URL may be no valid one; what must not stand in a line is encoded."""
    found = _BEFORE_PATH.sub("", uri(url).partition("#")[0]) if url else ""
    return found if found.startswith("/") else f"/{found}"


def _head(line: str, headers: Headers) -> bytes:
    lines = [line.encode("latin-1", "replace")]
    lines += [_stored_name(name) + b": " + value for name, value in headers]
    if _BREAKS.search(b"".join(lines)):  # no line may become two
        lines = [_BREAKS.sub(b" ", each) for each in lines]
    return b"\r\n".join([*lines, b"", b""])


def _stored_name(name: bytes) -> bytes:
    return _RENAMED + name if name.lower() == _TRANSFER_ENCODING else name


def _sent_name(name: bytes) -> bytes:
    plain = name[len(_RENAMED) :]
    renamed = name.startswith(_RENAMED) and plain.lower() == _TRANSFER_ENCODING
    return plain if renamed else name


def parse_request(head: bytes) -> RequestHead:
    line, headers = _parse(head)
    parts = line.split(" ")
    if len(parts) != _REQUEST_PARTS:
        raise HeadError(f"no request line: {line[:80]!r}")
    return RequestHead(parts[0], parts[1], parts[2], headers)


def parse_answer(head: bytes) -> AnswerHead:
    line, headers = _parse(head)
    version, _, rest = line.partition(" ")
    status, _, reason = rest.partition(" ")
    if not status.isdecimal():
        raise HeadError(f"no status line: {line[:80]!r}")
    return AnswerHead(version, int(status), reason, headers)


def _parse(head: bytes) -> tuple[str, Headers]:
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    return first.decode("latin-1"), tuple(map(_parse_header, lines))


def _parse_header(line: bytes) -> tuple[bytes, bytes]:
    name, colon, value = line.partition(b":")
    if not colon:
        raise HeadError(f"no header: {line[:80]!r}")
    return _sent_name(name), value.removeprefix(b" ")
