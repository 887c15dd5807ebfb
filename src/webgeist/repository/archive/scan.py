"""Reads whole WARC files from front to end: to check them, and to make an index anew."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError
from webgeist.repository.archive.cdxj import (
    REVISIT,
    Asked,
    IndexEntry,
    is_indexed,
    mime_type,
)
from webgeist.repository.archive.http import AnswerHead, parse_answer, parse_request
from webgeist.repository.archive.opened import OpenRecord, reading
from webgeist.repository.archive.places import RecordPlace
from webgeist.repository.archive.postquery import LONGEST_BODY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from webgeist.repository.archive.records import RecordHead


@dataclass(frozen=True)
class Scanned:
    """A sound record. `http` is its message's head; `beginning` the first megabyte of the rest."""

    place: RecordPlace
    head: RecordHead
    http: bytes
    beginning: bytes


def scan(path: Path, length: int) -> Iterator[Scanned]:
    """Every record in the first `length` bytes, each read to its end and checked. DamagedError."""
    offset = 0
    while offset < length:
        with OpenRecord(path, offset) as record:
            http = record.http_head() if record.has_http_head else b""
            beginning = _beginning(record)
        place = RecordPlace(path.name, offset, record.end - offset)
        offset = record.end
        yield Scanned(place, record.head, http, beginning)
    if offset != length:
        raise DamagedError(f"{path} is damaged: a record goes beyond byte {length:,}")


def _beginning(record: OpenRecord) -> bytes:
    kept = bytearray()
    for piece in record.rest():
        kept += piece[: LONGEST_BODY - len(kept)]
    return bytes(kept)


def sound_length(path: Path) -> int:
    """Where the last whole exchange ends that can be reached from the file's beginning."""
    end = 0
    with suppress(DamagedError):  # what is behind it is not sound
        for record in scan(path, path.stat().st_size):
            if record.head.kind == "metadata":
                end = record.place.offset + record.place.length
    return end


def entries(path: Path, length: int) -> Iterator[IndexEntry]:
    """What the index of a file must hold. DamagedError."""
    return entries_of(path, scan(path, length))


def entries_of(path: Path, records: Iterable[Scanned]) -> Iterator[IndexEntry]:
    """The same, of records that are read elsewhere. A request stands right behind its answer."""
    answer: Scanned | None = None
    for record in records:
        if record.head.kind == "request":
            concurrent = record.head.get("WARC-Concurrent-To")
            if answer and concurrent == answer.head.get("WARC-Record-ID"):
                yield from _entry(path, answer, record)
            answer = None
        elif record.head.kind in ("response", "revisit"):
            answer = record


def _entry(path: Path, answer: Scanned, request: Scanned) -> Iterator[IndexEntry]:
    with reading(path, answer.place.offset):
        answered: AnswerHead = parse_answer(answer.http)
        sent = parse_request(request.http)
        if not is_indexed(answer.head.url, answered.status):
            return
        asked = Asked.of(sent.method, request.head.url, sent.headers, request.beginning)
        revisit = answer.head.kind == "revisit"
        yield IndexEntry(
            key=asked.key,
            url=answer.head.url,
            time=answer.head.time,
            status=answered.status,
            mime=REVISIT if revisit else mime_type(answered.headers),
            sha256=answer.head.sha256,
            place=answer.place,
            method=sent.method,
            request_body=asked.query,
        )
