"""Makes a new, empty repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.errors import StorageError, writing
from webgeist.repository.database import create
from webgeist.repository.files import DISK, write_atomically
from webgeist.repository.layout import layout_of

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout

_SETTINGS = b"""\
# Settings of this repository. `webgeist config show` lists all of them with their defaults.
"""


def init_repository(path: str | Path, *, files: Files = DISK) -> Path:
    """Make an empty repository and return its path.

    The folder must be new or empty; a webgeist.toml in it stays as it is. What an earlier attempt
    left is no hindrance.
    """
    layout = layout_of(path)
    if layout.state.exists():
        raise StorageError(f"{path} is a repository already", remedy="choose another folder")
    with writing(layout.root):
        if _holds_something_else(layout):
            raise StorageError(f"{path} is not empty", remedy="choose another folder")
        for folder in layout.folders:
            files.make_folder(folder)
        if not layout.settings.exists():
            write_atomically(layout.settings, _SETTINGS, files)
        _make_state(layout, files)
    return layout.root


def make_if_missing(path: str | Path) -> bool:
    """Make a repository unless there is one, or what is left of one; whether it was made."""
    layout = layout_of(path)
    if layout.state.exists() or layout.releases.exists():
        return False
    init_repository(path)
    return True


def _make_state(layout: Layout, files: Files) -> None:
    """What makes the folder a repository comes last, and whole."""
    unfinished = layout.state.with_name(".state.db.unfinished")
    for path in layout.root.glob(f"{unfinished.name}*"):
        files.remove(path)
    create(unfinished)
    files.rename(unfinished, layout.state)
    files.sync_folder(layout.root)


def _holds_something_else(layout: Layout) -> bool:
    if not layout.root.exists():
        return False
    folders = [folder for folder in layout.folders if folder.is_dir()]
    ours = {layout.settings, *(folder for folder in folders if not any(folder.iterdir()))}
    return any(
        path not in ours and not path.name.startswith((".webgeist.toml.", ".state.db.unfinished"))
        for path in layout.root.iterdir()
    )
