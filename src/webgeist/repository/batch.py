"""A batch in the making: captures come in, and are in the repository together or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from webgeist.errors import UsageError
from webgeist.repository.ids import batch_id, capture_id
from webgeist.repository.rows import batch_tables, capture_row, page_rows, resource_rows
from webgeist.repository.staging import write_batch
from webgeist.repository.state import BatchRecord, CaptureEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import sqlalchemy as sa

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.model import Capture
    from webgeist.repository.archive.places import Original
    from webgeist.repository.rows import Rows
    from webgeist.repository.writer import Writer

    Change = Callable[[sa.Connection], None]


class Batch:
    """Captures that are committed together at the end of the `with` block.

    Tables are held in memory until then; exchanges and pictures go to the disk at once, where
    nobody sees them before the commit. An error in the block, or in `add`, commits nothing.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._rows: dict[str, Rows] = {}
        self._entries: dict[str, CaptureEntry] = {}
        self._originals: dict[str, Original] = {}
        self._changes: list[Change] = []
        self._open = False

    def __len__(self) -> int:
        return len(self._rows)

    def __enter__(self) -> Self:
        self._writer.begin()
        self._open = True
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if not self._open:
            return
        self._open = False
        if error is not None:
            self._writer.undo(error)
            return
        try:
            self._commit()
        except BaseException as failure:
            self._writer.undo(failure)
            raise
        self._writer.end()

    def add(self, capture: Capture, exchanges: Iterable[Exchange] | None = None) -> str:
        """Put a capture in, with its exchanges or those given, and return its id.

        A capture that is in the repository already is left as it is.
        """
        if not self._open:
            raise UsageError("the batch is closed", remedy="with repository.batch() as batch: …")
        id_ = capture_id(capture.info)
        if id_ in self._rows or self._writer.state.place(id_):
            return id_
        try:
            recorded = capture.exchanges if exchanges is None else exchanges
            self._rows[id_] = self._store(id_, capture, recorded)
        except BaseException as error:
            self._open = False
            self._writer.undo(error)
            raise
        self._entries[id_] = _entry(id_, capture.info)
        return id_

    def also(self, change: Change) -> None:
        """Change state.db in the transaction that commits the batch: together or not at all."""
        self._changes.append(change)

    def _store(self, id_: str, capture: Capture, exchanges: Iterable[Exchange]) -> Rows:
        exchanges = list(exchanges)
        self._writer.expect(each.body.sha256 for each in exchanges)
        kept = [(each, self._writer.archive.append(each, id_)) for each in exchanges]
        self._originals |= {place.sha256: place.original for _, place in kept if place.original}
        tiles, thumbnail = self._writer.pictures.keep(capture)
        return page_rows(capture) | {
            "captures": capture_row(id_, capture.info, tiles, thumbnail),
            "resources": resource_rows(id_, kept),
        }

    def _commit(self) -> None:
        if not self._rows:
            self._change()
            return
        writer, now = self._writer, self._writer.clock()
        tables = batch_tables(self._rows)
        writer.pictures.commit()
        lengths = writer.commit_archive()
        batch = batch_id(sorted(self._rows), now)
        digest = write_batch(
            writer.layout, batch, now, tables, archive_files=lengths, files=writer.files
        )
        captures = [self._entries[id_] for id_ in sorted(self._rows)]
        writer.state.record_batch(
            BatchRecord(batch, now, digest, captures, lengths, self._originals),
            also=self._changes,
        )

    def _change(self) -> None:
        if self._changes:
            with self._writer.state.transaction() as connection:
                for change in self._changes:
                    change(connection)


def _entry(id_: str, info: CaptureInfo) -> CaptureEntry:
    return CaptureEntry(
        id_, info.url, info.requested_url, info.time, info.viewport.name, str(info.outcome)
    )
