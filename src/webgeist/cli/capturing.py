"""Captures one target after the other, into folders or into a repository, a line for each.

A capture is kept in a thread while the next page loads, and its line is said when it is kept.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from webgeist.cli.summary import describe, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.capture.target import Target
    from webgeist.cli.output import Output
    from webgeist.settings import Settings


async def capture_into(
    out: Path,
    targets: Sequence[Target],
    settings: Settings,
    clock: datetime | None,
    output: Output,
) -> list[dict[str, Any]]:
    """Capture every target into a folder below `out`. The summaries say where each is."""
    from webgeist.capture.camera import Camera
    from webgeist.capture.naming import folder_name

    def keep(taken: Capture) -> dict[str, str]:
        return {"folder": str(taken.save(out / folder_name(taken.info)))}

    async with Camera(settings) as camera:
        return await _capture_all(camera, targets, clock, output, keep)


async def capture_into_repository(
    repo: Path,
    targets: Sequence[Target],
    settings: Settings,
    clock: datetime | None,
    output: Output,
) -> list[dict[str, Any]]:
    """Capture every target into a repository, which is made if needed; all traffic is recorded."""
    from webgeist.capture.camera import Camera
    from webgeist.capture.metric_files import read_metrics
    from webgeist.capture.recorder.forms import make_recorder
    from webgeist.repository.init import make_if_missing
    from webgeist.repository.layout import Layout
    from webgeist.repository.repository import open_repository

    layout = Layout(repo)
    make_if_missing(repo)
    with open_repository(repo) as repository:
        repository.claim()  # before any page is loaded for nothing

        def keep(taken: Capture) -> dict[str, str]:
            return {"capture": repository.add(taken)}

        recorder = make_recorder(settings, layout.certificates)
        try:
            metrics = read_metrics(layout.metrics, settings.limits)
            async with Camera(settings, recorder, metrics=metrics) as camera:
                return await _capture_all(camera, targets, clock, output, keep)
        finally:
            await recorder.close()


async def _capture_all(
    camera: Camera,
    targets: Sequence[Target],
    clock: datetime | None,
    output: Output,
    keep: Callable[[Capture], dict[str, str]],
) -> list[dict[str, Any]]:
    """Whatever ends this early, the capture before is kept first: its thread is waited for."""

    def keep_and_say(number: int, taken: Capture) -> dict[str, Any]:
        try:
            where = keep(taken)
        finally:
            taken.close()
        output.say(f"{number}/{len(targets)} {describe(taken)}")
        return summary(taken) | where

    results: list[Future[dict[str, Any]]] = []
    with ThreadPoolExecutor(1) as thread:
        for number, target in enumerate(targets, 1):
            with output.working(f"{number}/{len(targets)} {target.url}") as show:
                try:
                    taken = await camera.capture(target, clock=clock, on_stage=show)
                except BaseException as error:
                    _note_failure(error, results)
                    raise
            await _until_kept(results, taken)
            results.append(thread.submit(keep_and_say, number, taken))
        return [await asyncio.wrap_future(each) for each in results]


async def _until_kept(before: Sequence[Future[Any]], taken: Capture) -> None:
    """Wait for the capture before, so that no more than two are in memory."""
    try:
        for each in before[-1:]:
            await asyncio.wrap_future(each)
    except BaseException:
        taken.close()
        raise


def _note_failure(error: BaseException, before: Sequence[Future[Any]]) -> None:
    """Where the capture before could not be kept either, that must not be lost."""
    for each in before[-1:]:
        if failure := each.exception():
            error.add_note(f"the capture before was not kept: {failure}")
