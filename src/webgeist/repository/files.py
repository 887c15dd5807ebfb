"""The only door through which the repository changes the disk, so that tests can break every step.

Whoever writes takes a `Files` and uses the functions here on top of it: a file is written under
another name, synced, renamed, and its folder synced (`write_atomically`), or grows at its end and
counts only as far as it was synced (`AppendFile`). Each operation of `Files` is a named failure
point: `tests/repository/faulty.py` fails or kills before and after every one of them.
"""

from __future__ import annotations

import io
import os
import secrets
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from webgeist.errors import writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from _typeshed import ReadableBuffer

_UNFINISHED = ".unfinished"
_BUFFER = 1 << 20


class Files(Protocol):
    """What the repository does to files. Every method may raise OSError; `write` may write less."""

    def create(self, path: Path) -> int: ...

    def write(self, descriptor: int, data: ReadableBuffer) -> int: ...

    def sync(self, descriptor: int) -> None: ...

    def truncate(self, path: Path, length: int) -> None: ...

    def rename(self, source: Path, target: Path) -> None: ...

    def remove(self, path: Path) -> None: ...

    def make_folder(self, folder: Path) -> None: ...

    def sync_folder(self, folder: Path) -> None: ...


class Disk:
    """The real thing."""

    def create(self, path: Path) -> int:
        """A descriptor of a new, empty file; there must be none of that name."""
        return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o644)

    def write(self, descriptor: int, data: ReadableBuffer) -> int:
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        os.fsync(descriptor)

    def truncate(self, path: Path, length: int) -> None:
        """Cut a file and make sure that the cut is on the disk."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.ftruncate(descriptor, length)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        source.replace(target)

    def remove(self, path: Path) -> None:
        path.unlink()

    def make_folder(self, folder: Path) -> None:
        """A folder and those above it, each known to the one above it on the disk."""
        if not folder.is_dir():
            self.make_folder(folder.parent)
            folder.mkdir(exist_ok=True)
            self.sync_folder(folder.parent)

    def sync_folder(self, folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


DISK: Files = Disk()


class _Sink(io.FileIO):
    """A file for `open`'s friends (zipfile, pyarrow) whose writes go through `Files`."""

    def __init__(self, files: Files, descriptor: int) -> None:
        super().__init__(descriptor, "wb")
        self._files = files

    def write(self, data: ReadableBuffer, /) -> int:
        return self._files.write(self.fileno(), data)


def write_atomically(
    path: Path, content: bytes | Callable[[BinaryIO], object], files: Files = DISK
) -> None:
    """Put a file in place, whole or not at all; what stood there before is replaced.

    `content` may be a function that writes to the file it is given. StorageError where the disk
    refuses.
    """
    with writing(path):
        files.make_folder(path.parent)
        unfinished = unfinished_name(path)
        try:
            _write(unfinished, content, files)
            files.rename(unfinished, path)
        except BaseException as error:
            _clear_away(unfinished, files, error)
            raise
        files.sync_folder(path.parent)


def unfinished_name(path: Path) -> Path:
    """What a file is called while it is written: another name each time, told by `unfinished`."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}{_UNFINISHED}")


def _write(path: Path, content: bytes | Callable[[BinaryIO], object], files: Files) -> None:
    with io.BufferedWriter(_Sink(files, files.create(path)), _BUFFER) as stream:
        if callable(content):
            content(cast("BinaryIO", stream))
        else:
            stream.write(content)
        stream.flush()
        files.sync(stream.fileno())


def _clear_away(path: Path, files: Files, error: BaseException) -> None:
    """Remove what a failure left; where that fails too, the error says so."""
    try:
        if path.exists():
            files.remove(path)
    except OSError as second:
        error.add_note(f"{path} could not be removed: {second}")


def move(source: Path, target: Path, files: Files = DISK) -> None:
    """Rename a file into another folder, durably. StorageError if the disk refuses."""
    with writing(target):
        files.make_folder(target.parent)
        files.rename(source, target)
        files.sync_folder(target.parent)
        files.sync_folder(source.parent)


def unfinished(folder: Path) -> list[Path]:
    """What a killed writer left below a folder under such names. No release knows of it."""
    return sorted(folder.rglob(f".*{_UNFINISHED}"))


class AppendFile:
    """A new file that grows. What was written is on the disk from `commit` on. Raises OSError.

    `length` includes what is not committed yet; `cut` takes back what is not to count.
    """

    def __init__(self, path: Path, files: Files = DISK) -> None:
        self.path = path
        self.length = 0
        self.committed = 0
        self._files = files
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._descriptor: int | None = files.create(path)

    @property
    def dirty(self) -> bool:
        return self.length != self.committed

    @property
    def closed(self) -> bool:
        return self._descriptor is None

    def write(self, data: bytes) -> None:
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        self.length += len(data)
        if self._waiting_bytes >= _BUFFER:
            self._flush()

    def commit(self) -> None:
        """Make sure that everything so far is on the disk, and the file's name too."""
        self._flush()
        self._files.sync(self._open_descriptor())
        if self.committed == 0:
            self._files.sync_folder(self.path.parent)
        self.committed = self.length

    def cut(self, length: int) -> None:
        """Take back what lies beyond `length`, all of the file if that is 0; it is closed."""
        self.close()
        self._waiting.clear()
        self._waiting_bytes = 0
        self.length = self.committed = length
        if length:
            self._files.truncate(self.path, length)
        else:
            self._files.remove(self.path)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _flush(self) -> None:
        data = memoryview(b"".join(self._waiting))
        while data:
            data = data[self._files.write(self._open_descriptor(), data) :]
        self._waiting.clear()
        self._waiting_bytes = 0

    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise ValueError(f"{self.path} is closed")
        return self._descriptor
