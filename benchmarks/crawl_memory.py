"""Whether a long crawl stays as large as it was: memory of all its processes, open files."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from benchmarks.crawl_commands import REPOSITORY, WEBGEIST, crawl
from benchmarks.crawl_pages import served
from benchmarks.spread import load, spread
from webgeist.capture.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR_MB = 2500
_LOOK_SECONDS = 2.0
_DONE = "SELECT count(*) FROM frontier WHERE state = 'done'"


class Look(NamedTuple):
    """Memory without what is shared, in all and of Python; open files of Python."""

    pages: int
    megabytes: float
    python_megabytes: float
    files: int


@dataclass
class Watcher:
    """Looks at the processes of a crawl every few seconds."""

    database: Path
    looks: list[Look] = field(default_factory=list)
    _next: float = 0.0

    def __call__(self, processes: Sequence[psutil.Process]) -> None:
        if time.monotonic() < self._next or not processes or not self.database.exists():
            return
        self._next = time.monotonic() + _LOOK_SECONDS
        try:
            files = processes[0].num_fds()
        except psutil.Error:  # it has just ended
            return
        sizes = [_megabytes(process) for process in processes]
        self.looks.append(Look(self.done(), sum(sizes), sizes[0], files))

    def done(self) -> int:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            try:
                return int(connection.execute(_DONE).fetchone()[0])
            except sqlite3.OperationalError:  # its tables are just being made
                return 0


def _megabytes(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().uss) / 1e6
    except psutil.Error:  # it has just ended
        return 0.0


def run(*, short: bool) -> dict[str, Any]:
    count, early = (60, 20) if short else (500, 100)
    browser = str(find_browser(environ=os.environ).path)
    with TemporaryDirectory() as folder, served(count) as addresses:
        work = Path(folder, "work")
        watcher = Watcher(work / REPOSITORY / "state.db")
        ran = crawl(WEBGEIST, addresses, browser, work, on_look=watcher)
    print(f"  {ran.said['done']} pages in {ran.seconds:.0f} s", file=sys.stderr)
    late = count - early // 2
    return {
        "pages": count,
        "done": ran.said["done"],
        "failed": ran.said["failed"],
        "seconds": ran.seconds,
        "peak_mb": max(look.megabytes for look in watcher.looks),
        "early": _around(watcher.looks, early, early // 2),
        "late": _around(watcher.looks, late, early // 2),
        "load": load(),
    }


def _around(looks: Sequence[Look], page: int, width: int) -> dict[str, Any]:
    """Medians over the looks within so many pages of one."""
    near = [look for look in looks if abs(look.pages - page) <= width]
    return {"page": page, "looks": len(near)} | {
        name: spread(float(getattr(look, name)) for look in near).median
        for name in ("megabytes", "python_megabytes", "files")
    }


def report(figures: dict[str, Any]) -> list[str]:
    rows = [
        f"| {each['page']} | {each['megabytes']:.0f} | {each['python_megabytes']:.0f} "
        f"| {each['files']:.0f} |"
        for each in (figures["early"], figures["late"])
    ]
    ended = f"{figures['done']} done, {figures['failed']} failed, {figures['seconds']:.0f} s"
    return [
        f"A crawl of {figures['pages']} pages, two tabs, all processes ({figures['load']})",
        "",
        "| around page | MB, not shared | of Python | open files of Python |",
        "|--:|--:|--:|--:|",
        *rows,
        "",
        f"peak {figures['peak_mb']:.0f} MB, bar {BAR_MB} and flat; {ended}",
    ]
