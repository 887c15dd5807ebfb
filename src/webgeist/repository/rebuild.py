"""Makes state.db anew from everything else: releases, staged batches and the archive."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from webgeist.errors import DamagedError
from webgeist.repository.archive.cdxj import is_indexed
from webgeist.repository.archive.places import Original, RecordPlace
from webgeist.repository.database import create
from webgeist.repository.ids import batch_id
from webgeist.repository.readers import (
    current_number,
    open_release,
    open_staged,
    read_manifest,
    release_numbers,
)
from webgeist.repository.staging import FILE, read_batch
from webgeist.repository.state import BatchRecord, CaptureEntry, ReleaseRecord, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    import pyarrow as pa

    from webgeist.repository.layout import Layout

_PLACES = ["capture", "url", "method", "status", "started", "sha256", "bytes", "revisit"]
_PLACES += ["answer", "request", "notes"]
_ENTRY = list(CaptureEntry.__dataclass_fields__)


def rebuild_state(layout: Layout, now: datetime) -> None:
    """A new state.db. The batches of published captures are forgotten: they get one for all."""
    create(layout.state)
    state = State(layout.state, readonly=False)
    try:
        number = current_number(layout)
        published = _record_published(layout, state, number, now) if number else set()
        for folder in sorted(layout.staging.iterdir()):
            if not folder.name.startswith("."):
                _record_staged(layout, state, folder.name, published)
        for known in release_numbers(layout):
            _record_release(layout, state, known)
    finally:
        state.close()


def _record_published(layout: Layout, state: State, number: int, now: datetime) -> set[str]:
    with open_release(layout, number) as release:
        captures = _entries(release.table("captures", _ENTRY))
        known = _Archive(release.batches("resources", _PLACES))
    ids = [entry.capture for entry in captures]
    if ids:
        batch = batch_id(ids, now)
        record = BatchRecord(batch, now, "", captures, known.lengths, known.originals)
        state.record_batch(record, number)
    return set(ids)


def _record_staged(layout: Layout, state: State, batch: str, published: set[str]) -> None:
    """A folder that is whole and not published; the next writer moves others aside."""
    try:
        info = read_batch(layout.batch(batch))
        held = open_staged(layout, batch)
        captures = _entries(held.table("captures"))
        known = _Archive([held.table("resources")])
    except (DamagedError, FileNotFoundError):
        return
    if published.isdisjoint(info.captures):
        digest = sha256((layout.batch(batch) / FILE).read_bytes()).hexdigest()
        have = state.originals()
        fresh = {key: place for key, place in known.originals.items() if key not in have}
        lengths = {
            file: max(length, state.archive_files().get(file, 0))
            for file, length in known.lengths.items()
        }
        state.record_batch(BatchRecord(batch, info.time, digest, captures, lengths, fresh))


def _record_release(layout: Layout, state: State, number: int) -> None:
    raw = layout.manifest(number).read_bytes()
    manifest = read_manifest(layout, number)
    digest = sha256(raw).hexdigest()
    state.record_release(ReleaseRecord(number, manifest.time, digest, raw.decode()), ())


def _entries(captures: pa.Table) -> list[CaptureEntry]:
    rows = captures.select(_ENTRY).sort_by("capture").to_pylist()
    return [CaptureEntry(**row) for row in rows]


class _Archive:
    """What tables of resources tell of the archive: the files' lengths, and first payloads."""

    def __init__(self, tables: Iterable[pa.Table]) -> None:
        self.lengths: dict[str, int] = {}
        self.originals: dict[str, Original] = {}
        for row in _rows(tables):
            self._take(row)

    def _take(self, row: dict[str, Any]) -> None:
        for name in ("answer", "request", "notes"):
            if place := row[name]:
                end = place["offset"] + place["length"]
                self.lengths[place["file"]] = max(end, self.lengths.get(place["file"], 0))
        if row["answer"] and not row["revisit"] and _may_be_referred_to(row):
            place = RecordPlace(**row["answer"])
            original = Original(place, row["url"], row["started"])
            self.originals.setdefault(row["sha256"], original)


def _may_be_referred_to(row: dict[str, Any]) -> bool:
    """The archive's own rule for what later answers may share."""
    return row["method"] == "GET" and row["bytes"] > 0 and is_indexed(row["url"], row["status"])


def _rows(tables: Iterable[pa.Table]) -> Iterator[dict[str, Any]]:
    for table in tables:
        yield from table.select(_PLACES).to_pylist()
