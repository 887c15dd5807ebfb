"""The records of an exchange. Pure but for reading the bodies; large ones twice: hashed, written.

SHA-256 everywhere, in hexadecimal: the payload's is known already (the recorder computes it and the
tables of resources hold it), warcio verifies it, and pywb and cdxj-indexer take it as it stands.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import webgeist.repository.archive.records as warc
from webgeist.repository.archive.http import answer_head, request_head
from webgeist.repository.archive.notes import format_notes, notes_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from webgeist.capture.exchange import Body, Exchange
    from webgeist.repository.archive.places import Original

_LARGE = 1 << 20  # bytes of a block that is not held in memory
_PROTOCOLS = {"HTTP/2": "h2", "HTTP/3": "h3"}
_TLS_VERSION = re.compile(r"(?:TLS|tls)[ v/]*(\d(?:\.\d)?)")


@dataclass(frozen=True)
class Record:
    """A record to be written: named fields and a block of a head and perhaps a body."""

    kind: str
    time: datetime
    fields: warc.Fields
    content_type: str
    head: bytes
    body: Body | None = None

    def pieces(self, id_: str) -> Iterator[bytes]:
        """Everything of it, as it goes into a file; in one piece unless it is large."""
        if self._length <= _LARGE:
            block = b"".join(self._block())
            digest = hashlib.sha256(block).hexdigest()
            yield b"".join((self._fields(id_, digest), block, warc.END))
            return
        yield self._fields(id_, self._digest())
        yield from self._block()
        yield warc.END

    def _fields(self, id_: str, digest: str) -> bytes:
        return warc.format_head(
            [
                ("WARC-Type", self.kind),
                ("WARC-Record-ID", id_),
                ("WARC-Date", warc.format_date(self.time)),
                *self.fields,
                ("WARC-Block-Digest", f"sha256:{digest}"),
                ("Content-Type", self.content_type),
                ("Content-Length", str(self._length)),
            ]
        )

    @property
    def _length(self) -> int:
        return len(self.head) + (self.body.size if self.body else 0)

    def _block(self) -> Iterator[bytes]:
        yield self.head
        if self.body:
            yield from self.body.chunks()

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for piece in self._block():
            digest.update(piece)
        return digest.hexdigest()


@dataclass(frozen=True)
class Composer:
    """Makes the records of one file; each names the file's warcinfo record."""

    warcinfo: str

    def answer(self, exchange: Exchange, original: Original | None) -> Record:
        """A response, or a revisit where the payload is stored already: then without the body."""
        fields = self._common(exchange)
        if warc.is_http(exchange.url):
            fields.append(("WARC-Payload-Digest", f"sha256:{exchange.body.sha256}"))
        if exchange.truncated:
            fields.append(("WARC-Truncated", exchange.truncated))
        if original:
            fields += _reference(original)
        return Record(
            kind="revisit" if original else "response",
            time=exchange.started,
            fields=tuple(fields),
            content_type=warc.HTTP_RESPONSE,
            head=answer_head(exchange),
            body=None if original else exchange.body,
        )

    def request(self, exchange: Exchange, answer: str | None) -> Record:
        """The request; `answer` is the id of its answer's record."""
        fields = [*self._common(exchange), *_together(answer)]
        if exchange.request_body.size and warc.is_http(exchange.url):
            fields.append(("WARC-Payload-Digest", f"sha256:{exchange.request_body.sha256}"))
        return Record(
            kind="request",
            time=exchange.started,
            fields=tuple(fields),
            content_type=warc.HTTP_REQUEST,
            head=request_head(exchange),
            body=exchange.request_body,
        )

    def notes(self, exchange: Exchange, capture: str, described: str) -> Record:
        """The metadata record; `described` is the id of the answer, or of a request without one."""
        fields = (
            ("WARC-Target-URI", warc.uri(exchange.url)),
            ("WARC-Warcinfo-ID", self.warcinfo),
            *_together(described),
        )
        block = format_notes(notes_of(exchange, capture))
        return Record("metadata", exchange.started, fields, warc.WARC_FIELDS, block)

    def _common(self, exchange: Exchange) -> list[tuple[str, str]]:
        fields = [
            ("WARC-Target-URI", warc.uri(exchange.url)),
            ("WARC-Warcinfo-ID", self.warcinfo),
            ("WARC-Protocol", _PROTOCOLS.get(exchange.version) or exchange.version.lower()),
        ]
        if exchange.tls and (found := _TLS_VERSION.match(exchange.tls.protocol)):
            fields.append(("WARC-Protocol", f"tls/{found[1]}"))
        if exchange.address:
            fields.append(("WARC-IP-Address", exchange.address))
        return fields


def warcinfo_record(file: str, time: datetime, software: str) -> Record:
    """The first record of a file: who wrote it, in which format."""
    described = {
        "software": software,
        "format": "WARC File Format 1.1",
        "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    }
    block = "".join(f"{name}: {value}\r\n" for name, value in described.items()).encode()
    return Record("warcinfo", time, (("WARC-Filename", file),), warc.WARC_FIELDS, block)


def _together(id_: str | None) -> list[tuple[str, str]]:
    return [("WARC-Concurrent-To", id_)] if id_ else []


def _reference(original: Original) -> list[tuple[str, str]]:
    """Where the payload is: as the standard says it, and by file and offset."""
    place = original.place
    return [
        ("WARC-Profile", warc.IDENTICAL),
        ("WARC-Refers-To", warc.record_id(place.file, place.offset)),
        ("WARC-Refers-To-Target-URI", warc.uri(original.url)),
        ("WARC-Refers-To-Date", warc.format_date(original.time)),
        ("WARC-Refers-To-Filename", place.file),
        ("WARC-Refers-To-File-Offset", str(place.offset)),
    ]
