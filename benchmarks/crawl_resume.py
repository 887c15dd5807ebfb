"""How long `webgeist crawl` takes where nothing is left to do, beyond its start."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.crawl_commands import WEBGEIST, crawl, environment, webgeist
from benchmarks.crawl_frontier import Cost
from benchmarks.crawl_pages import served
from benchmarks.crawl_peers import PAGES
from benchmarks.spread import load, spread
from webgeist.capture.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR_SECONDS = 2.0


def run(*, short: bool) -> dict[str, Any]:
    count, rounds = (6, 3) if short else (PAGES, 7)
    browser = str(find_browser(environ=os.environ).path)
    with TemporaryDirectory() as folder, served(count) as addresses:
        work = Path(folder, "work")
        crawl(WEBGEIST, addresses, browser, work)
        version = [webgeist("crawl")[0], "--version"]
        again = webgeist("crawl")
        pairs = [
            (_cost(again, browser, work), _cost(version, browser, work)) for _ in range(rounds)
        ]
    return {
        "pages": count,
        "beyond_seconds": vars(spread(whole.seconds - start.seconds for whole, start in pairs)),
        "start_seconds": vars(spread(start.seconds for _, start in pairs)),
        "beyond_cpu_seconds": vars(spread(whole.cpu - start.cpu for whole, start in pairs)),
        "load": load(),
    }


def _cost(command: Sequence[str], browser: str, folder: Path) -> Cost:
    before, start = _cpu_of_children(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment(browser), check=True, capture_output=True)
    return Cost(time.perf_counter() - start, _cpu_of_children() - before)


def _cpu_of_children() -> float:
    """CPU seconds of the processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(figures: dict[str, Any]) -> list[str]:
    beyond, start = figures["beyond_seconds"], figures["start_seconds"]
    started = f"{start['median']:.2f} s"
    measured = f"{beyond['median']:.2f} s ({beyond['low']:.2f} to {beyond['high']:.2f})"
    return [
        f"`webgeist crawl` on a complete repository, {figures['pages']} pages ({figures['load']})",
        "",
        f"{measured} beyond the {started} of `webgeist --version`; bar {BAR_SECONDS:g} s",
        f"CPU: {figures['beyond_cpu_seconds']['median']:.2f} s",
    ]
