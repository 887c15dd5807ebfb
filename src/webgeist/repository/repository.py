"""A repository: captures go in, releases come out."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pyarrow as pa

from webgeist.errors import DamagedError, NotFoundError, UsageError
from webgeist.repository import results
from webgeist.repository.archive import ArchiveReader
from webgeist.repository.batch import Batch
from webgeist.repository.database import needs_migration
from webgeist.repository.exporting import export
from webgeist.repository.files import DISK, write_atomically
from webgeist.repository.garbage import collect, collect_batches, remove_release
from webgeist.repository.ids import batch_id
from webgeist.repository.layout import layout_of
from webgeist.repository.publish import publish
from webgeist.repository.readers import (
    StagedBatch,
    current_number,
    open_release,
    read_manifests,
)
from webgeist.repository.staging import write_batch
from webgeist.repository.state import CaptureEntry, State
from webgeist.repository.stored import stored_capture
from webgeist.repository.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import sqlalchemy as sa

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.model import Capture
    from webgeist.repository.archive.reader import StoredAnswer
    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest
    from webgeist.repository.release import Release
    from webgeist.repository.results import Result


def open_repository(path: str | Path, *, readonly: bool = False, files: Files = DISK) -> Repository:
    """The repository in a folder. NotFoundError where there is none.

    Opening takes no lock and repairs nothing: any number of programs may do it at any time. The
    first change makes this one the writer until it is closed; there is one at a time.
    """
    layout = layout_of(path)
    if not layout.state.is_file():
        if layout.releases.is_dir() and layout.tables.is_dir():
            raise DamagedError(f"{layout.state} is missing", remedy="webgeist check --repair")
        raise NotFoundError(f"there is no repository in {path}", remedy="webgeist init")
    return Repository(layout, files, readonly=readonly)


class Repository:
    """Captures and releases in a folder. Close it, or use it as a context manager."""

    def __init__(self, layout: Layout, files: Files = DISK, *, readonly: bool = False) -> None:
        self.layout = layout
        self.readonly = readonly
        self._files = files
        self._writer: Writer | None = None
        self._release: Release | None = None
        self._staged: StagedBatch | None = None
        if not readonly and needs_migration(layout.state):
            Writer(layout, files).close()
        self._state = State(layout.state, readonly=True)

    @property
    def path(self) -> Path:
        return self.layout.root

    def __repr__(self) -> str:
        return f"<Repository {self.path}: {len(self)} captures>"

    def __len__(self) -> int:
        """All committed captures, published or not."""
        return self._state.count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._let_go()
        self._state.close()  # before the writer, so that SQLite can put away its log
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    # --- writing -------------------------------------------------------------------------------

    def add(self, capture: Capture, exchanges: Iterable[Exchange] | None = None) -> str:
        """Put one capture in, with its exchanges or those given. When this returns, it is kept."""
        with self.batch() as batch:
            return batch.add(capture, exchanges)

    def claim(self) -> None:
        """Become the writer now, not with the first change. DamagedError: somebody else is."""
        self._as_writer()

    def batch(self) -> Batch:
        """For many captures: `with repository.batch() as batch: batch.add(…)`."""
        return Batch(self._as_writer())

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[sa.Connection]:
        """Read and change state.db, all or nothing: for rooms that keep tables of their own.

        What is not `durable` may be gone after a power failure, until a durable change follows.
        """
        with self._as_writer().state.transaction(durable=durable) as connection:
            yield connection

    def add_results(self, made: Sequence[Result], tables: Mapping[str, pa.Table]) -> None:
        """Keep what analyses made of captures: all of it, or nothing.

        `tables` has a table for each analysis with rows, sorted by `capture`, its first column.
        """
        writer = self._as_writer()
        writer.must_be_idle()
        now = writer.clock()
        batch = batch_id([f"{each.capture} {each.analysis}" for each in made], now)
        digest = write_batch(self.layout, batch, now, tables, results=made, files=self._files)
        results.record(writer.state, batch, now, digest, made)

    def begin_analysis(self, analysis: str, version: str, *, anew: bool = False) -> list[str]:
        """The captures that an analysis has still to look at; from now on only its results of
        this version count. `anew`: those it has don't count either.
        """
        writer = self._as_writer()
        if results.versions(writer.state).get(analysis) != version:
            results.set_version(writer.state, analysis, version)
        if anew:
            results.forget(writer.state, analysis)
        return results.pending(writer.state, analysis, version)

    def keep_teachings(self, content: bytes, analysis: str, captures: Iterable[str]) -> None:
        """Put teachings.json in place. What the analysis said of these captures counts no more:
        that first, so that a crash in between costs nothing but work.
        """
        results.forget(self._as_writer().state, analysis, captures)
        write_atomically(self.layout.teachings, content, self._files)

    def publish(self) -> int:
        """Make a release of everything that was added, and return its number."""
        writer = self._as_writer()
        writer.finish_archive()
        number = publish(self.layout, writer.state, self._files, writer.clock())
        collect_batches(self.layout, writer.state, self._files)
        return number

    def remove_release(self, number: int) -> None:
        """Remove an old release; its captures stay in the newer ones."""
        writer = self._as_writer()
        self._let_go()
        remove_release(self.layout, writer.state, number, self._files)

    def collect_garbage(self) -> list[Path]:
        """Remove files that no release and no reader needs. What is gone is returned."""
        writer = self._as_writer()
        self._let_go()
        return collect(self.layout, writer.state, self._files)

    def _as_writer(self) -> Writer:
        if self.readonly:
            raise UsageError(f"{self.path} was opened for reading", remedy="readonly=False")
        if self._writer is None:
            self._writer = Writer(self.layout, self._files)
        return self._writer

    # --- reading -------------------------------------------------------------------------------

    def release(self, number: int | None = None) -> Release:
        """A published version, the newest by default; it does not change while it is used."""
        return open_release(self.layout, number)

    def releases(self) -> list[Manifest]:
        """What each published release consists of, newest last."""
        return read_manifests(self.layout)

    def captures(
        self, url: str | None = None, *, until: datetime | None = None
    ) -> list[CaptureEntry]:
        """All committed captures, sorted by time; of one URL, up to a time, where given."""
        return self._state.captures(url=url, until=until)

    def capture(self, id_: str) -> Capture:
        """The capture with this id, published or not."""
        place = self._state.place(id_)
        if place is None:
            raise NotFoundError(f"there is no capture {id_} in {self.path}")
        batch, release = place
        found = stored_capture(self._batch(batch), id_) if release is None else None
        return found or self._newest().capture(id_)

    def analysis_versions(self) -> dict[str, str]:
        """The version of each analysis that counts."""
        return results.versions(self._state)

    def result(self, analysis: str, capture: str) -> pa.Table:
        """What an analysis made of a capture, published or not. NotFoundError: nothing yet."""
        place = results.place(self._state, analysis, capture)
        if place is None:
            raise NotFoundError(f"{capture} has no {analysis} yet", remedy="webgeist analyse")
        batch, release, rows = place
        if not rows:
            return pa.table({"capture": pa.array([], pa.string())})
        if release is not None:
            return self._newest().rows(analysis, capture)
        return StagedBatch(self.layout, batch).rows(analysis, capture)

    def resource(self, sha256: str) -> StoredAnswer:
        """The answer whose body has this SHA-256, as `resources` names it: the first of them."""
        original = self._state.find_originals([sha256]).get(sha256)
        if original is None:
            raise NotFoundError(f"{self.path} has no resource {sha256}")
        return ArchiveReader(self.layout.archive).answer(original.place)

    def latest(self, url: str, *, until: datetime | None = None) -> Capture:
        """The last capture of a URL, or the last one up to a time."""
        found = self.captures(url, until=until)
        if not found:
            raise NotFoundError(f"there is no capture of {url} in {self.path}")
        return self.capture(found[-1].capture)

    def export_wacz(
        self, target: str | Path, *, on_file: Callable[[str], None] = lambda _: None
    ) -> None:
        """Write everything that was recorded into one WACZ file, which must not exist yet.

        `on_file` hears the name of each archive file when its turn comes. UsageError,
        NotFoundError where nothing was recorded, DamagedError where a record is damaged.
        """
        export(self.layout, self._state, Path(target), datetime.now(UTC), on_file)

    def __iter__(self) -> Iterator[Capture]:
        return (self.capture(entry.capture) for entry in self.captures())

    def _newest(self) -> Release:
        """The newest release, opened once as long as it is the newest."""
        if self._release is None or self._release.number != current_number(self.layout):
            self._release = open_release(self.layout)
        return self._release

    def _batch(self, batch: str) -> StagedBatch:
        """A staged batch; the last one is kept, because its captures are asked for in turn."""
        if self._staged is None or self._staged.batch != batch:
            self._staged = StagedBatch(self.layout, batch)
        return self._staged

    def _let_go(self) -> None:
        """Stop holding the newest release; captures from it still do."""
        self._release = None
        self._staged = None
