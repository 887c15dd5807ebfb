"""What share of a first run goes into skip blocks, with pages loaded by Chromium.

The time inside of the library, keys included, is added up while the run goes on: that is the same
in a noisy hour, which a difference of two runs is not. `feed` is the worst case: no page per block.
Loopback gives a page in 50 to 70 ms, as no site of the web does: two tasks are run once more with
the pause between pages that webgeist makes unless told otherwise.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from benchmarks.scrape_tasks import TASKS
from benchmarks.spread import load
from webgeist import Run
from webgeist.capture.find import find_browser
from webgeist.samples.server import serve
from webgeist.scrape.blocks import Loop
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

BAR = 0.01
_METHODS = ((Run, "skip_block"), (Run, "output"), (Loop, "__next__"))
_PAUSED = ("feed", "rides")  # most blocks for each page


class Stopwatch:
    """Adds up the time inside of the library's methods."""

    def __init__(self) -> None:
        self.seconds = self.cpu = 0.0
        self._depth = 0

    def __call__(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            start, cpu = time.perf_counter(), time.thread_time()
            self._depth += 1
            try:
                return method(*given, **named)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.perf_counter() - start
                    self.cpu += time.thread_time() - cpu

        return timed


def run(*, short: bool) -> dict[str, Any]:
    plain = [(name, 0.0) for name in (["feed"] if short else TASKS)]
    paused = [(name, Settings().crawl.delay_seconds) for name in (() if short else _PAUSED)]
    with serve() as server, TemporaryDirectory() as folder, _page() as page:

        def fetching(pause: float) -> Callable[[str], str]:
            def fetch(path: str) -> str:
                time.sleep(pause)
                page.goto(server.url("boards", path), wait_until="load")
                text: str = page.content()
                return text

            return fetch

        return {
            "tasks": [
                _measured(name, fetching(pause), Path(folder, f"{at}.db")) | {"pause": pause}
                for at, (name, pause) in enumerate(plain + paused)
            ],
            "load": load(),
        }


class _page:  # noqa: N801 - used as a context manager
    """A tab of Chromium."""

    def __enter__(self) -> Any:
        self._playwright = sync_playwright().start()
        browser = find_browser(environ=os.environ).path
        self._browser = self._playwright.chromium.launch(
            executable_path=browser, chromium_sandbox=os.geteuid() != 0
        )
        return self._browser.new_page()

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._playwright.stop()


def _measured(name: str, fetch: Callable[[str], str], store: Path) -> dict[str, Any]:
    watch = Stopwatch()
    original = {(kind, method): getattr(kind, method) for kind, method in _METHODS}
    for (kind, method), function in original.items():
        setattr(kind, method, watch(function))
    try:
        start = time.perf_counter()
        with Run("task", store=store) as running:
            TASKS[name](running, fetch)
        whole = time.perf_counter() - start
    finally:
        for (kind, method), function in original.items():
            setattr(kind, method, function)
    blocks = running.counts.committed + running.counts.skipped
    return {
        "task": name, "seconds": whole, "inside": watch.seconds, "cpu": watch.cpu, "blocks": blocks
    }  # fmt: skip


def report(figures: dict[str, Any]) -> list[str]:
    return [
        f"Time inside of skip blocks in a first run (bar {BAR:.0%}; {figures['load']})",
        "",
        "| task | pause | blocks | seconds | inside | share | CPU | share | CPU of a block |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {each['task']} | {each['pause']:g} s | {each['blocks']} | {each['seconds']:.1f} "
            f"| {each['inside']:.2f} | {each['inside'] / each['seconds']:.1%} "
            f"| {each['cpu']:.2f} | {each['cpu'] / each['seconds']:.1%} "
            f"| {each['cpu'] / each['blocks'] * 1e3:.2f} ms |"
            for each in figures["tasks"]
        ),
    ]
