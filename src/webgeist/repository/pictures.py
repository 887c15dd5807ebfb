"""Screenshots and thumbnails, each stored once under the hash of its bytes.

Those of a batch are written as they come, and synced and named together: waiting for the disk once
for many files takes little longer than waiting for one.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from webgeist.errors import writing
from webgeist.repository.files import unfinished_name

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout

_SUFFIXES = {"jpeg": "jpg"}
_MOST_OPEN = 64  # files; then they are synced without waiting for more


def picture_name(data: bytes, form: str) -> str:
    """Where a picture lies below screenshots/: <2 hex digits>/<SHA-256>.<form>."""
    digest = sha256(data).hexdigest()
    return f"{digest[:2]}/{digest}.{_SUFFIXES.get(form, form)}"


@dataclass(frozen=True)
class _Waiting:
    """A file that was written, under another name and not synced yet."""

    descriptor: int
    unfinished: Path
    path: Path


class Pictures:
    """Keeps pictures. They are on the disk from `commit` on. StorageError where it refuses."""

    def __init__(self, layout: Layout, files: Files) -> None:
        self._layout = layout
        self._files = files
        self._waiting: dict[Path, _Waiting] = {}
        self._folders: set[Path] = set()  # with names that may not be on the disk yet

    def keep(self, capture: Capture) -> tuple[list[str], str | None]:
        """Write those of a capture's pictures that are not there: names of tiles and thumbnail."""
        shot = capture.screenshot
        tiles = [self._keep(tile, shot.info.format) for tile in shot.tiles] if shot else []
        small = capture.thumbnail
        return tiles, self._keep(small, "jpeg") if small else None

    def _keep(self, data: bytes, form: str) -> str:
        name = picture_name(data, form)
        path = self._layout.picture(name)
        self._folders.add(path.parent)  # who put a picture there may have died before the sync
        if path not in self._waiting and not _is_there(path, len(data)):
            with writing(path):
                self._write(path, data)
            if len(self._waiting) >= _MOST_OPEN:
                self.commit()
        return name

    def _write(self, path: Path, data: bytes) -> None:
        self._files.make_folder(path.parent)
        unfinished = unfinished_name(path)
        descriptor = self._files.create(unfinished)
        self._waiting[path] = _Waiting(descriptor, unfinished, path)
        left = memoryview(data)
        while left:
            left = left[self._files.write(descriptor, left) :]

    def commit(self) -> None:
        """Make sure that all pictures so far are on the disk, under their names."""
        with writing(self._layout.screenshots):
            for each in self._waiting.values():
                self._files.sync(each.descriptor)
            while self._waiting:
                each = next(iter(self._waiting.values()))
                self._files.rename(each.unfinished, each.path)
                os.close(self._waiting.pop(each.path).descriptor)
            for folder in sorted(self._folders):
                self._files.sync_folder(folder)
            self._folders.clear()

    def discard(self) -> None:
        """Remove those that were not committed."""
        given_up = list(self._waiting.values())
        self._waiting.clear()
        self._folders.clear()
        with writing(self._layout.screenshots), ExitStack() as each_of_them:
            for each in given_up:
                os.close(each.descriptor)
                each_of_them.callback(self._remove, each.unfinished)

    def _remove(self, unfinished: Path) -> None:
        if unfinished.exists():
            self._files.remove(unfinished)


def _is_there(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size
