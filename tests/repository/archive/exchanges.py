"""Exchanges of every kind, made by hand, and a small archive with a dictionary for a database."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from webgeist.capture.exchange import Body, Exchange, Tls
from webgeist.repository.archive import ArchiveReader, ArchiveWriter
from webgeist.repository.files import DISK

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.exchange import Headers
    from webgeist.repository.archive import Kept, Original, StoredAnswer
    from webgeist.repository.files import Files

NOON = datetime(2024, 2, 29, 12, 0, 0, 123456, tzinfo=UTC)
HTML = ((b"Content-Type", b"text/html; charset=utf-8"),)
PAGE = b"<!doctype html><title>A page</title><p>" + b"Some words of it. " * 40
BROTLI_PLAIN = b"<p>brotli" * 50
BROTLI = (
    b"\x1b\xc1\x01\xf8\x1d\xa9Q\x9f=\xaey\xc4\xe0\xe8\x94\x8f\\\xa6\xb1\xbd\x05o\xc1\xc09\xe2\x0f"
)
TLS = Tls(problem="", protocol="TLSv1.3", subject="h.test", issuer="ours", expires="2030-01-01")


_made: list[Body] = []


def make_body(data: bytes = b"") -> Body:
    body = Body()
    body.write(data)
    _made.append(body)
    return body


def close_bodies() -> None:
    """Every test ends with this."""
    while _made:
        _made.pop().close()


def make_exchange(
    url: str = "http://h.test/",
    data: bytes = PAGE,
    *,
    number: int = 0,
    method: str = "GET",
    sent: bytes = b"",
    request_headers: Headers = ((b"Host", b"h.test"), (b"Accept", b"*/*")),
    headers: Headers = HTML,
    status: int | None = 200,
    reason: str = "OK",
    **more: Any,
) -> Exchange:
    return Exchange(
        number=number,
        method=method,
        url=url,
        version="HTTP/1.1",
        request_headers=request_headers,
        request_body=make_body(sent),
        started=more.pop("started", NOON + timedelta(seconds=number)),
        seconds=0.25,
        status=status,
        reason=reason,
        response_headers=headers,
        body=make_body(data),
        **more,
    )


KINDS: dict[str, dict[str, Any]] = {
    "page": {"address": "192.0.2.7"},
    "same": {},  # the page's payload again
    "redirect": {
        "status": 302,
        "reason": "Found",
        "headers": ((b"Location", b"http://h.test/page"),),
        "data": b"",
    },
    "post": {
        "method": "POST",
        "sent": b"name=value&other=1",
        "request_headers": ((b"Content-Type", b"application/x-www-form-urlencoded"),),
        "data": b"thanks for posting",
    },
    "json": {
        "method": "POST",
        "sent": b'{"q": {"id": 7}}',
        "request_headers": ((b"content-type", b"application/json"),),
        "data": b'{"found": 1}',
    },
    "nothing": {"status": 204, "reason": "No Content", "headers": (), "data": b""},
    "head": {"method": "HEAD", "headers": (*HTML, (b"Content-Length", b"5000")), "data": b""},
    "unchanged": {"status": 304, "reason": "Not Modified", "data": b""},
    "empty": {"headers": (*HTML, (b"Content-Length", b"0")), "data": b""},
    "chunked": {
        "headers": (*HTML, (b"transfer-encoding", b"chunked")),
        "data": b"3e8\r\nlooks like a chunk but is the body" * 30,
    },
    "gzipped": {
        "headers": (*HTML, (b"Content-Encoding", b"gzip")),
        "data": gzip.compress(b"<p>gzipped" * 50),
    },
    "brotli": {
        "headers": (*HTML, (b"Content-Encoding", b"br")),
        "data": BROTLI,
    },
    "cut": {
        "headers": (*HTML, (b"Content-Length", b"90000")),
        "data": b"<p>this far",
        "truncated": "disconnect",
        "error": "the origin\r\nwent away",
    },
    "refused": {
        "status": None,
        "reason": "",
        "headers": (),
        "data": b"",
        "refused": "h.test is 127.0.0.1, which is no public address",
        "cause": "destination_ip_prohibited",
    },
    "silent": {"status": None, "reason": "", "headers": (), "data": b"", "error": "time out"},
    "missing": {"status": 404, "reason": "Not Found", "data": b"<p>no such page"},
    "odd": {
        "reason": "",
        "headers": ((b"Set-Cookie", b"a=1"), (b"set-cookie", b"b=\xe9"), (b"X-Empty", b"")),
        "data": b"\x00\xff\r\n\r\nWARC/1.1\r\n",
    },
    "secure": {
        "url": "https://h.test/secure",
        "tls": TLS,
        "address": "2001:db8::1",
        "data": b"<p>over TLS",
    },
    "unreadable": {
        "url": "",
        "method": "",
        "status": None,
        "reason": "",
        "request_headers": (),
        "headers": (),
        "data": b"",
        "error": "no HTTP",
        "cause": "http_request_error",
    },
    "socket": {
        "url": "ws://h.test/socket",
        "status": 101,
        "reason": "Switching Protocols",
        "headers": ((b"Upgrade", b"websocket"), (b"Connection", b"Upgrade")),
        "data": b"",
    },
}


def every_kind() -> dict[str, Exchange]:
    """One exchange of each kind that a recorder can hand over."""
    made = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        options: dict[str, Any] = {"url": f"http://h.test/{name}", "number": number, **kind}
        made[name] = make_exchange(**options)
    return made


@dataclass
class Shelf:
    """An archive folder and what a database would remember of it."""

    folder: Path
    lengths: dict[str, int] = field(default_factory=dict)
    originals: dict[str, Original] = field(default_factory=dict)

    def writer(self, files: Files = DISK, **options: Any) -> ArchiveWriter:
        return ArchiveWriter(
            self.folder, self.originals.get, lambda: self.lengths, files=files, **options
        )

    def commit(self, writer: ArchiveWriter, kept: list[Kept]) -> None:
        """As the repository does it: lengths and originals become known together."""
        self.lengths |= writer.commit()
        self.originals |= {each.sha256: each.original for each in kept if each.original}

    def keep(self, *exchanges: Exchange, capture: str = "capture-1") -> list[Kept]:
        """Write, commit, close."""
        with self.writer() as writer:
            kept = [writer.append(exchange, capture) for exchange in exchanges]
            self.commit(writer, kept)
        return kept

    @property
    def reader(self) -> ArchiveReader:
        return ArchiveReader(self.folder)

    def answer(self, kept: Kept) -> StoredAnswer:
        assert kept.answer is not None
        return self.reader.answer(kept.answer)

    @property
    def warcs(self) -> list[Path]:
        return sorted(self.folder.glob("*.warc.gz"))

    @property
    def indexed(self) -> list[str]:
        """The URLs of all index lines."""
        files = [path.read_bytes() for path in self.folder.glob("*.cdxj")]
        lines = b"".join(files).splitlines()
        return [json.loads(line.split(b" ", 2)[2])["url"] for line in lines]
