"""webgeist capture: pages into folders, or into a repository."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.output import one_line
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.capture.target import Target
    from webgeist.cli.output import Output
    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def capture(
    ctx: typer.Context,
    targets: Annotated[
        list[str], typer.Argument(metavar="URL|FILE...", help="Addresses, or saved HTML files.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", file_okay=False, help="Where the captures go [captures]."
        ),
    ] = None,
    repo: Annotated[
        Path | None,
        typer.Option(
            "--repo",
            metavar="DIR",
            file_okay=False,
            help="Put them into this repository, with all that was sent; made on first use.",
        ),
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option(
            "--allow-private", help="With --repo: let pages reach this machine and network."
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", help="The address that a saved file is shown under."),
    ] = None,
    viewport: Annotated[
        str | None,
        typer.Option("--viewport", help="desktop, laptop, tablet, mobile or WIDTHxHEIGHT."),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option("--clock", metavar="TIME", help="The time that pages see, as ISO 8601 [now]."),
    ] = None,
    deterministic: Annotated[
        bool | None,
        typer.Option("--deterministic/--live", help="Freeze clock, random and animations, or not."),
    ] = None,
    screenshot: Annotated[
        str | None, typer.Option("--screenshot", help="jpeg, png or none.")
    ] = None,
    scroll: Annotated[
        bool | None,
        typer.Option("--scroll/--no-scroll", help="Scroll pages that load on scrolling, or not."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Load pages in Chromium and keep everything that was seen.

    Each capture is a new folder: capture.json, Parquet tables of nodes, styles, links and requests,
    a full-page screenshot and a thumbnail. With --repo it goes into a repository instead, together
    with every request and answer. A page that fails is kept with the reason. Exit code 3 says that
    some did.

    Example: webgeist capture https://example.org --viewport mobile --out captures

    Example: webgeist capture https://example.org --repo my-pages

    Example: webgeist capture saved.html --url https://example.org/page
    """
    from webgeist import blocking
    from webgeist.errors import UsageError

    if out is not None and repo is not None:
        raise UsageError("--out and --repo exclude each other", remedy="choose one")
    session = session_of(ctx)
    flags = {
        "capture.viewport": viewport,
        "capture.deterministic": deterministic,
        "capture.screenshot": screenshot,
        "capture.scroll": scroll,
        "gate.allow_private": allow_private,
    }
    settings = session.load_settings(flags, folder=repo).settings
    wanted, at = _parse(targets, url, settings), _parse_clock(clock)
    target = out or Path("captures")
    started = time.monotonic()
    if repo is not None:
        work = capture_into_repository(repo, wanted, settings, at, session.output)
    else:
        work = capture_into(target, wanted, settings, at, session.output)
    results = blocking.run(work)
    if as_json:
        session.output.json({"captures": results})
    failed = [result for result in results if not result["ok"]]
    took = f"{time.monotonic() - started:.1f} s; in {repo or target}"
    session.output.say(f"{len(results) - len(failed)} captured, {len(failed)} failed in {took}")
    if failed:
        raise typer.Exit(_exit_code(failed))


def _parse(targets: list[str], url: str | None, settings: Settings) -> list[Target]:
    from webgeist.capture.target import parse_target
    from webgeist.errors import UsageError

    if url is not None and len(targets) > 1:
        raise UsageError("--url goes with one saved file", remedy="capture them one by one")
    most = settings.limits.file_bytes
    return [parse_target(target, url=url, most_bytes=most) for target in targets]


def _parse_clock(text: str | None) -> datetime | None:
    from datetime import UTC, datetime

    from webgeist.errors import UsageError

    if text is None:
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--clock {text!r} is no time", remedy="2026-03-01T12:00Z") from error
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


async def capture_into(
    out: Path,
    targets: list[Target],
    settings: Settings,
    clock: datetime | None,
    output: Output,
) -> list[dict[str, Any]]:
    """Capture every target into a folder below `out`; a line is said for each."""
    from webgeist.capture.camera import Camera
    from webgeist.capture.naming import folder_name

    def keep(taken: Capture) -> dict[str, str]:
        return {"folder": str(taken.save(out / folder_name(taken.info)))}

    async with Camera(settings) as camera:
        return await _capture_all(camera, targets, clock, output, keep)


async def capture_into_repository(
    repo: Path,
    targets: list[Target],
    settings: Settings,
    clock: datetime | None,
    output: Output,
) -> list[dict[str, Any]]:
    """Capture every target into a repository, which is made if needed; all traffic is recorded."""
    from webgeist.capture.camera import Camera
    from webgeist.capture.recorder.authority import Authority
    from webgeist.capture.recorder.proxy import RecordingProxy
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

        recorder = RecordingProxy(settings, Authority.of_folder(layout.certificates))
        try:
            async with Camera(settings, recorder) as camera:
                return await _capture_all(camera, targets, clock, output, keep)
        finally:
            await recorder.close()


async def _capture_all(
    camera: Camera,
    targets: list[Target],
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


def describe(taken: Capture) -> str:
    """A capture in one line for people."""
    info = taken.info
    facts = f"{info.nodes:,} nodes, {taken.links.num_rows:,} links" if taken.has_page else ""
    reason = f": {info.reason}" if info.reason else ""
    waited = "" if info.settled is None or info.settled.at_rest else f" ({info.settled.reason})"
    return one_line(f"{info.outcome} {info.url} {facts}{reason}{waited}")


def summary(taken: Capture) -> dict[str, Any]:
    """What the JSON form tells of a capture."""
    from webgeist.capture.outcome import Outcome

    info = taken.info
    return {
        "ok": info.outcome in {Outcome.OK, Outcome.EMPTY},
        "outcome": info.outcome,
        "reason": info.reason,
        "requested_url": info.requested_url,
        "url": info.url,
        "status": info.status,
        "title": info.metadata.title if info.metadata else None,
        "time": info.time.isoformat(),
        "viewport": info.viewport.name,
        "settled": info.settled,
        "nodes": info.nodes,
        "links": taken.links.num_rows,
        "requests": taken.requests.num_rows,
        "screenshot": info.screenshot,
        "stages_ms": info.stages_ms,
    }


def _exit_code(failed: list[dict[str, Any]]) -> ExitCode:
    from webgeist.capture.outcome import Outcome

    if all(result["outcome"] == Outcome.BROWSER_DIED for result in failed):
        return ExitCode.BROWSER
    return ExitCode.FAILED_PAGES
