"""What state.db knows: batches, captures, archive files with their lengths, resources, releases."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.repository.archive.places import Original, RecordPlace
from webgeist.repository.database import open_database, sqlite_errors, unsynced
from webgeist.repository.state_tables import (
    ARCHIVE_FILES,
    BATCHES,
    CAPTURES,
    RELEASES,
    RESOURCES,
    RESULTS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

_AT_ONCE = 1_000  # values in one question

# Asked for every capture: putting them together would take longer than their answers.
_PLACE = (
    sa.select(CAPTURES.c.batch, BATCHES.c.release)
    .join(BATCHES, BATCHES.c.batch == CAPTURES.c.batch)
    .where(CAPTURES.c.capture == sa.bindparam("capture"))
)
_ORIGINALS = sa.select(RESOURCES).where(
    RESOURCES.c.sha256.in_(sa.bindparam("payloads", expanding=True))
)


@dataclass(frozen=True)
class CaptureEntry:
    """What is known of a capture without opening it."""

    capture: str
    url: str
    requested_url: str
    time: datetime
    viewport: str
    outcome: str


@dataclass(frozen=True)
class BatchRecord:
    """All that one transaction makes known: from then on the batch is there."""

    batch: str
    time: datetime
    sha256: str  # of its batch.json
    captures: Sequence[CaptureEntry]  # by position in its tables
    archive_files: Mapping[str, int]
    originals: Mapping[str, Original]  # by the payload's SHA-256


@dataclass(frozen=True)
class ReleaseRecord:
    """A release as state.db knows it. Only the newest has its manifest's text, as a second copy."""

    release: int
    time: datetime
    sha256: str
    manifest: str | None


class State:
    """Questions to state.db, and the few ways in which it changes, each one transaction."""

    def __init__(self, path: Path, *, readonly: bool) -> None:
        self.path = path
        self._engine = open_database(path, readonly=readonly)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[sa.Connection]:
        """All or nothing; what is not `durable` is on the disk with the next that is."""
        with (
            sqlite_errors(self.path),
            self._engine.connect() as connection,
            nullcontext() if durable else unsynced(connection),
            connection.begin(),
        ):
            yield connection

    def _rows(self, question: sa.Select[Any], **values: object) -> Sequence[sa.Row[Any]]:
        with self.transaction() as connection:
            return connection.execute(question, values).all()

    # --- captures ------------------------------------------------------------------------------

    def place(self, capture: str) -> tuple[str, int | None] | None:
        """A capture's batch, and the release that it was first published in."""
        rows = self._rows(_PLACE, capture=capture)
        return (rows[0].batch, rows[0].release) if rows else None

    def captures(
        self, *, url: str | None = None, until: datetime | None = None
    ) -> list[CaptureEntry]:
        """All captures, or those of one URL (asked for or arrived at), sorted by id."""
        question = sa.select(*(CAPTURES.c[name] for name in CaptureEntry.__dataclass_fields__))
        if url is not None:
            question = question.where((CAPTURES.c.url == url) | (CAPTURES.c.requested_url == url))
        if until is not None:
            question = question.where(CAPTURES.c.time <= until)
        rows = self._rows(question.order_by(CAPTURES.c.capture))
        return [CaptureEntry(**row._mapping) for row in rows]  # noqa: SLF001  SQLAlchemy's public name

    def published(self, release: int, batches: Iterable[str] = ()) -> set[str]:
        """The captures that a release has: those it is known to have, and those of `batches`."""
        question = sa.select(CAPTURES.c.capture, CAPTURES.c.batch, BATCHES.c.release)
        rows = self._rows(question.join(BATCHES, BATCHES.c.batch == CAPTURES.c.batch))
        more = set(batches)
        return {
            row.capture
            for row in rows
            if (row.release is not None and row.release <= release) or row.batch in more
        }

    def count(self) -> int:
        return int(self._rows(sa.select(sa.func.count()).select_from(CAPTURES))[0][0])

    # --- batches and the archive ---------------------------------------------------------------

    def batches(self) -> dict[str, tuple[str, int | None]]:
        """Every batch with its batch.json's digest and the release that has it."""
        rows = self._rows(sa.select(BATCHES.c.batch, BATCHES.c.sha256, BATCHES.c.release))
        return {row.batch: (row.sha256, row.release) for row in rows}

    def staged(self) -> dict[str, str]:
        """The batches that no release has yet, with the digests of their batch.json."""
        question = sa.select(BATCHES.c.batch, BATCHES.c.sha256).where(BATCHES.c.release.is_(None))
        return {row.batch: row.sha256 for row in self._rows(question.order_by(BATCHES.c.batch))}

    def batch_captures(self, batch: str) -> list[str]:
        question = sa.select(CAPTURES.c.capture).where(CAPTURES.c.batch == batch)
        return [row.capture for row in self._rows(question.order_by(CAPTURES.c.position))]

    def archive_files(self) -> dict[str, int]:
        rows = self._rows(sa.select(ARCHIVE_FILES.c.file, ARCHIVE_FILES.c.length))
        return {row.file: row.length for row in rows}

    def find_originals(self, payloads: Iterable[str]) -> dict[str, Original]:
        """Where payloads were stored first, by their SHA-256; only those that were."""
        found: dict[str, Original] = {}
        left = list(payloads)
        while left:
            some, left = left[:_AT_ONCE], left[_AT_ONCE:]
            rows = self._rows(_ORIGINALS, payloads=some)
            found |= {row.sha256: _original(row) for row in rows}
        return found

    def originals(self) -> Iterator[RecordPlace]:
        """The records that later answers may refer to."""
        for row in self._rows(sa.select(RESOURCES.c.file, RESOURCES.c.offset, RESOURCES.c.length)):
            yield RecordPlace(row.file, row.offset, row.length)

    def record_lengths(self, lengths: Mapping[str, int]) -> None:
        """How much of each archive file counts; it never becomes less."""
        with self.transaction() as connection:
            _set_lengths(connection, lengths)

    def record_batch(
        self,
        record: BatchRecord,
        release: int | None = None,
        also: Iterable[Callable[[sa.Connection], None]] = (),
    ) -> None:
        """Make a batch known, and change whatever must change with it: all of it or nothing."""
        with self.transaction() as connection:
            _insert(connection, BATCHES, [_batch_row(record, release)])
            _insert(connection, CAPTURES, list(_capture_rows(record)))
            _set_lengths(connection, record.archive_files)
            _add_originals(connection, record.originals)
            for change in also:
                change(connection)

    # --- releases ------------------------------------------------------------------------------

    def releases(self) -> list[ReleaseRecord]:
        rows = self._rows(sa.select(RELEASES).order_by(RELEASES.c.release))
        return [ReleaseRecord(**row._mapping) for row in rows]  # noqa: SLF001  SQLAlchemy's public name

    def record_release(self, record: ReleaseRecord, batches: Iterable[str]) -> None:
        """Remember a release and that it has these batches."""
        published = sa.update(BATCHES).where(BATCHES.c.batch == sa.bindparam("which"))
        numbers = [{"which": batch} for batch in batches]
        with self.transaction() as connection:
            connection.execute(sa.update(RELEASES).values(manifest=None))
            connection.execute(sa.delete(RELEASES).where(RELEASES.c.release == record.release))
            _insert(connection, RELEASES, [record.__dict__])
            if numbers:
                connection.execute(published.values(release=record.release), numbers)

    def forget_release(self, number: int) -> None:
        with self.transaction() as connection:
            connection.execute(sa.delete(RELEASES).where(RELEASES.c.release == number))

    # --- repairs -------------------------------------------------------------------------------

    def forget_captures(self, captures: Iterable[str]) -> None:
        """Captures whose data is lost; batches that have no others go too."""
        numbers = [{"which": capture} for capture in captures]
        gone = sa.delete(CAPTURES).where(CAPTURES.c.capture == sa.bindparam("which"))
        left = sa.union_all(sa.select(CAPTURES.c.batch), sa.select(RESULTS.c.batch))
        with self.transaction() as connection:
            if numbers:
                connection.execute(gone, numbers)
                connection.execute(
                    sa.delete(RESULTS).where(RESULTS.c.capture == sa.bindparam("which")), numbers
                )
            connection.execute(sa.delete(BATCHES).where(BATCHES.c.batch.not_in(left)))

    def unpublish(self, batch: str) -> None:
        """A batch counts as staged again."""
        with self.transaction() as connection:
            again = sa.update(BATCHES).where(BATCHES.c.batch == batch)
            connection.execute(again.values(release=None))

    def forget_originals(self, file: str) -> None:
        """Payloads in this archive file are stored anew when they are seen again."""
        with self.transaction() as connection:
            connection.execute(sa.delete(RESOURCES).where(RESOURCES.c.file == file))


def _original(row: sa.Row[Any]) -> Original:
    return Original(RecordPlace(row.file, row.offset, row.length), row.url, row.time)


def _batch_row(record: BatchRecord, release: int | None) -> dict[str, Any]:
    return {
        "batch": record.batch,
        "time": record.time,
        "captures": len(record.captures),
        "sha256": record.sha256,
        "release": release,
    }


def _capture_rows(record: BatchRecord) -> Iterator[dict[str, Any]]:
    for position, entry in enumerate(record.captures):
        yield entry.__dict__ | {"batch": record.batch, "position": position}


def _add_originals(connection: sa.Connection, originals: Mapping[str, Original]) -> None:
    """Of several records with one payload, the first stays the original."""
    rows = [
        vars(original.place) | {"sha256": sha256, "url": original.url, "time": original.time}
        for sha256, original in originals.items()
    ]
    if rows:
        connection.execute(sqlite.insert(RESOURCES).on_conflict_do_nothing(), rows)


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.insert(table), rows)


def _set_lengths(connection: sa.Connection, lengths: Mapping[str, int]) -> None:
    rows = [{"file": file, "length": length} for file, length in lengths.items()]
    if rows:
        insert = sqlite.insert(ARCHIVE_FILES)
        longest = sa.func.max(ARCHIVE_FILES.c.length, insert.excluded.length)
        connection.execute(
            insert.on_conflict_do_update(index_elements=["file"], set_={"length": longest}), rows
        )
