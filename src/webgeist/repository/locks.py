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

from webgeist.errors import DamagedError, writing

_MOST_BYTES = 4096


class WriterLock:
    """The one writer's lock. The file says who holds it, for the one who has to wait."""

    def __init__(self, path: Path) -> None:
        with writing(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = _holder(self._descriptor)
            os.close(self._descriptor)
            raise DamagedError(
                f"{path.parent} is in use by {holder}", remedy="wait until that has ended"
            ) from error
        # A clean end leaves the file empty.
        self.crashed = os.fstat(self._descriptor).st_size > 0
        with writing(path):
            self._say_who()

    def _say_who(self) -> None:
        who = {
            "process": os.getpid(),
            "program": Path(sys.argv[0]).name,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(who).encode(), 0)

    def release(self, *, clean: bool = True) -> None:
        """Let others write. Unless the end is `clean`, the next one looks for what was left."""
        if clean:
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)


def _holder(descriptor: int) -> str:
    try:
        who = json.loads(os.pread(descriptor, _MOST_BYTES, 0))
        return f"process {who['process']} ({who['program']}, since {who['since']})"
    except (ValueError, KeyError, TypeError):  # it has just begun, and not yet said who it is
        return "another process"


class Pin:
    """A reader's hold on a file: garbage collection leaves alone what depends on it.

    FileNotFoundError where the file is gone.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor: int | None = None
        self._descriptor = os.open(path, os.O_RDONLY)
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)
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
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
