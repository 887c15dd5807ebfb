"""Files that appear in a folder together, when all of them are written.

They are written below a hidden folder beside their places and then renamed, so that a full disk or
an interrupt leaves what was there before. The manifest comes last: a folder with one is whole.
"""

from __future__ import annotations

import secrets
import shutil
from dataclasses import dataclass
from io import BufferedWriter
from typing import TYPE_CHECKING, BinaryIO, Self, cast

from webgeist.errors import UsageError, writing
from webgeist.repository.files import DISK, write_atomically
from webgeist.repository.hashing import Hashing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from webgeist.repository.files import Files

MANIFEST = "manifest.json"
_BUFFER = 1 << 18


@dataclass(frozen=True)
class Written:
    """A file that was written; `file` is its path below the folder."""

    file: str
    bytes: int
    sha256: str


def refuse_existing(folder: Path, names: Iterable[str]) -> None:
    """UsageError where one of these files is there already."""
    for name in (MANIFEST, *names):
        if (folder / name).exists():
            raise UsageError(
                f"{folder / name} exists already", remedy="choose another folder, or --overwrite"
            )


class ExportFolder:
    """Use it as a context manager: what is not finished is as if it had never begun."""

    def __init__(self, folder: Path, files: Files = DISK) -> None:
        self.folder = folder
        self._files = files
        self._unfinished = folder / f".export.{secrets.token_hex(4)}.unfinished"
        self._written: list[Written] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._unfinished, ignore_errors=True)

    def write(self, name: str, content: Callable[[BinaryIO], object]) -> Written:
        """Write a file that gets its name when all is finished. StorageError."""
        hashed: list[Hashing] = []

        def write(target: BinaryIO) -> None:
            hashed.append(Hashing(target))
            with BufferedWriter(hashed[0], _BUFFER) as buffered:
                content(cast("BinaryIO", buffered))

        write_atomically(self._unfinished / name, write, self._files)
        self._written.append(Written(name, hashed[0].size, hashed[0].digest))
        return self._written[-1]

    def finish(self, manifest: bytes) -> None:
        """Give all files their names, and write the manifest."""
        with writing(self.folder):
            if (self.folder / MANIFEST).exists():  # it tells of files that are replaced now
                self._files.remove(self.folder / MANIFEST)
                self._files.sync_folder(self.folder)
            for written in self._written:
                target = self.folder / written.file
                self._files.make_folder(target.parent)
                self._files.rename(self._unfinished / written.file, target)
            for parent in sorted({(self.folder / each.file).parent for each in self._written}):
                self._files.sync_folder(parent)
        write_atomically(self.folder / MANIFEST, manifest, self._files)
