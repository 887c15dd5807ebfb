"""CDXJ: one line per answer, `key timestamp {json}`, sorted by bytes. Pure.

The fields are those that pywb and cdxj-indexer write, and `date`, the time with its microseconds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.repository.archive.postquery import LONGEST_BODY, body_query, key_url
from webgeist.repository.archive.records import format_date, is_http, uri
from webgeist.repository.archive.surt import surt_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.capture.exchange import Headers
    from webgeist.repository.archive.places import RecordPlace

REVISIT = "warc/revisit"
_SWITCHING_PROTOCOLS = 101


@dataclass(frozen=True)
class IndexEntry:
    """One stored answer, as the index knows it. `mime` is warc/revisit where it is one."""

    key: str
    url: str
    time: datetime
    status: int
    mime: str
    sha256: str
    place: RecordPlace
    method: str = "GET"
    request_body: str = ""


@dataclass(frozen=True)
class Asked:
    """What of a request decides under which key its answer stands."""

    method: str
    url: str
    content_type: str
    body: bytes

    @classmethod
    def of(cls, method: str, url: str, headers: Headers, body: bytes) -> Asked:
        return cls(method, uri(url), header(headers, b"content-type"), body[:LONGEST_BODY])

    @property
    def key(self) -> str:
        return surt_key(key_url(self.method, self.url, self.content_type, self.body))

    @property
    def query(self) -> str:
        has_body = self.method in ("POST", "PUT")
        return body_query(self.content_type, self.body) if has_body else ""


def header(headers: Headers, name: bytes) -> str:
    """The first value of a header, or an empty text."""
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), "")


def is_indexed(url: str, status: int) -> bool:
    """Whether an answer can be served again: the opening of a web socket cannot."""
    return is_http(url) and status != _SWITCHING_PROTOCOLS


def mime_type(headers: Headers) -> str:
    """The media type without its parameters, as indexes give it."""
    return header(headers, b"content-type").partition(";")[0].strip().lower() or "unk"


def format_entry(entry: IndexEntry) -> str:
    fields = {
        "url": entry.url,
        "mime": entry.mime,
        "status": str(entry.status),
        "digest": f"sha256:{entry.sha256}",
        "length": str(entry.place.length),
        "offset": str(entry.place.offset),
        "filename": entry.place.file,
        "date": format_date(entry.time),
    }
    if entry.method != "GET":
        fields |= {"method": entry.method, "requestBody": entry.request_body}
    return f"{entry.key} {entry.time.astimezone(UTC):%Y%m%d%H%M%S} {json.dumps(fields)}"


def format_index(entries: Iterable[IndexEntry]) -> bytes:
    """A whole file, sorted."""
    lines = sorted(format_entry(entry).encode() for entry in entries)
    return b"".join(line + b"\n" for line in lines)
