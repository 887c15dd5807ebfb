"""webgeist demo: the whole way, on sample sites that nobody has to set up."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.cli.output import Output
    from webgeist.crawl.plan import Bounds, Plan
    from webgeist.repository.repository import Repository
    from webgeist.samples.server import SampleServer
    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_SITES = ("shop", "magazine", "manual", "directory", "portfolio", "gallery")
_PER_SITE = 2
_MANUAL = 12  # pages of the manual, so that its menus are in the repository
_AGAIN = "magazine"  # the site whose first page is rendered again
_HERE = "127.0.0.0/8"  # where the sample sites are, and the only network that they may reach


@app.command()
def demo(
    ctx: typer.Context,
    *,
    once: Annotated[
        bool, typer.Option("--once", help="End when all is shown, instead of serving on.")
    ] = False,
    repo: Annotated[
        Path,
        typer.Option("--repo", metavar="DIR", file_okay=False, help="The repository to fill."),
    ] = Path("webgeist-demo"),
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="Port of the sample sites; 0 takes any."),
    ] = 0,
) -> None:
    """Crawl sample sites on loopback, a day later once more, and answer the five questions.

    The pages go into a repository with everything they were sent; they are analysed, published
    and checked, and one page is rendered again from the archive alone. Then the five questions,
    each with what was found and a command that asks on. Nothing leaves this machine. Each run adds
    captures and a release to the repository.

    Example: webgeist demo --once
    """
    from webgeist.samples.server import serve

    session = session_of(ctx)
    output = session.output
    flags = {"gate.allow": _HERE, "crawl.delay_seconds": 0.0}
    settings = session.load_settings(flags, folder=repo).settings
    with serve(port) as server:
        started = time.monotonic()
        output.say(f"1. Sample sites are at {server.url()}; nothing leaves this machine.")
        _walk(server, repo, settings, output)
        output.say(f"All of that took {time.monotonic() - started:.1f} s and is in {repo}.")
        if not once:
            _serve_on(server, repo, output)


def _walk(server: SampleServer, repo: Path, settings: Settings, output: Output) -> None:
    """Everything that there is to see: how pages come in, then the five questions."""
    from webgeist.cli.exhibition import answers, changed, judged, lists, looks, summary_table
    from webgeist.cli.guide import sections, tell
    from webgeist.cli.interrupted import scraped_twice
    from webgeist.repository.repository import open_repository

    first_ids, ids = _fill(server, repo, settings, output)
    _check(repo, output)
    _render_again(repo, server.url(_AGAIN), settings, output)
    with open_repository(repo, readonly=True) as repository:
        first, second = ([repository.capture(one) for one in part] for part in (first_ids, ids))
        output.table(summary_table(second))
        release = repository.release()
        told = sections(
            repo,
            server.url(_AGAIN),
            looks=(*answers(second), *looks(release, ids)),
            maps=_maps(server),
            lists=lists(release, ids),
            records=scraped_twice(server, repo, settings),
            changes=(changed(first, second), *judged(first, second)),
        )
        for section in told:
            tell(section, repo, output)


def _fill(
    server: SampleServer, repo: Path, settings: Settings, output: Output
) -> tuple[list[str], list[str]]:
    """A published repository; which captures are of the first day, and which of the second."""
    from webgeist.cli.analyse import analyse_opened
    from webgeist.crawl.plan import Bounds, Plan
    from webgeist.crawl.scope import Reach, Rules
    from webgeist.repository.init import make_if_missing
    from webgeist.repository.repository import open_repository

    make_if_missing(repo)
    some = Plan(tuple(server.url(name) for name in _SITES)), Bounds(per_site=_PER_SITE)
    menus = Rules(reach=Reach.SITE, by_menu=2)
    manual = Plan((server.url("manual"),), menus), Bounds(pages=_MANUAL)
    with open_repository(repo) as repository:
        output.say(f"2. Crawling {_PER_SITE} pages of each site, with every request and answer:")
        first = _crawl(repository, *some, settings, output)
        server.clock.advance(timedelta(days=1))
        output.say("3. A day later in the sample web, the same pages again:")
        second = _crawl(repository, *some, settings, output)
        output.say(f"   {_MANUAL} pages of the manual, some of each section of its menu:")
        _crawl(repository, *manual, settings, output)
        output.say("4. Finding the blocks that a person sees, what they look like, descriptors:")
        analyse_opened(repository, settings, output)
        with output.working("publishing"):
            number = repository.publish()
            captures = len(repository.release(number))
        output.say(f"5. Published as release {number}, which has {captures:,} captures for ever.")
    return first, second


def _crawl(
    repository: Repository, plan: Plan, bounds: Bounds, settings: Settings, output: Output
) -> list[str]:
    """Crawl, whatever is there already; the captures that were made."""
    from webgeist.cli.crawling import crawl_shown
    from webgeist.cli.progress import progress_line
    from webgeist.crawl.run import Crawl

    before = len(repository.captures())
    crawl = Crawl(repository, plan, bounds, settings, refresh=timedelta())
    crawl_shown(crawl, output)
    progress = crawl.progress()
    output.say(progress_line(progress))
    wanted = bounds.pages or (bounds.per_site or 0) * len(plan.seeds)
    if progress.failed or progress.done < wanted:
        raise typer.Exit(ExitCode.FAILED_PAGES)
    return [entry.capture for entry in repository.captures()[before:]]


def _check(repo: Path, output: Output) -> None:
    from webgeist.errors import DamagedError
    from webgeist.repository.check import check

    with output.working("checking"):
        problems = check(repo)
    if problems:
        raise DamagedError(str(problems[0]), remedy=f"webgeist check --repo {repo}")
    output.say("6. Checked: every hash, count and reference in the repository is right.")


def _render_again(repo: Path, url: str, settings: Settings, output: Output) -> None:
    from webgeist.cli.offline import end_of, lines_of, render_again

    report = render_again(repo, url, None, settings, output)
    address, *rest = lines_of(report)
    output.say(f"7. Rendered again from the archive alone: {address}")
    for line in rest:
        output.say(f"- {line}")
    if code := end_of(report):
        raise typer.Exit(code)


def _maps(server: SampleServer) -> Iterator[str]:
    from webgeist.cli.sample_maps import map_lines

    for name in _SITES:
        yield f"The {name}, by its menus:"
        for line in map_lines(server, name):
            yield f"  {line}"


def _serve_on(server: SampleServer, repo: Path, output: Output) -> None:
    address = server.url("portfolio")
    try:
        output.say(f"Sample sites stay at {server.url()} until Ctrl-C; try in another terminal:")
        output.say(f"  ./webgeist crawl {address} --allow-private --depth 1 --repo {repo}")
        output.say(
            f"  ./webgeist capture {address} --allow-private --viewport mobile --repo {repo}"
        )
        output.say(f"  ./webgeist show {address} --blocks blocks.png --repo {repo}")
        output.say(f"  ./webgeist capture --offline {address} --repo {repo}")
        news = server.url(_AGAIN)
        output.say(f"  ./webgeist teach {news} --unimportant --region 1 --repo {repo}")
        output.say(f"  ./webgeist watch --refresh auto --dry-run --repo {repo}")
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:  # the way to end it, so no failure
        output.say("stopped")
