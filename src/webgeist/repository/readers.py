"""Opens what readers read: the current release or an older one, and staged batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.locks import Pin
from webgeist.repository.manifest import parse_current, parse_manifest
from webgeist.repository.release import Release
from webgeist.repository.schema import KINDS, stack
from webgeist.repository.staging import FILE, staged_tables
from webgeist.repository.stored import rows_of

if TYPE_CHECKING:
    import pyarrow as pa

    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest


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
    """What a release consists of. FileNotFoundError where it is not there."""
    path = layout.manifest(number)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error
    return parse_manifest(raw, path)


def release_numbers(layout: Layout) -> list[int]:
    """The published releases that are still there, newest last.

    A manifest above CURRENT is what a crash left of a publish: no release.
    """
    newest = current_number(layout) or 0
    return [number for number in layout.manifest_numbers() if number <= newest]


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


@dataclass
class StagedBatch:
    """A committed batch that no release has yet, held as long as it is used."""

    layout: Layout
    batch: str
    _pin: Pin

    def table(self, name: str) -> pa.Table:
        """All rows of a table."""
        found = list(staged_tables(self.layout.batch(self.batch), name))
        return stack(found) if found else KINDS[name].schema.empty_table()

    def rows(self, name: str, capture: str) -> pa.Table:
        return rows_of(capture, self.table(name))


def open_staged(layout: Layout, batch: str) -> StagedBatch:
    """A staged batch. FileNotFoundError where it is gone: published, most likely."""
    return StagedBatch(layout, batch, Pin(layout.batch(batch) / FILE))
