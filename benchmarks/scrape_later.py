"""The same tasks a week later: page loads and time, with skip blocks and without.

A page takes 50 ms here, which is less than real ones do: loopback alone would take next to nothing.
"""

from __future__ import annotations

import statistics
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from benchmarks.scrape_client import Client, boards
from benchmarks.scrape_tasks import TASKS, NoSkipping
from webgeist import Run

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.scrape_tasks import Task

BAR = 8.8
_PAGE_SECONDS = 0.05


def run(*, short: bool) -> dict[str, Any]:  # noqa: ARG001 - it is short
    figures: dict[str, Any] = {}
    for name, task in TASKS.items():
        with boards(_PAGE_SECONDS) as (client, folder):
            figures[name] = _task(task, client, folder / "log.db")
    return figures


def _task(task: Task, client: Client, store: Path) -> dict[str, Any]:
    with Run("task", store=store) as running:
        task(running, client)
    client.server.clock.advance(timedelta(days=7))
    plain = NoSkipping()
    loads, seconds = _measured(client, lambda: task(plain, client))  # type: ignore[arg-type]
    with Run("task", store=store) as running:
        fewer, less = _measured(client, lambda: task(running, client))
    new = running.counts.rows
    return {
        "without": loads, "with": fewer, "seconds_without": seconds, "seconds_with": less,
        "rows": len(plain.rows), "new_rows": new,
    }  # fmt: skip


def _measured(client: Client, work: Any) -> tuple[int, float]:
    before, start = client.loads, time.perf_counter()
    work()
    return client.loads - before, time.perf_counter() - start


def report(figures: dict[str, Any]) -> list[str]:
    gains = [each["without"] / each["with"] for each in figures.values()]
    return [
        f"A week later: median {statistics.median(gains):.1f}x fewer page loads (bar {BAR:g}x)",
        "",
        "| task | loads without | with | fewer | time | rows on the site | new rows |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {name} | {each['without']} | {each['with']} "
            f"| {each['without'] / each['with']:.1f}x "
            f"| {each['seconds_without'] / each['seconds_with']:.1f}x "
            f"| {each['rows']} | {each['new_rows']} |"
            for name, each in figures.items()
        ),
    ]
