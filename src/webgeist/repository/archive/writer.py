"""Appends exchanges to the archive. What counts is what was committed; the rest can be undone."""

from __future__ import annotations

import secrets
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from webgeist.errors import WebgeistError, writing
from webgeist.repository.archive.cdxj import REVISIT, Asked, IndexEntry, is_indexed, mime_type
from webgeist.repository.archive.growing import SUFFIX, GrowingFile
from webgeist.repository.archive.places import Kept, Original, RecordPlace
from webgeist.repository.archive.postquery import LONGEST_BODY
from webgeist.repository.archive.records import is_http, uri
from webgeist.repository.archive.recovery import recover
from webgeist.repository.files import DISK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from webgeist.capture.exchange import Body, Exchange
    from webgeist.repository.files import Files

MOST_BYTES = 1 << 30  # of a file; then another begins


class ArchiveWriter:
    """One session of writing. The caller holds the repository's writer lock; one thread at a time.

    Record `commit`'s answer in the database before appending again: what counts is what that knows.
    StorageError from `append` or `commit` means that everything else is undone, and that the writer
    can go on (in a new file).
    """

    def __init__(
        self,
        folder: Path,
        find_original: Callable[[str], Original | None],
        committed: Callable[[], Mapping[str, int]],
        *,
        files: Files = DISK,
        most_bytes: int = MOST_BYTES,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        with writing(folder):
            files.make_folder(folder)
        recover(folder, committed(), files)
        self._folder = folder
        self._find_original = find_original
        self._recorded = committed
        self._files = files
        self._most_bytes = most_bytes
        self._clock = clock
        self._session = f"webgeist-{_milliseconds(clock())}-{secrets.token_hex(4)}"
        self._serial = 0
        self._growing: list[GrowingFile] = []  # not finished; the last one takes what comes
        self._fresh: dict[str, Original] = {}  # payloads since the last commit

    def append(self, exchange: Exchange, capture: str) -> Kept:
        """Write the records of one exchange that `capture` (its id) made."""
        with writing(self._folder), self._undoing():
            file = self._file_with_room()
            described = file.next_id
            answer, original, entry = self._append_answer(file, exchange)
            request = file.add(file.composer.request(exchange, described if answer else None))
            notes = file.add(file.composer.notes(exchange, capture, described))
            return Kept(request, answer, notes, exchange.body.sha256, original, entry)

    def _append_answer(
        self, file: GrowingFile, exchange: Exchange
    ) -> tuple[RecordPlace | None, Original | None, IndexEntry | None]:
        """Nothing, where the origin gave none."""
        if exchange.status is None or exchange.refused:
            return None, None, None
        known = self._original_of(exchange)
        answer = file.add(file.composer.answer(exchange, known))
        entry = _entry(exchange, answer, exchange.status, revisit=known is not None)
        if is_indexed(entry.url, entry.status):
            file.add_entry(entry)
        original = None if known else self._as_original(exchange, entry)
        return answer, original, entry

    def _original_of(self, exchange: Exchange) -> Original | None:
        if not exchange.body.size or not is_http(exchange.url):
            return None
        sha256 = exchange.body.sha256
        return self._fresh.get(sha256) or self._find_original(sha256)

    def _as_original(self, exchange: Exchange, entry: IndexEntry) -> Original | None:
        """Replay tools look originals up as answers to GET: only those are referred to."""
        served = entry.method == "GET" and is_indexed(entry.url, entry.status)
        if not served or not exchange.body.size:
            return None
        original = Original(entry.place, entry.url, entry.time)
        self._fresh[entry.sha256] = original
        return original

    def commit(self) -> dict[str, int]:
        """Make sure that everything is on the disk. The committed length of each file that grew."""
        with writing(self._folder), self._undoing():
            grown = [file for file in self._growing if file.commit()]
        self._fresh.clear()
        return {file.name: file.length for file in grown}

    def rollback(self) -> None:
        """Undo everything that the database does not know of, committed or not."""
        with writing(self._folder):
            self._undo()

    def finish(self) -> None:
        """Write the index of what was committed; what comes later goes into a new file.

        To be called when the database knows of the last commit: before a release, and at the end.
        """
        if any(file.dirty for file in self._growing):
            raise ValueError("commit or roll back before finishing")
        while self._growing:
            self._growing[0].finish()  # where that fails, it can be tried again
            del self._growing[0]

    def close(self) -> None:
        """Undo what was not recorded, and finish."""
        try:
            self.rollback()
        finally:
            self.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _file_with_room(self) -> GrowingFile:
        last = self._growing[-1] if self._growing else None
        if last and not last.closed and last.length < self._most_bytes:
            return last
        name = f"{self._session}-{self._serial:05}{SUFFIX}"
        self._serial += 1
        self._growing.append(GrowingFile(self._folder, name, self._clock(), self._files))
        return self._growing[-1]

    @contextmanager
    def _undoing(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            try:
                self._undo()
            except (OSError, WebgeistError) as second:  # the next opening moves it aside
                error.add_note(f"what was not committed is still there: {second}")
            raise

    def _undo(self) -> None:
        self._fresh.clear()
        if not self._growing:
            return
        known, growing = self._recorded(), self._growing
        try:
            with ExitStack() as each_of_them:
                for file in growing:
                    each_of_them.callback(file.cut, known.get(file.name, 0))
        finally:
            self._growing = [file for file in growing if file.length]


def _milliseconds(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y%m%d%H%M%S%f}"[:-3]


def _entry(exchange: Exchange, answer: RecordPlace, status: int, *, revisit: bool) -> IndexEntry:
    body = b"".join(_beginning(exchange.request_body))
    asked = Asked.of(exchange.method, exchange.url, exchange.request_headers, body)
    return IndexEntry(
        key=asked.key,
        url=uri(exchange.url),
        time=exchange.started,
        status=status,
        mime=REVISIT if revisit else mime_type(exchange.response_headers),
        sha256=exchange.body.sha256,
        place=answer,
        method=exchange.method,
        request_body=asked.query,
    )


def _beginning(body: Body) -> Iterator[bytes]:
    """As much of a body as the index looks at."""
    left = LONGEST_BODY
    for chunk in body.chunks():
        yield chunk[:left]
        left -= len(chunk)
        if left <= 0:
            return
