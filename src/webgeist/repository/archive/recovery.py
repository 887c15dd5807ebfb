"""What a crash left behind the committed lengths is moved aside, and missing indexes are made."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, writing
from webgeist.repository.archive.cdxj import format_index
from webgeist.repository.archive.growing import SUFFIX, index_path
from webgeist.repository.archive.scan import entries
from webgeist.repository.files import DISK, move, unfinished, write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import BinaryIO

    from webgeist.repository.files import Files

_PIECE = 1 << 20


def recover(folder: Path, committed: Mapping[str, int], files: Files = DISK) -> list[Path]:
    """Make the WARC files end where the database says. What was moved, in `lost/`.

    Nothing is deleted but empty and unfinished files. A file that is too short, or damaged before
    its committed end, is left as it is and gets no index: who reads or checks it is told. Nobody
    else may write.
    """
    with writing(folder):
        for path in unfinished(folder):
            files.remove(path)
    moved = []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        length = committed.get(path.name, 0)
        if path.stat().st_size > length or not length:
            moved += _cut(path, length, folder / "lost", files)
    for name, length in committed.items():
        if (folder / name).exists() and not index_path(folder / name).exists():
            with suppress(DamagedError):
                write_index(folder / name, length, files)
    return moved


def write_index(path: Path, length: int, files: Files = DISK) -> None:
    """Make a WARC file's index from the file itself. DamagedError where it cannot be read."""
    write_atomically(index_path(path), format_index(entries(path, length)), files)


def _cut(path: Path, length: int, lost: Path, files: Files) -> list[Path]:
    moved = _move_index(path, lost, files)
    if length:
        target = lost / f"{path.name}.from-{length}"
        write_atomically(target, lambda file: _copy(path, length, file), files)
        with writing(path):
            files.truncate(path, length)
        return [*moved, target]
    if path.stat().st_size:
        move(path, lost / path.name, files)
        return [*moved, lost / path.name]
    with writing(path):
        files.remove(path)
    return moved


def _move_index(path: Path, lost: Path, files: Files) -> list[Path]:
    """The index may know of what is moved: it goes too, and is made anew."""
    index = index_path(path)
    if not index.exists():
        return []
    move(index, lost / index.name, files)
    return [lost / index.name]


def _copy(path: Path, start: int, target: BinaryIO) -> None:
    with path.open("rb") as source:
        source.seek(start)
        while piece := source.read(_PIECE):
            target.write(piece)
