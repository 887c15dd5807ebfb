"""Who holds a lease, and whether they are still there.

A run says until when it counts as alive, and says so again and again. On the same machine nobody
has to wait for that time: a process that is gone is gone.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

ALIVE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that runs a program."""

    machine: str
    process: str

    def is_gone(self) -> bool:
        """Whether the process is known to have ended. What runs elsewhere is not known of."""
        return self.machine == machine() and not _runs(self.process)


def this_process() -> Holder:
    return Holder(machine(), _named(os.getpid()) or str(os.getpid()))


@cache
def machine() -> str:
    """This machine since it was started; containers that see other processes are others."""
    parts = [platform.node()]
    with suppress(OSError):  # no Linux: the name alone
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii"))
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(part.strip() for part in parts)


def _named(number: int) -> str | None:
    """A process by its number and start: numbers are given again."""
    try:
        process = psutil.Process(number)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return f"{number} {_start(process)}"
    except psutil.NoSuchProcess:
        return None


def _start(process: psutil.Process) -> str:
    """In ticks since the machine was started, where they are told: no clock can be set there."""
    try:
        told = Path(f"/proc/{process.pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return f"{process.create_time():.2f}"
    return told.rpartition(")")[2].split()[19]


def _runs(process: str) -> bool:
    return _named(int(process.partition(" ")[0])) == process
