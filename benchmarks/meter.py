"""CPU and memory of a process tree: this process and all it started, minus those left out."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import psutil


@dataclass
class Meter:
    """CPU seconds of the tree so far. A child that has ended counts through its parent."""

    left_out: set[int] = field(default_factory=set)

    def cpu(self) -> float:
        total = 0.0
        for process in self._tree():
            try:
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            total += times.user + times.system + times.children_user + times.children_system
        return total

    def _tree(self) -> list[psutil.Process]:
        own = psutil.Process(os.getpid())
        return [own, *(p for p in own.children(recursive=True) if p.pid not in self.left_out)]


def peak_memory_mb() -> float:
    """The most memory this process has had, as the kernel counts it."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    line = next(line for line in lines if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024
