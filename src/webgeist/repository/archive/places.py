"""Where records are, and what is remembered of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from webgeist.repository.archive.cdxj import IndexEntry


@dataclass(frozen=True, order=True)
class RecordPlace:
    """One record, a gzip member of its own: `length` bytes from `offset` on in a WARC file."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True)
class Original:
    """The record that holds a payload; later answers with the same payload refer to it."""

    place: RecordPlace
    url: str
    time: datetime


@dataclass(frozen=True)
class Kept:
    """What became of one exchange. `answer` is None where none came or the gate refused it.

    `original` is set where the answer's record holds a payload that was not in the archive before:
    the database is to remember it under `sha256`.
    """

    request: RecordPlace
    answer: RecordPlace | None
    notes: RecordPlace
    sha256: str
    original: Original | None
    entry: IndexEntry | None

    @property
    def revisit(self) -> bool:
        """Whether the payload was in the archive already."""
        return self.entry is not None and self.entry.mime == "warc/revisit"
