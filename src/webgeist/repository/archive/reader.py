"""Reads stored messages by their place. Bodies are streamed, a revisit's from its original."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, LimitError
from webgeist.repository.archive.http import parse_answer, parse_request
from webgeist.repository.archive.notes import parse_notes
from webgeist.repository.archive.opened import MOST_BYTES, OpenRecord, reading
from webgeist.repository.archive.records import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from webgeist.capture.exchange import Headers
    from webgeist.repository.archive.notes import Notes
    from webgeist.repository.archive.places import RecordPlace

_ZLIB = frozenset({"gzip", "x-gzip", "deflate"})
_OTHERS = frozenset({"br", "zstd"})  # that browsers know


@dataclass(frozen=True)
class StoredBody:
    """A body in the archive: content-coded as it was sent, not chunked. Read as often as needed."""

    path: Path
    offset: int
    size: int
    sha256: str

    def chunks(self) -> Iterator[bytes]:
        """DamagedError, at the latest after the last chunk, where it is not what was written."""
        with OpenRecord(self.path, self.offset, most_bytes=1 << 62) as record:
            record.http_head()
            yield from record.rest()

    def read(self) -> bytes:
        return b"".join(self.chunks())


@dataclass(frozen=True)
class StoredAnswer:
    """An answer as it was sent. `truncated` as in `Exchange`; a `revisit` shares its body."""

    url: str
    time: datetime
    version: str
    status: int
    reason: str
    headers: Headers
    truncated: str
    revisit: bool
    body: StoredBody

    def unpacked(self, most_bytes: int) -> tuple[bytes, str]:
        """The body without its coding, where that is one of zlib's; else with it, and which it is.

        LimitError where it is larger, DamagedError where it cannot be unpacked.
        """
        if self.body.size > most_bytes:
            raise LimitError(
                f"{self.url} has {self.body.size:,} bytes, the limit is {most_bytes:,}"
            )
        said = {name.lower(): value.decode("latin-1") for name, value in self.headers}
        coding = said.get(b"content-encoding", "").strip().lower()
        raw = self.body.read()
        if coding not in _ZLIB:
            return raw, coding if coding in _OTHERS else ""
        unpacker = zlib.decompressobj(wbits=47)  # gzip or zlib, as its head says
        try:
            body = unpacker.decompress(raw, most_bytes)
        except zlib.error as error:
            raise DamagedError(f"{self.url} cannot be unpacked: {error}") from error
        if unpacker.unconsumed_tail:
            raise LimitError(f"{self.url} has more than {most_bytes:,} bytes, unpacked")
        return body, ""


@dataclass(frozen=True)
class StoredRequest:
    method: str
    url: str
    time: datetime
    version: str
    headers: Headers
    body: StoredBody


class ArchiveReader:
    """Any number may read while one writes. Everything raises DamagedError with file and offset.

    `most_bytes` bounds what a record may expand to: LimitError where it says that it is larger.
    """

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def answer(self, place: RecordPlace) -> StoredAnswer:
        with self._open(place, "response", "revisit") as record:
            head = record.http_head()
            body = self._body(record)
        with reading(record.path, place.offset):
            parsed = parse_answer(head)
            return StoredAnswer(
                url=record.head.url,
                time=record.head.time,
                version=parsed.version,
                status=parsed.status,
                reason=parsed.reason,
                headers=parsed.headers,
                truncated=record.head.get("WARC-Truncated"),
                revisit=record.head.kind == "revisit",
                body=body,
            )

    def request(self, place: RecordPlace) -> StoredRequest:
        with self._open(place, "request") as record, reading(record.path, place.offset):
            parsed = parse_request(record.http_head())
            return StoredRequest(
                method=parsed.method,
                url=record.head.url,
                time=record.head.time,
                version=parsed.version,
                headers=parsed.headers,
                body=self._body(record),
            )

    def notes(self, place: RecordPlace) -> Notes:
        with self._open(place, "metadata") as record, reading(record.path, place.offset):
            return parse_notes(b"".join(record.rest()))

    def verify(self, place: RecordPlace) -> None:
        """Read a record to its end; a revisit's original is only looked at."""
        with self._open(place, "warcinfo", "request", "response", "revisit", "metadata") as record:
            record.skip()
        if record.head.kind == "revisit":
            self._original(record)

    def _open(self, place: RecordPlace, *kinds: str) -> OpenRecord:
        return self._checked(place.file, place.offset, place.length, kinds)

    def _checked(
        self, file: str, offset: int, length: int | None, kinds: tuple[str, ...]
    ) -> OpenRecord:
        path = self._folder / file
        with reading(path, offset):
            if Path(file).name != file:
                raise RecordError("a file that cannot be in the archive")
        record = OpenRecord(path, offset, length, self._most_bytes)
        if record.head.kind not in kinds:
            record.close()
            with reading(path, offset):
                raise RecordError(f"a {record.head.kind} record, not {' or '.join(kinds)}")
        return record

    def _body(self, record: OpenRecord) -> StoredBody:
        """The body of a record whose head was read."""
        if record.head.kind == "revisit":
            return self._original(record)
        return StoredBody(record.path, record.offset, record.left, record.head.sha256)

    def _original(self, revisit: OpenRecord) -> StoredBody:
        with reading(revisit.path, revisit.offset):
            file, offset = revisit.head.original
        with self._checked(file, offset, None, ("response",)) as original:
            if original.head.sha256 != revisit.head.sha256:
                with reading(revisit.path, revisit.offset):
                    raise RecordError(f"its original in {file} has another payload")
            original.http_head()
            return self._body(original)
