"""What a crash left behind: no reader ever looks at it, and the next writer puts it away."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from webgeist.errors import writing
from webgeist.repository.files import move, unfinished
from webgeist.repository.readers import current_number
from webgeist.repository.staging import remove_folder

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from datetime import datetime
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.state import State


def tidy(layout: Layout, state: State, files: Files, now: datetime, *, crashed: bool) -> None:
    """Move aside batches that were never recorded; remove unfinished and half-removed files.

    After a clean end there are none among the screenshots, which are too many to look through.
    """
    with writing(layout.root):
        for folder in _half_removed(layout):
            remove_folder(folder, files)
        for path in _unfinished_files(layout, everywhere=crashed):
            files.remove(path)
    for path in [*unrecorded(layout, state.batches()), *_unpublished(layout)]:
        move_aside(path, layout, files, now)


def move_aside(path: Path, layout: Layout, files: Files, now: datetime) -> Path:
    """Put something into damaged/<time>/, under the path that it had; nothing there is replaced."""
    time, place = f"{now:%Y%m%dT%H%M%S.%fZ}", path.relative_to(layout.root)
    folders = (layout.damaged / f"{time}{suffix}" for suffix in _suffixes())
    target = next(folder / place for folder in folders if not (folder / place).exists())
    move(path, target, files)
    return target


def _suffixes() -> Iterator[str]:
    yield ""
    yield from (f"-{number}" for number in count(2))


def _half_removed(layout: Layout) -> list[Path]:
    return sorted(layout.staging.glob(".*.removed"))


def _unfinished_files(layout: Layout, *, everywhere: bool) -> Iterator[Path]:
    for folder in (layout.tables, layout.releases, *([layout.screenshots] if everywhere else ())):
        yield from unfinished(folder)
    yield from sorted(layout.root.glob(".*.unfinished"))


def unrecorded(layout: Layout, known: Container[str]) -> Iterator[Path]:
    """Batch folders that state.db does not know, finished or not."""
    if layout.staging.is_dir():
        for folder in sorted(layout.staging.iterdir()):
            if folder.name not in known:
                yield folder


def _unpublished(layout: Layout) -> Iterator[Path]:
    """Manifests of releases that never became current."""
    newest = current_number(layout) or 0
    for number in layout.manifest_numbers():
        if number > newest:
            yield layout.manifest(number)
