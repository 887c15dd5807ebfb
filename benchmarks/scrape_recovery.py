"""A run that fails at 1/4, 1/2 and 3/4 of its page loads, and the run that goes on after it.

An ideal recovery loads what is left, and once more the page that failed. Running again without skip
blocks loads everything. The data does not change meanwhile.
"""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

from benchmarks.scrape_client import Client, LoadError, boards
from benchmarks.scrape_tasks import TASKS, NoSkipping
from webgeist import Run

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.scrape_tasks import Task

BAR = 1.03
_PARTS = (0.25, 0.5, 0.75)


def run(*, short: bool) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, task in TASKS.items():
        with boards() as (client, folder):
            figures[name] = _task(task, client, folder, _PARTS[1:2] if short else _PARTS)
    return figures


def _task(task: Task, client: Client, folder: Path, parts: tuple[float, ...]) -> dict[str, Any]:
    plain = NoSkipping()
    task(plain, client)  # type: ignore[arg-type]
    without = client.loads
    whole, rows = _unbroken(task, client, folder / "whole.db")
    found = []
    for part in parts:
        store = folder / f"{part}.db"
        client.loads = 0
        client.fail_after(round(whole * part))
        _fail(task, client, store)
        before = client.loads
        with Run("task", store=store) as again:
            task(again, client)
        same = Counter(map(str, Run("task", store=store).rows())) == rows
        found.append({"part": part, "before": before, "after": client.loads - before, "same": same})
    return {"without": without, "whole": whole, "failures": found}


def _unbroken(task: Task, client: Client, store: Path) -> tuple[int, Counter[str]]:
    client.loads = 0
    with Run("task", store=store) as running:
        task(running, client)
    return client.loads, Counter(map(str, Run("task", store=store).rows()))


def _fail(task: Task, client: Client, store: Path) -> None:
    try:
        with Run("task", store=store) as running:
            task(running, client)
    except LoadError:
        return
    raise AssertionError("nothing failed")


def ratios(figures: dict[str, Any]) -> list[float]:
    """All loads of both runs, to those of an ideal recovery."""
    whole = figures["whole"] + 1
    return [(each["before"] + each["after"]) / whole for each in figures["failures"]]


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"Recovery: page loads of a failed run and the next, to an ideal one's (bar {BAR:g}x)",
        "",
        "| task | loads | without skip blocks | ratio | against running again | same rows |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for name, each in figures.items():
        saved = [each["without"] / max(1, failure["after"]) for failure in each["failures"]]
        same = all(failure["same"] for failure in each["failures"])
        worst = max(ratios(each))
        lines.append(
            f"| {name} | {each['whole']} | {each['without']} | {worst:.3f}x "
            f"| {statistics.median(saved):.1f}x | {'yes' if same else 'NO'} |"
        )
    return lines
