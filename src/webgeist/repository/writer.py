"""The one writer of a repository: its lock, its archive, and tidying up after a crash."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.errors import UsageError, WebgeistError
from webgeist.repository.archive import ArchiveWriter
from webgeist.repository.leftovers import tidy, unrecorded
from webgeist.repository.locks import WriterLock
from webgeist.repository.pictures import Pictures
from webgeist.repository.publish import catch_up
from webgeist.repository.staging import remove_folder
from webgeist.repository.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.repository.archive.places import Original
    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout


class Writer:
    """Holds the writer's lock from first to last. DamagedError where somebody else does."""

    def __init__(self, layout: Layout, files: Files) -> None:
        self.layout = layout
        self.files = files
        self.pictures = Pictures(layout, files)
        self._lock = WriterLock(layout.lock)
        self._archive: ArchiveWriter | None = None
        self._known: dict[str, Original | None] = {}  # payloads, and where they were stored first
        self._busy = False
        self._clean = True  # nothing is left that the next writer must see to
        try:
            self.state = State(layout.state, readonly=False)
        except BaseException:
            self._lock.release(clean=not self._lock.crashed)
            raise
        try:
            catch_up(layout, self.state)
            tidy(layout, self.state, files, self.clock(), crashed=self._lock.crashed)
            if self._lock.crashed:
                self._archive = self._open_archive()  # which cuts off what was not committed
        except BaseException:
            self.state.close()
            self._lock.release(clean=False)
            raise

    def clock(self) -> datetime:
        return datetime.now(UTC)

    @property
    def archive(self) -> ArchiveWriter:
        if self._archive is None:
            self._archive = self._open_archive()
        return self._archive

    def _open_archive(self) -> ArchiveWriter:
        return ArchiveWriter(
            self.layout.archive, self._original, self.state.archive_files, files=self.files
        )

    def expect(self, payloads: Iterable[str]) -> None:
        """These are about to be stored: find out which are known, in one question."""
        asked = set(payloads)
        self._known = dict.fromkeys(asked) | self.state.find_originals(asked)

    def _original(self, payload: str) -> Original | None:
        if payload not in self._known:
            self.expect([payload])
        return self._known[payload]

    def begin(self) -> None:
        """A batch begins; there is one at a time, because there is one archive."""
        self.must_be_idle()
        self._busy = True

    def end(self) -> None:
        """A batch was committed."""
        self._busy = False

    def must_be_idle(self) -> None:
        if self._busy:
            raise UsageError("a batch is open", remedy="end it first")

    def undo(self, error: BaseException) -> None:
        """A batch is given up: what state.db does not know of is taken back.

        The next writer sees to what cannot be taken back now.
        """
        self._busy = False
        try:
            for folder in unrecorded(self.layout, self.state.batches()):
                remove_folder(folder, self.files, error)
            self.pictures.discard()
            if self._archive is not None:
                self._archive.rollback()
        except WebgeistError as second:
            self._clean = False
            error.add_note(f"what was undone is still there: {second}")

    def commit_archive(self) -> dict[str, int]:
        return {} if self._archive is None else self._archive.commit()

    def finish_archive(self) -> None:
        """Before a release: all that was recorded so far gets its index."""
        self.must_be_idle()
        if self._archive is not None:
            self._archive.finish()

    def close(self) -> None:
        try:
            self.pictures.discard()
            if self._archive is not None:
                self._archive.close()
        except BaseException:
            self._clean = False
            raise
        finally:
            self.state.close()
            self._lock.release(clean=self._clean)
