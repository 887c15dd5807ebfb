"""A disk that fails, writes too little, or dies with the process at the n-th operation.

Every operation of `Files` has two failure points, `before_write` and `after_write` and so on. Count
them with `Counting`, then let each be the one where it happens:

    points = failure_points(work)                      # ["before_create", "after_create", ...]
    run_until_killed(work, n)                          # SIGKILL at point n, in a child process
    work(Failing(n, errno.ENOSPC))                     # OSError at point n
    work(ShortWrites())                                # every write writes half of what it was given

`PowerLoss` also takes back what was written but not synced, as a power cut may.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from webgeist.repository.files import Disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from _typeshed import ReadableBuffer

    from webgeist.repository.files import Files

    Work = Callable[[Files], object]


P = ParamSpec("P")
R = TypeVar("R")


class Counting(Disk):
    """The real disk; `reached` hears of every failure point. `points` are their names so far."""

    def __init__(self) -> None:
        self.points: list[str] = []

    def reached(self, point: str) -> None:
        self.points.append(point)

    def happened(self, name: str, result: object, *arguments: object) -> None:
        """An operation was done; its second failure point comes next."""

    def _pass(self, name: str, operation: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        self.reached(f"before_{name}")
        result = operation(*given, **named)
        self.happened(name, result, *given)
        self.reached(f"after_{name}")
        return result

    def create(self, path: Path) -> int:
        return self._pass("create", super().create, path)

    def write(self, descriptor: int, data: ReadableBuffer) -> int:
        return self._pass("write", super().write, descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._pass("sync", super().sync, descriptor)

    def truncate(self, path: Path, length: int) -> None:
        self._pass("truncate", super().truncate, path, length)

    def rename(self, source: Path, target: Path) -> None:
        self._pass("rename", super().rename, source, target)

    def remove(self, path: Path) -> None:
        self._pass("remove", super().remove, path)

    def make_folder(self, folder: Path) -> None:
        self._pass("make_folder", super().make_folder, folder)

    def sync_folder(self, folder: Path) -> None:
        self._pass("sync_folder", super().sync_folder, folder)


class ShortWrites(Counting):
    """Never writes more than half of what it is given (but always something)."""

    def write(self, descriptor: int, data: ReadableBuffer) -> int:
        view = memoryview(data).cast("B")
        return super().write(descriptor, view[: max(1, len(view) // 2)])


class Failing(ShortWrites):
    """Raises OSError at point `n`, and at every later point if it `stays` broken."""

    def __init__(self, n: int, number: int, *, stays: bool = False) -> None:
        super().__init__()
        self._n = n
        self.number = number
        self._stays = stays

    def reached(self, point: str) -> None:
        super().reached(point)
        at = len(self.points) - 1
        if at == self._n or (self._stays and at > self._n):
            raise OSError(self.number, os.strerror(self.number))


class Killing(Counting):
    """Kills its own process at point `n`. Only in a child process: see `run_until_killed`."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self._n = n

    def reached(self, point: str) -> None:
        super().reached(point)
        if len(self.points) - 1 == self._n:
            self.die()

    def die(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class PowerLoss(Killing):
    """Before it dies, files lose what was not synced, and folders the names that were not."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._paths: dict[int, Path] = {}
        self._synced: dict[Path, int] = {}  # how much of a file is safe
        self._new_names: set[Path] = set()
        self._renamed: list[tuple[Path, Path, bytes | None]] = []  # and what stood there before

    def rename(self, source: Path, target: Path) -> None:
        before = target.read_bytes() if target.is_file() else None
        self._renamed.append((source, target, before))
        super().rename(source, target)

    def happened(self, name: str, result: object, *arguments: Any) -> None:
        handle = getattr(self, f"_after_{name}", None)
        if handle:
            handle(result, *arguments)

    def _after_create(self, descriptor: int, path: Path) -> None:
        self._paths[descriptor] = path
        self._synced[path] = 0
        self._new_names.add(path)

    def _after_sync(self, _: None, descriptor: int) -> None:
        path = self._paths[descriptor]
        self._synced[path] = path.stat().st_size

    def _after_truncate(self, _: None, path: Path, length: int) -> None:
        if path in self._synced:
            self._synced[path] = min(length, self._synced[path])

    def _after_rename(self, _: None, source: Path, target: Path) -> None:
        if source in self._synced:
            self._synced[target] = self._synced.pop(source)
        self._new_names.discard(source)

    def _after_remove(self, _: None, path: Path) -> None:
        self._synced.pop(path, None)
        self._new_names.discard(path)

    def _after_sync_folder(self, _: None, folder: Path) -> None:
        self._new_names = {path for path in self._new_names if path.parent != folder}
        self._renamed = [each for each in self._renamed if each[1].parent != folder]

    def die(self) -> None:
        for path, length in self._synced.items():
            os.truncate(path, length)
        for source, target, before in reversed(self._renamed):
            if not source.exists():
                target.rename(source)
            if before is not None:
                target.write_bytes(before)
        for path in self._new_names:
            path.unlink(missing_ok=True)
        super().die()


def failure_points(work: Work) -> list[str]:
    """The names of all points that `work` passes when nothing goes wrong."""
    disk = Counting()
    work(disk)
    return disk.points


def run_until_killed(work: Work, n: int, kind: Callable[[int], Killing] = Killing) -> bool:
    """Whether `work`, in a process of its own, was killed at point `n` (else it went through)."""
    child = os.fork()
    if child == 0:
        try:
            work(kind(n))
        finally:
            os._exit(int(_failed()))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, "the child failed; its traceback is on stderr"
    return False


def _failed() -> bool:
    """Whether an exception is under way; shown, as nobody else would see it."""
    if sys.exc_info()[0] is None:
        return False
    traceback.print_exc()
    return True
