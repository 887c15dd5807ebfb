"""Opens what readers read: the current release or an older one, and staged batches."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.locks import Pin
from webgeist.repository.manifest import parse_current, parse_manifest
from webgeist.repository.release import Release
from webgeist.repository.rowgroups import LastGroups
from webgeist.repository.schema import KINDS, stack
from webgeist.repository.staging import FILE, staged_piece, staged_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest
    from webgeist.repository.rowgroups import Group


def current_number(layout: Layout) -> int | None:
    """The newest release; None where nothing was published yet."""
    try:
        raw = layout.current.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedError(f"{layout.current} cannot be read: {error.strerror}") from error
    return parse_current(raw, layout.current)


def read_manifest(layout: Layout, number: int) -> Manifest:
    """What a release consists of. DamagedError where it cannot be read."""
    path = layout.manifest(number)
    return parse_manifest(manifest_bytes(path), path)


def manifest_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DamagedError(
            f"{path} cannot be read: {error.strerror}", remedy="webgeist check --repair"
        ) from error


def release_numbers(layout: Layout) -> list[int]:
    """The published releases that are still there, newest last.

    A manifest above CURRENT is what a crash left of a publish: no release.
    """
    newest = current_number(layout) or 0
    return [number for number in layout.manifest_numbers() if number <= newest]


def read_manifests(layout: Layout) -> list[Manifest]:
    """Those of all releases, newest last; a release that is removed meanwhile is not among them."""
    found = []
    for number in release_numbers(layout):
        try:
            with Pin(layout.manifest(number)) as pin:
                found.append(parse_manifest(pin.read(), layout.manifest(number)))
        except FileNotFoundError:
            continue
    return found


def needed_files(layout: Layout) -> set[Path]:
    """The table files that releases point to. DamagedError where a manifest cannot be read."""
    return {
        layout.table_file(file.file)
        for manifest in read_manifests(layout)
        for file in manifest.files()
    }


def open_release(layout: Layout, number: int | None = None) -> Release:
    """A release, the newest by default, held until it is closed or let go."""
    newest = current_number(layout)
    if newest is None:
        raise NotFoundError("nothing was published yet", remedy="webgeist publish")
    wanted = newest if number is None else number
    if wanted > newest:
        raise NotFoundError(f"there is no release {wanted}", remedy=f"the newest is {newest}")
    try:
        pin = Pin(layout.manifest(wanted))
    except FileNotFoundError as error:
        if number is None and current_number(layout) != newest:  # just replaced and removed
            return open_release(layout)
        if wanted == newest:
            raise DamagedError(
                f"{layout.manifest(wanted)} is missing", remedy="webgeist check --repair"
            ) from error
        raise NotFoundError(f"release {wanted} was removed") from error
    return Release(layout, parse_manifest(pin.read(), layout.manifest(wanted)), pin)


@dataclass(frozen=True)
class StagedBatch:
    """A committed batch that no release had when it was asked for.

    It is held only while something is read, so that any number of captures can be in use. Once it
    is published, its captures' rows come from the newest release, which has them all.
    """

    layout: Layout
    batch: str
    _last: LastGroups = field(default_factory=LastGroups, compare=False)
    _last_of: dict[tuple[str, int], str] = field(default_factory=dict, compare=False)

    def table(self, name: str) -> pa.Table:
        """All rows of a table. FileNotFoundError where the batch is gone: it was published."""
        with Pin(self.layout.batch(self.batch) / FILE):
            found = list(staged_tables(self.layout.batch(self.batch), name))
        return _stacked(name, found)

    def rows(self, name: str, capture: str) -> pa.Table:
        try:
            with Pin(self.layout.batch(self.batch) / FILE):
                found = list(self._parts(name, capture))
        except FileNotFoundError:
            with open_release(self.layout) as release:
                return release.rows(name, capture)
        return _stacked(name, found)

    def packed(self, _capture: str) -> None:
        """Pages are packed with publishing."""

    def _parts(self, name: str, capture: str) -> Iterator[pa.Table]:
        """A capture's rows: the pieces before are read once, to know which captures they have."""
        for number in count():
            if self._last_of.get((name, number), capture) < capture:
                continue
            piece = self._piece(name, number)
            if piece is None:
                return
            if capture in piece.spans:
                yield piece.rows(capture)
            if capture < self._last_of[name, number]:  # else it may go on in the next
                return

    def _piece(self, name: str, number: int) -> Group | None:
        folder = self.layout.batch(self.batch)
        piece = self._last.get(name, number, lambda: staged_piece(folder, name, number))
        if piece is not None:
            self._last_of[name, number] = max(piece.spans)
        return piece


def _stacked(name: str, found: list[pa.Table]) -> pa.Table:
    return stack(found) if found or name not in KINDS else KINDS[name].schema.empty_table()
