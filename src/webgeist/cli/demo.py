"""webgeist demo: the whole way, on sample sites that nobody has to set up."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.session import session_of

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.samples.server import SampleServer
    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_PAGES = 12
_SITES = ("shop", "magazine", "manual", "directory", "portfolio", "gallery")
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
    """Serve sample sites on loopback, record a dozen of their pages, and show what is in them.

    The pages go into a repository with everything they were sent; that is published and checked,
    and one page is rendered again from the archive alone. Nothing leaves this machine. Each run
    adds captures and a release to the repository.

    Example: webgeist demo --once
    """
    from webgeist.samples.server import serve

    session = session_of(ctx)
    output = session.output
    settings = session.load_settings({"gate.allow": _HERE}, folder=repo).settings
    with serve(port) as server:
        started = time.monotonic()
        output.say(f"1. Sample sites are at {server.url()}; nothing leaves this machine.")
        _walk(server, repo, settings, output)
        output.say(f"All of that took {time.monotonic() - started:.1f} s and is in {repo}.")
        if not once:
            _serve_on(server, repo, output)


def _walk(server: SampleServer, repo: Path, settings: Settings, output: Output) -> None:
    """Everything that there is to see, step by step; what was found comes at the end."""
    from webgeist.cli.exhibition import answers, summary_table
    from webgeist.repository.repository import open_repository

    ids = _record(server, repo, settings, output)
    _publish(repo, output)
    _check(repo, output)
    _render_again(repo, server.url(_AGAIN), settings, output)
    with open_repository(repo, readonly=True) as repository:
        captures = [repository.capture(id_) for id_ in ids]
        output.table(summary_table(captures))
        for question, answer in answers(captures):
            output.data(f"{question} {answer}")


def _record(server: SampleServer, repo: Path, settings: Settings, output: Output) -> list[str]:
    from webgeist import blocking
    from webgeist.capture.target import parse_target
    from webgeist.cli.capturing import capture_into_repository
    from webgeist.cli.summary import exit_code

    targets = [parse_target(address) for address in _addresses(server)]
    output.say(f"2. Recording {len(targets)} pages, with every request and answer:")
    clock = server.clock.now
    results: list[dict[str, Any]] = blocking.run(
        capture_into_repository(repo, targets, settings, clock, output)
    )
    if code := exit_code([result for result in results if not result["ok"]]):
        raise typer.Exit(code)
    return [result["capture"] for result in results]


def _addresses(server: SampleServer) -> list[str]:
    """The same dozen pages each time: the first ones of every site, in turns."""
    sites = [site for site in server.web.sites if site.name in _SITES]
    each = _PAGES // len(sites)
    return [server.url(site.name, page) for site in sites for page in site.pages[:each]]


def _publish(repo: Path, output: Output) -> None:
    from webgeist.repository.repository import open_repository

    with open_repository(repo) as repository, output.working("publishing"):
        number = repository.publish()
        captures = len(repository.release(number))
    output.say(f"3. Published as release {number}, which has {captures:,} captures for ever.")


def _check(repo: Path, output: Output) -> None:
    from webgeist.errors import DamagedError
    from webgeist.repository.check import check

    with output.working("checking"):
        problems = check(repo)
    if problems:
        raise DamagedError(str(problems[0]), remedy=f"webgeist check --repo {repo}")
    output.say("4. Checked: every hash, count and reference in the repository is right.")


def _render_again(repo: Path, url: str, settings: Settings, output: Output) -> None:
    from webgeist.cli.offline import end_of, lines_of, render_again

    report = render_again(repo, url, None, settings, output)
    address, *rest = lines_of(report)
    output.say(f"5. Rendered again from the archive alone: {address}")
    for line in rest:
        output.say(f"- {line}")
    if code := end_of(report):
        raise typer.Exit(code)


def _serve_on(server: SampleServer, repo: Path, output: Output) -> None:
    address = server.url("portfolio")
    output.say(f"The sample sites stay at {server.url()} until Ctrl-C; try in another terminal:")
    output.say(f"  ./webgeist capture {address} --allow-private --viewport mobile --repo {repo}")
    output.say(f"  ./webgeist capture --offline {address} --repo {repo}")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:  # the way to end it, so no failure
        output.say("stopped")
