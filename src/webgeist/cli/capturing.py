"""Captures one target after the other, into folders or into a repository, a line for each."""

from __future__ import annotations

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
    from webgeist.capture.recorder.forms import make_recorder
    from webgeist.repository.init import init_repository
    from webgeist.repository.layout import Layout
    from webgeist.repository.repository import open_repository

    layout = Layout(repo)
    if not layout.state.exists() and not layout.releases.exists():
        init_repository(repo)
    with open_repository(repo) as repository:
        repository.claim()  # before any page is loaded for nothing

        def keep(taken: Capture) -> dict[str, str]:
            return {"capture": repository.add(taken)}

        recorder = make_recorder(settings, layout.certificates)
        try:
            async with Camera(settings, recorder) as camera:
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
    results = []
    for number, target in enumerate(targets, 1):
        with output.working(f"{number}/{len(targets)} {target.url}") as show:
            taken = await camera.capture(target, clock=clock, on_stage=show)
            try:
                where = keep(taken)
            finally:
                taken.close()
        output.say(f"{number}/{len(targets)} {describe(taken)}")
        results.append(summary(taken) | where)
    return results
