"""What Chromium's network events say of requests and answers, as we write it down. Pure.

Over HTTP/1.1 Chromium tells an answer's head as it came. Of requests, and over HTTP/2 and 3, it
tells names and values, sorted; what was sent several times is one value of several lines.
"""

from __future__ import annotations

import base64
from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from webgeist.capture.exchange import Tls

if TYPE_CHECKING:
    from webgeist.capture.exchange import Headers

_VERSIONS = {"http/0.9": "HTTP/0.9", "http/1.0": "HTTP/1.0", "h2": "HTTP/2", "h3": "HTTP/3"}
_HTTP = "HTTP/"
_CODINGS = frozenset({b"gzip", b"x-gzip", b"deflate", b"br", b"zstd", b"dcb", b"dcz"})


@dataclass(frozen=True)
class Head:
    """The head of an answer."""

    status: int
    reason: str
    headers: Headers
    version: str | None = None  # None where it is not told

    def value(self, name: bytes) -> bytes | None:
        """The last value of a header; None where there is none."""
        return next((v for key, v in reversed(self.headers) if key.lower() == name), None)

    @property
    def coded(self) -> bool:
        """Whether its body has a content coding that Chromium undoes."""
        codings = (self.value(b"content-encoding") or b"").lower().split(b",")
        return any(coding.strip() in _CODINGS for coding in codings)


@dataclass(frozen=True)
class Answer:
    """An answer as the page got it: perhaps from a cache, and then with the headers of that."""

    head: Head
    cached: bool
    tls: Tls | None


def answer_of(response: dict[str, Any]) -> Answer:
    """Chromium's `Network.Response`."""
    flags = ("fromDiskCache", "fromServiceWorker", "fromPrefetchCache")
    plain = Head(
        response["status"],
        response.get("statusText", ""),
        headers_of(response["headers"]),
        _VERSIONS.get(response.get("protocol", ""), "HTTP/1.1"),
    )
    text = response.get("headersText")  # that of a web socket's handshake
    head = _head_of(text, plain) if text else plain
    return Answer(head, any(response.get(flag) for flag in flags), _tls(response))


def wire_head_of(told: dict[str, Any]) -> Head:
    """The head in `Network.responseReceivedExtraInfo`: what came over the wire."""
    plain = Head(told["statusCode"], "", headers_of(told["headers"]))
    text = told.get("headersText", "")
    return _head_of(text, plain) if text.startswith(_HTTP) else plain


def _head_of(text: str, plain: Head) -> Head:
    """A head of HTTP/1: the text has the names and their order as they came, but loses the bytes
    above 127 that the values in `plain` have.
    """
    values: defaultdict[bytes, deque[bytes]] = defaultdict(deque)
    for key, value in plain.headers:
        values[key.lower()].append(value)
    line, *lines = text.split("\r\n")
    version, _, rest = line.partition(" ")
    headers = []
    for field in filter(None, lines):
        name, _, said = field.partition(":")
        known = values[to_bytes(name).lower()]
        headers.append((to_bytes(name), known.popleft() if known else to_bytes(said.strip(" \t"))))
    return Head(plain.status, rest.partition(" ")[2], tuple(headers), version)


def headers_of(told: dict[str, str]) -> Headers:
    """Names and values. HTTP/2's own fields are none of the message, but for its host."""
    found: list[tuple[bytes, bytes]] = []
    for name, values in told.items():
        if name.startswith(":") and name != ":authority":
            continue
        key = b"Host" if name == ":authority" else to_bytes(name)
        found += [(key, to_bytes(value)) for value in values.split("\n")]
    return tuple(found)


def to_bytes(text: str) -> bytes:
    """Chromium tells bytes that are no UTF-8 as Latin-1."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def posted(request: dict[str, Any]) -> bytes | None:
    """The body of a request; None where it has one that is not told: a file, a blob, a long one."""
    if not request.get("hasPostData"):
        return b""
    entries = request.get("postDataEntries", [])
    if not entries or any("bytes" not in entry for entry in entries):
        return None
    return b"".join(base64.b64decode(entry["bytes"]) for entry in entries)


def _tls(response: dict[str, Any]) -> Tls | None:
    details = response.get("securityDetails")
    if not details:
        return None
    expires = datetime.fromtimestamp(details["validTo"], UTC)
    return Tls(
        problem="",
        protocol=details["protocol"],
        subject=f"commonName={details['subjectName']}",
        issuer=f"commonName={details['issuer']}",
        expires=f"{expires:%b %d %H:%M:%S %Y} GMT",
    )
