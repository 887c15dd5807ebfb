"""Removes what no release and no reader needs any more."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError, UsageError, writing
from webgeist.repository.locks import seize
from webgeist.repository.readers import current_number, needed_files, release_numbers
from webgeist.repository.staging import FILE, remove_folder

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.state import State


def remove_release(layout: Layout, state: State, number: int, files: Files) -> None:
    """Remove an old release, and the table files that only it needed."""
    if number not in release_numbers(layout):
        raise NotFoundError(f"there is no release {number}", remedy="webgeist releases")
    if number == current_number(layout):
        raise UsageError(
            f"release {number} is the current one", remedy="publish a newer one before"
        )
    held = seize(layout.manifest(number))
    if held is None:
        raise DamagedError(
            f"release {number} is in use by a reader", remedy="wait until it has ended"
        )
    try:
        state.forget_release(number)  # first: what state.db knows must be there
        with writing(layout.releases):
            files.remove(layout.manifest(number))
            files.sync_folder(layout.releases)
    finally:
        os.close(held)
    collect(layout, state, files)


def collect(layout: Layout, state: State, files: Files) -> list[Path]:
    """Remove published batches and table files of no release. The paths that are gone.

    Whatever a reader holds stays until the next time. A manifest that cannot be read may need any
    file: then DamagedError, and nothing is removed.
    """
    needed = needed_files(layout)
    gone = collect_batches(layout, state, files)
    with writing(layout.tables):
        for path in sorted(layout.tables.glob("*/*.parquet")):
            if path not in needed:
                files.remove(path)
                gone.append(path)
    return gone


def collect_batches(layout: Layout, state: State, files: Files) -> list[Path]:
    """Remove the folders of batches that a release has."""
    published = (batch for batch, (_, release) in state.batches().items() if release is not None)
    folders = [folder for batch in published if (folder := layout.batch(batch)).is_dir()]
    with writing(layout.staging):
        return [folder for folder in folders if _remove_batch(folder, files)]


def _remove_batch(folder: Path, files: Files) -> bool:
    """Whether no reader held it. First it loses its name, so that it is never half there."""
    held = seize(folder / FILE) if (folder / FILE).exists() else None
    if held is None and (folder / FILE).exists():
        return False
    try:
        removed = folder.with_name(f".{folder.name}.removed")
        files.rename(folder, removed)
        remove_folder(removed, files)
    finally:
        if held is not None:
            os.close(held)
    return True
