"""webgeist capture: pages into folders or a repository, and stored pages once more."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.repo import HERE
from webgeist.cli.session import JsonOption, session_of
from webgeist.cli.wanted import WANTED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webgeist.capture.target import Target
    from webgeist.cli.session import Session
    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

# Options that are settings for one run.
_SETTINGS = {
    "--viewport": "capture.viewport",
    "--deterministic": "capture.deterministic",
    "--screenshot": "capture.screenshot",
    "--scroll": "capture.scroll",
    "--allow-private": "gate.allow_private",
    "--allow": "gate.allow",
    "--recorder": "recorder.form",
}


@app.command()
def capture(
    ctx: typer.Context,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL|FILE...", show_default=False, help="Addresses, or saved HTML files."
        ),
    ] = None,
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
    offline: Annotated[
        str | None,
        typer.Option("--offline", metavar="CAPTURE", help=f"Render a stored page again. {WANTED}"),
    ] = None,
    allow_private: Annotated[
        bool | None,
        typer.Option("--allow-private", help="Let pages reach this machine and its network."),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow", metavar="NETWORK", help="Let pages reach this network; may be repeated."
        ),
    ] = None,
    recorder: Annotated[
        str | None,
        typer.Option(
            "--recorder", help="With --repo, who talks to servers: proxy (ours) or browser."
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

    With --offline a page of the repository is rendered again from what was recorded, under the
    circumstances of that time, and nothing is asked from anywhere. What was missing and how the
    result differs is printed; --out keeps the result.

    Example: webgeist capture https://example.org --viewport mobile --out captures

    Example: webgeist capture https://example.org --repo my-pages

    Example: webgeist capture saved.html --url https://example.org/page

    Example: webgeist capture --offline https://example.org/ --repo my-pages
    """
    session = session_of(ctx)
    options = {
        "--viewport": viewport,
        "--deterministic": deterministic,
        "--screenshot": screenshot,
        "--scroll": scroll,
        "--allow-private": allow_private,
        "--allow": " ".join(allow) if allow else None,
        "--recorder": recorder,
    }
    if offline is not None:
        _refuse_with_offline(targets, options | {"--url": url, "--clock": clock})
        _render_again(session, offline, repo or HERE, out, as_json=as_json)
        return
    _check_places(targets, out, repo, recorder)
    flags = {_SETTINGS[name]: value for name, value in options.items()}
    settings = session.load_settings(flags, folder=repo).settings
    wanted = _parse(targets or [], url, settings)
    _capture(session, wanted, settings, _parse_clock(clock), repo=repo, out=out, as_json=as_json)


def _refuse_with_offline(targets: list[str] | None, options: Mapping[str, object]) -> None:
    from webgeist.errors import UsageError

    given = [name for name, value in options.items() if value is not None]
    if targets or given:
        raise UsageError(
            f"{(targets or given)[0]} does not go with --offline: "
            "the page and its circumstances are those of the capture",
            remedy="leave it out",
        )


def _check_places(
    targets: list[str] | None, out: Path | None, repo: Path | None, recorder: str | None
) -> None:
    from webgeist.errors import UsageError

    if not targets:
        raise UsageError("there is nothing to capture", remedy="webgeist capture --help")
    if out is not None and repo is not None:
        raise UsageError("--out and --repo exclude each other", remedy="choose one")
    if recorder is not None and repo is None:
        raise UsageError("--recorder goes with --repo", remedy="only repositories keep traffic")


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


def _capture(
    session: Session,
    wanted: list[Target],
    settings: Settings,
    clock: datetime | None,
    *,
    repo: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    from webgeist import blocking
    from webgeist.cli.capturing import capture_into, capture_into_repository
    from webgeist.cli.summary import exit_code

    started = time.monotonic()
    place = repo or out or Path("captures")
    capturing = capture_into_repository if repo else capture_into
    results = blocking.run(capturing(place, wanted, settings, clock, session.output))
    if as_json:
        session.output.json({"captures": results})
    failed = [result for result in results if not result["ok"]]
    took = f"{time.monotonic() - started:.1f} s; in {place}"
    session.output.say(f"{len(results) - len(failed)} captured, {len(failed)} failed in {took}")
    if failed:
        raise typer.Exit(exit_code(failed))


def _render_again(
    session: Session, wanted: str, repo: Path, out: Path | None, *, as_json: bool
) -> None:
    from webgeist.cli.offline import end_of, lines_of, render_again

    settings = session.load_settings(folder=repo).settings
    report = render_again(repo, wanted, out, settings, session.output)
    if as_json:
        session.output.json(report)
    else:
        for line in lines_of(report):
            session.output.data(line)
    if "folder" in report:
        session.output.say(f"kept in {report['folder']}")
    if code := end_of(report):
        raise typer.Exit(code)
