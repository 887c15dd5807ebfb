"""Who uses a repository: one writer, and readers that hold on to what they read.

Locks are `flock`s, which end with the process that holds them: a crash leaves none behind.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from webgeist.errors import BusyError, DamagedError, StorageError, writing

_MOST_BYTES = 4096


class WriterLock:
    """The one writer's lock. The file says who holds it, for the one who has to wait."""

    def __init__(self, path: Path) -> None:
        with writing(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self._take(path)
        except BaseException:
            os.close(self._descriptor)
            raise

    def _take(self, path: Path) -> None:
        if not _lock(self._descriptor, path, fcntl.LOCK_EX | fcntl.LOCK_NB):
            holder = _holder(self._descriptor)
            raise BusyError(
                f"{path.parent} is in use by {holder}", remedy="wait until that has ended"
            )
        # A clean end leaves the file empty.
        self.crashed = os.fstat(self._descriptor).st_size > 0
        with writing(path):
            self._say_who()

    def _say_who(self) -> None:
        """On the disk, because the next one must know after a power cut, too."""
        who = {
            "process": os.getpid(),
            "program": Path(sys.argv[0]).name,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(who).encode(), 0)
        os.fsync(self._descriptor)

    def release(self, *, clean: bool = True) -> None:
        """Let others write. Unless the end is `clean`, the next one looks for what was left."""
        if clean:
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def _lock(descriptor: int, path: Path, how: int) -> bool:
    """Whether the lock was free. StorageError where the file system has none."""
    try:
        fcntl.flock(descriptor, how)
    except BlockingIOError:
        return False
    except OSError as error:
        raise StorageError(
            f"{path} cannot be locked: {error.strerror}",
            remedy="keep the repository on a file system with flock, such as a local disk",
        ) from error
    return True


def _holder(descriptor: int) -> str:
    try:
        who = json.loads(os.pread(descriptor, _MOST_BYTES, 0))
        return f"process {who['process']} ({who['program']}, since {who['since']})"
    except (ValueError, KeyError, TypeError):  # it has just begun, and not yet said who it is
        return "another process"


class Pin:
    """A reader's hold on a file: garbage collection leaves alone what depends on it.

    FileNotFoundError where the file is gone, DamagedError where it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor: int | None = None
        self._descriptor = _open(path)
        _lock(self._descriptor, path, fcntl.LOCK_SH)
        if not _is_still(path, self._descriptor):
            self.release()
            raise FileNotFoundError(path)

    def read(self) -> bytes:
        if self._descriptor is None:
            raise ValueError("the pin was released")
        size = os.fstat(self._descriptor).st_size
        return os.pread(self._descriptor, size, 0)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror}") from error


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether the name still means the file that was opened."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(descriptor))


def seize(path: Path) -> int | None:
    """The garbage collector's descriptor of a file that no reader holds; None where one does.

    Until it is closed, new readers wait, and then see whether the file is still there.
    """
    descriptor = _open(path)
    if _lock(descriptor, path, fcntl.LOCK_EX | fcntl.LOCK_NB):
        return descriptor
    os.close(descriptor)
    return None
