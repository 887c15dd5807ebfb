"""webgeist analyse: what captures mean, made for those that lack it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webgeist.cli.output import Output
    from webgeist.engines.analysing import Analysed, Analysing
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_LINE_SECONDS = 5.0


@app.command()
def analyse(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="This analysis alone; may be repeated."),
    ] = None,
    recompute: Annotated[
        list[str] | None,
        typer.Option(
            "--recompute", metavar="NAME", help="This analysis alone, for all captures anew."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="Processes; else one for each core."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the blocks of captured pages, their features and descriptors, where they are missing.

    It can be stopped at any time, and goes on where it was. What an analysis could not do is kept
    with the reason, and never tried again unless you ask; then the exit code is 3. The tables
    come into releases with the next publish.

    Example: webgeist analyse --repo my-pages
    """
    session = session_of(ctx)
    settings = session.load_settings({}, folder=repo).settings
    options = {"only": only or (), "recompute": recompute or (), "workers": workers}
    done = analyse_shown(repo, settings, session.output, **options)
    if as_json:
        session.output.json(_facts(done))
    else:
        for (name, outcome), count in sorted(done.outcomes.items()):
            session.output.data(f"{name:>14}  {outcome:<8} {count:>9,}")
    if done.failed:
        raise typer.Exit(ExitCode.FAILED_PAGES)


def analyse_shown(repo: Path, settings: Settings, output: Output, **options: Any) -> Analysed:
    """Analyse a repository, saying how it goes."""
    from webgeist.repository.repository import open_repository

    with open_repository(repo) as repository:
        return analyse_opened(repository, settings, output, **options)


def analyse_opened(
    repository: Repository, settings: Settings, output: Output, **options: Any
) -> Analysed:
    """The same of one that is open."""
    from webgeist.engines.analysing import Analysing

    seconds = settings.limits.analysis_seconds
    work = Analysing(repository, seconds=seconds, **options)
    for plugin in work.progress.broken:
        output.warn(f"the plugin {plugin.name} cannot be used: {plugin.reason}")
    with output.working("analysing") as stage:
        done = work.run(_teller(work, output, stage))
    output.say(f"{done.results:,} results, {done.failed:,} failed; {done.seconds:.1f} s")
    return done


def _teller(
    work: Analysing, output: Output, stage: Callable[[str], None]
) -> Callable[[Analysed], None]:
    """Says how far it is: at once on a terminal, else every few seconds."""
    total, said = len(work), time.monotonic()

    def tell(done: Analysed) -> None:
        nonlocal said
        line = f"{done.results:,} of {total:,} results, {done.failed:,} failed"
        stage(line)
        if not output.messages.is_terminal and time.monotonic() - said > _LINE_SECONDS:
            output.say(line)
            said = time.monotonic()

    return tell


def _facts(done: Analysed) -> dict[str, Any]:
    outcomes: dict[str, dict[str, int]] = {}
    for (name, outcome), count in sorted(done.outcomes.items()):
        outcomes.setdefault(name, {})[outcome] = count
    return {
        "results": done.results,
        "failed": done.failed,
        "seconds": round(done.seconds, 3),
        "analyses": outcomes,
        "broken_plugins": {plugin.name: plugin.reason for plugin in done.broken},
    }
