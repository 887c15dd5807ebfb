"""How much memory a process and all that it started hold for themselves."""

from __future__ import annotations

import psutil


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
