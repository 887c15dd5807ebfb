"""The heads of requests and answers, and what a proxy changes in them on their way. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.capture.exchange import Headers
    from webgeist.capture.recorder.origin import Origin

# They are about one connection, not about the message (RFC 9110, 7.6.1).
_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"proxy-authenticate"}
    | {b"proxy-authorization", b"proxy-authentication-info", b"te", b"upgrade"}
)
_FOLDED = re.compile(rb"\n[ \t]")
_BARE = re.compile(rb"(?<!\r)\n|\r(?!\n)|\0")
_NUMBER = re.compile(rb"[0-9]+")


@dataclass(frozen=True)
class RequestHead:
    """A request as it goes on to its origin."""

    method: str
    origin: Origin
    target: bytes
    headers: Headers
    upgrade: bool = False  # it asks for a web socket

    @cached_property
    def url(self) -> str:
        return self.origin.url(self.target.decode("latin-1"))

    @cached_property
    def length(self) -> int | None:
        """How long its body is; None if it is sent in chunks."""
        if value(self.headers, b"transfer-encoding"):
            return None
        return int(value(self.headers, b"content-length") or 0)


@dataclass(frozen=True)
class ResponseHead:
    """An answer as its origin sent it."""

    status: int
    reason: str
    headers: Headers
    version: str = "HTTP/1.1"


def value(headers: Headers, name: bytes) -> bytes:
    """All values of a header, joined as one list; empty where there is none."""
    size = len(name)  # compared first: most names are not even as long
    return b", ".join([text for key, text in headers if len(key) == size and key.lower() == name])


def smuggles(head: bytes) -> str | None:
    """Why a request's head could mean one thing to us and another to the server behind us."""
    if _FOLDED.search(head):
        return "it has a header that goes on in the next line"
    if _BARE.search(head):
        return "its lines don't end as they must, or it holds a NUL"
    fields = [line.partition(b":") for line in head.split(b"\r\n")[1:]]
    lengths = [text.strip() for name, _, text in fields if name.lower() == b"content-length"]
    chunked = any(name.lower() == b"transfer-encoding" for name, _, _ in fields)
    if len(lengths) > 1 or (lengths and chunked):
        return "it gives the length of its body twice"
    if lengths and not _NUMBER.fullmatch(lengths[0]):
        return "the length of its body is no number"
    return None


def for_origin(headers: Headers, origin: Origin) -> tuple[Headers, bool]:
    """A request's headers as they go on, and whether it asks for a web socket.

    Nothing tells the origin of a proxy: what the browser says to the proxy about its connection
    becomes what it would have said to the origin.
    """
    upgrade = b"websocket" in value(headers, b"upgrade").lower()
    dropped = _named_by_connection(headers) | _HOP_BY_HOP
    kept: list[tuple[bytes, bytes]] = []
    for name, text in headers:
        key = name.lower()
        if key == b"host":
            kept.append((name, origin.authority.encode()))
        elif key in {b"connection", b"proxy-connection"}:
            kept.append((b"Connection", b"Upgrade" if upgrade else b"keep-alive"))
        elif key not in dropped or (upgrade and key == b"upgrade"):
            kept.append((name, text))
    return tuple(kept), upgrade


def for_page(headers: Headers, *, upgrade: bool = False) -> Headers:
    """An answer's headers as they go on. Chunks beat a length, as they do for every reader."""
    if upgrade:
        return headers
    dropped = _named_by_connection(headers) | _HOP_BY_HOP
    if value(headers, b"transfer-encoding"):
        dropped |= {b"content-length"}
    return tuple((name, text) for name, text in headers if name.lower() not in dropped)


def _named_by_connection(headers: Headers) -> frozenset[bytes]:
    """Headers that the sender declares to be about the connection; never the framing ones."""
    named = {part.strip().lower() for part in value(headers, b"connection").split(b",")}
    return frozenset(named - {b"content-length", b"transfer-encoding", b"host", b""})
