"""Runs metrics in the page of a tab: each in a world of its own, within its time, in order.

Nothing that a metric does ends the capture: what goes wrong is kept as its reason.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError, CommandTimeoutError

if TYPE_CHECKING:
    from webgeist.capture.metric_files import Metric, Metrics
    from webgeist.capture.tab import Tab

# A file is an expression, or the body of a function. What comes first is tried first.
_FORMS = (("async () => (\n", "\n)"), ("async () => {\n", "\n}"))
_GRACE_SECONDS = 1.0  # for a page to say that a metric's time is up; then it is stopped
_NO_TIME = "not run: the metrics before took all the time there is for them"


@dataclass(frozen=True)
class Measured:
    """What metrics gave: JSON by name, or why there is none."""

    values: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


async def measure(tab: Tab, metrics: Metrics, deadline: float) -> Measured:
    """Run all metrics in the page's own frame; those whose turn is after `deadline` are not run."""
    loop = asyncio.get_running_loop()
    measured = Measured({}, dict(metrics.unusable))
    for metric in metrics.usable:
        told = await _run(tab, metric) if loop.time() < deadline else {"failed": _NO_TIME}
        if "json" in told:
            measured.values[metric.name] = told["json"]
        else:
            measured.failed[metric.name] = told["failed"]
    return Measured(measured.values, dict(sorted(measured.failed.items())))


async def _run(tab: Tab, metric: Metric) -> dict[str, str]:
    """What came of one metric: `json`, or why it `failed`."""
    loop, seconds = asyncio.get_running_loop(), tab.settings.limits.metric_seconds
    began = loop.time()
    try:
        return await _tried(tab, metric)
    except CommandTimeoutError:
        await _stop(tab)
    except CommandError as error:  # Chromium ends a loop without saying so
        if loop.time() < began + seconds:
            return {"failed": str(error)}
    return {"failed": f"no result within {seconds:g} s"}


async def _tried(tab: Tab, metric: Metric) -> dict[str, str]:
    seconds = tab.settings.limits.metric_seconds + _GRACE_SECONDS
    made = await tab.send(
        "Page.createIsolatedWorld",
        {"frameId": tab.journal.frame, "worldName": f"webgeist metric {metric.name}"},
        seconds,
    )
    answer: dict[str, Any] = {}
    for before, after in _FORMS:
        source = (
            metric.source.rstrip().removesuffix(";") if before.endswith("(\n") else metric.source
        )
        answer = await tab.send(
            "Runtime.evaluate",
            _evaluation(f"{before}{source}{after}", made["executionContextId"], tab),
            seconds,
        )
        if "exceptionDetails" not in answer:
            return dict(answer["result"]["value"])
    return {"failed": _complaint(answer["exceptionDetails"])}


def _evaluation(function: str, world: int, tab: Tab) -> dict[str, Any]:
    limits = tab.settings.limits
    ms = round(limits.metric_seconds * 1000)
    return {
        "expression": f"({_runner()})({function}, {ms}, {limits.metric_bytes})",
        "contextId": world,
        "awaitPromise": True,
        "returnByValue": True,
        "timeout": ms,
    }


@cache
def _runner() -> str:
    file = resources.files("webgeist.capture").joinpath("scripts", "metric.js")
    return file.read_text("utf-8").rstrip()


def _complaint(details: dict[str, Any]) -> str:
    """A syntax error, which is all that gets past our own script, with its line in the file."""
    said = details.get("exception", {}).get("description") or details["text"]
    line = details["lineNumber"] - _runner().count("\n")
    return f"{str(said).splitlines()[0]} (line {max(1, line)})"


async def _stop(tab: Tab) -> None:
    """End a metric that lets nobody else run. What follows says whether the page answers again."""
    try:
        await tab.send("Runtime.terminateExecution", seconds=_GRACE_SECONDS)
    except (CommandError, CommandTimeoutError):
        return
