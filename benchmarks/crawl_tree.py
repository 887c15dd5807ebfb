"""Runs a program and watches it and all it starts: CPU seconds, memory, by what each process is."""

from __future__ import annotations

import json
import subprocess
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LOOK_SECONDS = 0.05
_MOST_SECONDS = 1800
_CHROMIUM = "chrom"
UNSEEN = "ended unseen"


@dataclass
class _Seen:
    """A process as it was when last looked at."""

    role: str
    parent: int
    own: float = 0.0
    reaped: float = 0.0  # of children that have ended


@dataclass
class Tree:
    """The processes below one, and it. What ends between two looks is counted by its parent."""

    root: psutil.Process
    _seen: dict[psutil.Process, _Seen] = field(default_factory=dict)

    def look(self) -> list[psutil.Process]:
        """Look at all; who is there."""
        try:
            there = [self.root, *self.root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []
        return [process for process in there if self._note(process)]

    def _note(self, process: psutil.Process) -> bool:
        try:
            times, parent = process.cpu_times(), process.ppid()
        except psutil.NoSuchProcess:
            return False
        role = _role(_command(process), is_root=process == self.root)
        seen = self._seen.setdefault(process, _Seen(role, parent))
        if role:  # what has ended has no command line any more
            seen.role = role
        seen.own = times.user + times.system
        seen.reaped = times.children_user + times.children_system
        return True

    def cpu(self) -> dict[str, float]:
        """CPU seconds by role."""
        there = {process.pid for process in self.look()}
        by_role: defaultdict[str, float] = defaultdict(float)
        for seen in self._seen.values():
            by_role[seen.role or UNSEEN] += seen.own
        by_role[UNSEEN] += self._subtree(self.root.pid, there) - sum(by_role.values())
        return dict(by_role)

    def _subtree(self, pid: int, there: set[int]) -> float:
        """CPU seconds of a process and those below it.

        Of children that have ended, their parent may know more than was seen.
        """
        own = sum(seen.own for process, seen in self._seen.items() if process.pid == pid)
        reaped = sum(seen.reaped for process, seen in self._seen.items() if process.pid == pid)
        children = {process.pid for process, seen in self._seen.items() if seen.parent == pid}
        ended = sum(self._subtree(child, there) for child in children - there)
        living = sum(self._subtree(child, there) for child in children & there)
        return own + living + max(reaped, ended)


def _command(process: psutil.Process) -> list[str]:
    """Its command line; none if it has ended."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def _role(command: Sequence[str], *, is_root: bool) -> str:
    if is_root or not command:
        return "Python" if is_root else ""
    kind = next((part for part in command if part.startswith("--type=")), "")
    if kind:
        name = kind.removeprefix("--type=")
        sub = next((part for part in command if part.startswith("--utility-sub-type=")), "")
        return "network" if "network" in sub else name
    if Path(command[0]).name.startswith("python"):
        return "Python worker"
    return "browser" if _CHROMIUM in " ".join(command[:3]) else "node"


@dataclass(frozen=True)
class Ran:
    """What a program said (its last JSON document), how long it took, CPU seconds by role."""

    said: dict[str, Any]
    seconds: float
    cpu: dict[str, float]

    @property
    def cpu_seconds(self) -> float:
        return sum(self.cpu.values())


def watch(
    command: Sequence[str],
    environ: Mapping[str, str],
    folder: Path,
    on_look: Callable[[list[psutil.Process]], None] = lambda _: None,
) -> Ran:
    """Run a program in a folder. RuntimeError with what it said if it fails or does not end."""
    out, err = folder / "stdout", folder / "stderr"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        start = time.perf_counter()
        running = subprocess.Popen(command, env=environ, cwd=folder, stdout=stdout, stderr=stderr)
        tree = Tree(psutil.Process(running.pid))
        while not _has_ended(running.pid):
            there = tree.look()
            on_look(there)
            time.sleep(_LOOK_SECONDS)
            if time.perf_counter() - start > _MOST_SECONDS:
                _kill(there)
        seconds = time.perf_counter() - start
        cpu = tree.cpu()  # the process is a zombie until it is waited for: its times are final
        code = running.wait()
    if code:
        raise RuntimeError(f"{command[:4]} ended with {code}: {err.read_text('utf-8')[-2000:]}")
    text = out.read_text("utf-8")
    return Ran(json.loads(text[text.rindex("\n{") if "\n{" in text else 0 :]), seconds, cpu)


def _kill(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _has_ended(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
