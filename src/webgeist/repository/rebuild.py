"""Makes state.db anew from everything else: releases, staged batches and the archive."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from webgeist.errors import DamagedError
from webgeist.repository import results
from webgeist.repository.archive.cdxj import is_indexed
from webgeist.repository.archive.growing import SUFFIX
from webgeist.repository.archive.places import Original, RecordPlace
from webgeist.repository.archive.scan import sound_length
from webgeist.repository.database import create
from webgeist.repository.ids import batch_id
from webgeist.repository.manifest import parse_manifest
from webgeist.repository.readers import (
    StagedBatch,
    current_number,
    manifest_bytes,
    open_release,
    release_numbers,
)
from webgeist.repository.results import Result
from webgeist.repository.staging import FILE, read_batch
from webgeist.repository.state import BatchRecord, CaptureEntry, ReleaseRecord, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.layout import Layout

_PLACES = ["capture", "url", "method", "status", "started", "sha256", "bytes", "revisit"]
_PLACES += ["answer", "request", "notes"]
_ENTRY = list(CaptureEntry.__dataclass_fields__)


def rebuild_state(layout: Layout, now: datetime) -> list[Path]:
    """A new state.db. What could not be read: folders of staged batches.

    The batches of published captures are forgotten: they get one for all.
    """
    create(layout.state)
    with closing(State(layout.state, readonly=False)) as state:
        state.record_lengths(_archive_lengths(layout))
        folders = [path for path in layout.staging.iterdir() if not path.name.startswith(".")]
        newest_first = sorted(folders, reverse=True)  # an older one may be a failed attempt
        made = [folder for folder in newest_first if _record_made(state, folder)]
        if (number := current_number(layout)) is not None:
            _record_published(layout, state, number, now)
        others = [folder for folder in newest_first if folder not in made]
        unread = [folder for folder in others if not _record_staged(state, layout, folder)]
        for known in release_numbers(layout):
            _record_release(layout, state, known)
    return unread


def _archive_lengths(layout: Layout) -> dict[str, int]:
    """Every whole exchange counts: revisits may refer to records of captures that are lost."""
    lengths = {path.name: sound_length(path) for path in layout.archive.glob(f"*{SUFFIX}")}
    return {file: length for file, length in lengths.items() if length}


def _record_published(layout: Layout, state: State, number: int, now: datetime) -> None:
    with open_release(layout, number) as release:
        captures = _entries(release.table("captures", _ENTRY))
        known = _Archive(release.stream("resources", _PLACES))
        made = release.table(results.TABLE).to_pylist() if release.manifest.analyses else []
        versions = release.manifest.analyses
    ids = [entry.capture for entry in captures]
    if ids:
        batch = batch_id(ids, now)
        record = BatchRecord(batch, now, "", captures, known.lengths, known.originals)
        state.record_batch(record, number)
        _record_results(state, batch, versions, [Result(**row) for row in made])


def _record_results(
    state: State, batch: str, versions: Mapping[str, str], found: Sequence[Result]
) -> None:
    """What is read later is older: it has no say about what is known."""
    for analysis in versions.keys() - results.versions(state).keys():
        results.set_version(state, analysis, versions[analysis])
    with state.transaction() as connection:
        known = results.known(connection)
        results.put(connection, batch, [r for r in found if (r.capture, r.analysis) not in known])


def _record_staged(state: State, layout: Layout, folder: Path) -> bool:
    """Record a batch, unless its captures are known. Whether it could be read."""
    held = StagedBatch(layout, folder.name)
    try:
        info = read_batch(folder)
        captures = _entries(held.table("captures"))
        known = _Archive([held.table("resources")])
    except (DamagedError, FileNotFoundError):
        return False
    if not any(state.place(id_) for id_ in info.captures):
        digest = sha256((folder / FILE).read_bytes()).hexdigest()
        state.record_batch(
            BatchRecord(folder.name, info.time, digest, captures, known.lengths, known.originals)
        )
    return True


def _record_made(state: State, folder: Path) -> bool:
    """Record a batch of results. Whether it is one, and could be read."""
    try:
        info = read_batch(folder)
    except DamagedError:
        return False
    if info.results:
        digest = sha256((folder / FILE).read_bytes()).hexdigest()
        results.record(state, folder.name, info.time, digest, ())
        versions = {each.analysis: each.version for each in info.results}
        _record_results(state, folder.name, versions, info.results)
    return bool(info.results)


def _record_release(layout: Layout, state: State, number: int) -> None:
    raw = manifest_bytes(layout.manifest(number))
    manifest = parse_manifest(raw, layout.manifest(number))
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
