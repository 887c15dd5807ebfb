"""A repository's archive as one WACZ file, with all its captures as pages."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from webgeist.errors import NotFoundError, UsageError
from webgeist.repository.archive import ArchivedPage, export_wacz
from webgeist.repository.readers import StagedBatch, current_number, open_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.layout import Layout
    from webgeist.repository.state import State

_COLUMNS = ["capture", "title"]


def export(
    layout: Layout, state: State, target: Path, now: datetime, on_file: Callable[[str], None]
) -> None:
    """Write everything that is committed; what is added meanwhile may or may not be in it."""
    if target.exists():
        raise UsageError(f"{target} exists already", remedy="choose another name, or move it away")
    pages = list(_pages(layout, state))
    lengths = state.archive_files()  # after the pages, so that none of them lacks its records
    if not lengths:
        raise NotFoundError(f"nothing was recorded in {layout.root}", remedy="webgeist capture")
    export_wacz(target, layout.archive, lengths, pages, now, on_file=on_file)


def _pages(layout: Layout, state: State) -> Iterator[ArchivedPage]:
    titles = _titles(layout, state)
    for entry in state.captures():
        title = titles.get(entry.capture) or ""
        yield ArchivedPage(entry.capture, entry.url, entry.time, title)


def _titles(layout: Layout, state: State) -> dict[str, str | None]:
    """By capture: of what is staged, and of the newest release, which has all that is published."""
    found: dict[str, str | None] = {}
    for batch in state.staged():
        with suppress(FileNotFoundError):  # published meanwhile: the release has it
            found |= _by_capture(StagedBatch(layout, batch).table("captures"))
    if current_number(layout) is not None:
        with open_release(layout) as release:
            found |= _by_capture(release.table("captures", columns=_COLUMNS))
    return found


def _by_capture(captures: pa.Table) -> dict[str, str | None]:
    rows = captures.select(_COLUMNS).to_pylist()
    return {row["capture"]: row["title"] for row in rows}
