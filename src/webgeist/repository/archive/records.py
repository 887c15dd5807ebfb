"""WARC 1.1 records: their heads, dates, digests and names. Pure.

A record's id is made from its file and offset, so that whoever knows the place knows the id.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha1
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

Fields = tuple[tuple[str, str], ...]

VERSION = "WARC/1.1"
IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
HTTP_REQUEST = "application/http;msgtype=request"
HTTP_RESPONSE = "application/http;msgtype=response"
WARC_FIELDS = "application/warc-fields"
END = b"\r\n\r\n"  # after every record's block

_NAMESPACE = uuid.UUID("6f0f6f0e-6a7c-5a43-9c0f-0a8f2f1f7c11")
_URI_CHARACTERS = "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\""
_UNREADABLE = "urn:webgeist:unreadable"  # a request without a URL; WARC wants one
_BREAKS = re.compile(r"[\r\n]+")
_SAME_AGAIN = 16  # the records of an exchange name its URL and time again and again


class RecordError(ValueError):
    """These bytes are no WARC record of ours; the text says why."""


@dataclass(frozen=True)
class RecordHead:
    """The named fields of a record. Names are compared without case."""

    fields: Fields

    def get(self, name: str) -> str:
        """The field's value, or an empty text."""
        return next((value for key, value in self.fields if key.lower() == name.lower()), "")

    @property
    def kind(self) -> str:
        return self.get("WARC-Type")

    @property
    def url(self) -> str:
        return self.get("WARC-Target-URI").replace(_UNREADABLE, "")

    @property
    def time(self) -> datetime:
        return parse_date(self.get("WARC-Date"))

    @property
    def length(self) -> int:
        """Bytes of the block."""
        return int(self.get("Content-Length"))

    @property
    def original(self) -> tuple[str, int]:
        """The file and offset of the record whose payload a revisit has."""
        file, offset = (self.get(f"WARC-Refers-To-{name}") for name in ("Filename", "File-Offset"))
        if not file or not offset.isdecimal():
            raise RecordError("a revisit that does not say where its original is")
        return file, int(offset)

    @property
    def sha256(self) -> str:
        """Of the payload, in hexadecimal."""
        return self.get("WARC-Payload-Digest").removeprefix("sha256:")


def record_id(file: str, offset: int) -> str:
    """A name-based UUID (RFC 9562, version 5), five times as fast as `uuid.uuid5` makes it."""
    name = _NAMESPACE.bytes + f"{file}/{offset}".encode()
    digits = sha1(name, usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    parts = digits[:8], digits[8:12], "5" + digits[13:16], variant + digits[17:20], digits[20:32]
    return f"<urn:uuid:{'-'.join(parts)}>"


@lru_cache(_SAME_AGAIN)
def format_date(time: datetime) -> str:
    """In UTC with microseconds, which WARC 1.1 allows."""
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def parse_date(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError as error:
        raise RecordError(f"no date: {text[:40]!r}") from error


@lru_cache(_SAME_AGAIN)
def uri(url: str) -> str:
    """A URL that fits on a line: what must not stand in one is percent-encoded."""
    return quote(url, safe=_URI_CHARACTERS, errors="replace") or _UNREADABLE


def is_http(url: str) -> bool:
    """Whether WARC says what a record's payload is: it does for these schemes alone, not for ws."""
    return url.lower().startswith(("http://", "https://"))


def format_head(fields: Iterable[tuple[str, str]]) -> bytes:
    lines = [VERSION, *(f"{name}: {value}" for name, value in fields)]
    whole = "".join(lines)
    if "\n" in whole or "\r" in whole:  # no field may become two
        lines = [_BREAKS.sub(" ", line) for line in lines]
    return "\r\n".join([*lines, "", ""]).encode()


def parse_head(head: bytes) -> RecordHead:
    try:
        first, *lines = head.decode().removesuffix("\r\n\r\n").split("\r\n")
    except UnicodeDecodeError as error:
        raise RecordError("a head that is no UTF-8") from error
    if first not in ("WARC/1.0", VERSION):
        raise RecordError(f"no WARC record: {first[:40]!r}")
    found = RecordHead(tuple(map(_parse_field, lines)))
    if not found.get("Content-Length").isdecimal():
        raise RecordError(f"no Content-Length: {found.get('Content-Length')[:40]!r}")
    return found


def _parse_field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon:
        raise RecordError(f"no field: {line[:80]!r}")
    return name, value.strip()
