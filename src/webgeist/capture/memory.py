"""How much memory a process and all it started hold for themselves, and how ours stays small."""

from __future__ import annotations

import ctypes

import psutil
import pyarrow as pa

_M_MMAP_THRESHOLD = -3  # as in malloc.h
_M_ARENA_MAX = -8
_ARENAS = 2
_LARGE = 1 << 20  # such blocks go back to the system as soon as they are free
_MUCH = 32 << 20


def stay_small() -> None:
    """Have this process give back what it no longer needs, where the allocator is glibc's. Else
    every large page of a long crawl would leave several hundred megabytes that are free and ours.

    Threads share their arenas, for each keeps its own. Large blocks stay out of them: glibc lets
    them in once it has seen a few. Arrow's own allocator, which keeps more, is not used.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _ARENAS)
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        pa.set_memory_pool(pa.system_memory_pool())


class Leftovers:
    """What is free between blocks that are in use: nobody else would give it back."""

    def __init__(self) -> None:
        self._down_to = 0

    def give_back(self) -> None:
        """Give it back if this process has grown much since. It takes some milliseconds then."""
        size = _own_bytes()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None and size - self._down_to > _MUCH:
            trim(0)
            self._down_to = _own_bytes()
        self._down_to = min(self._down_to, size)


def tree_bytes(pid: int) -> int:
    """Bytes of the processes that no other process shares, as far as the system tells."""
    try:
        root = psutil.Process(pid)
        family = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    return sum(map(_private_bytes, family))


def _private_bytes(process: psutil.Process) -> int:
    try:
        memory = process.memory_info()
    except psutil.NoSuchProcess:  # it ended while we looked
        return 0
    return int(memory.rss) - int(getattr(memory, "shared", 0))


def _own_bytes() -> int:
    return _private_bytes(psutil.Process())
