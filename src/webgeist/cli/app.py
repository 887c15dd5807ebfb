"""The root command: the global options, and the list of all commands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
import typer.main

from webgeist import __version__
from webgeist.cli.exits import ExitCode
from webgeist.cli.lazy import LazyCommand
from webgeist.cli.logs import configure_logs
from webgeist.cli.output import Output
from webgeist.cli.session import session_of

if TYPE_CHECKING:
    from typer.core import TyperGroup

# One line per command, in the order of the work: name, module with `app`, what the list says.
COMMANDS = (
    LazyCommand("demo", "webgeist.cli.demo", "See what webgeist does, on sample sites."),
    LazyCommand("init", "webgeist.cli.init", "Make an empty repository."),
    LazyCommand("capture", "webgeist.cli.capture", "Load pages and keep everything seen."),
    LazyCommand("crawl", "webgeist.cli.crawl", "Follow links from seeds, into a repository."),
    LazyCommand("analyse", "webgeist.cli.analyse", "See what captures mean: blocks, features."),
    LazyCommand("menus", "webgeist.cli.menus", "The menus that pages share."),
    LazyCommand("sites", "webgeist.cli.sites", "Where sites begin and end, and their maps."),
    LazyCommand("pagination", "webgeist.cli.pagination", "Links to the other pages of a list."),
    LazyCommand("blocks", "webgeist.cli.blocks", "Blocks of a type, such as search forms."),
    LazyCommand("train", "webgeist.cli.train", "Learn a block type from labelled pages."),
    LazyCommand("changes", "webgeist.cli.changes", "What really changed on a page."),
    LazyCommand("teach", "webgeist.cli.teach", "Say which changes of a page are important."),
    LazyCommand("watch", "webgeist.cli.watch", "Look at pages again, and tell what changed."),
    LazyCommand("publish", "webgeist.cli.publish", "Make a release of what was captured."),
    LazyCommand("releases", "webgeist.cli.releases", "The published versions of a repository."),
    LazyCommand("query", "webgeist.cli.query", "Ask a repository anything, in DQL."),
    LazyCommand("stats", "webgeist.cli.stats", "How a repository looks: colours, fonts, layout."),
    LazyCommand("show", "webgeist.cli.show", "What is known of a capture or a node."),
    LazyCommand("descriptor", "webgeist.cli.descriptor", "What a descriptor's numbers mean."),
    LazyCommand("scrape", "webgeist.cli.scrape", "Rows of scrapers, and their keys."),
    LazyCommand("export", "webgeist.cli.export", "Tables, pictures, or a WACZ file."),
    LazyCommand("serve", "webgeist.cli.serve", "The REST API over a repository."),
    LazyCommand("token", "webgeist.cli.token", "Make a token for the REST API."),
    LazyCommand("check", "webgeist.cli.check", "Verify a repository, and repair it."),
    LazyCommand("doctor", "webgeist.cli.doctor", "See whether everything needed is there."),
    LazyCommand("samples", "webgeist.cli.samples", "A small web of our own on loopback."),
    LazyCommand("config", "webgeist.cli.config", "The settings and where each comes from."),
)

app = typer.Typer(
    name="webgeist",
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help: half the start time of Rich's panels, and pipes well
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"webgeist {__version__}")
        raise typer.Exit


@app.callback()
def webgeist(
    ctx: typer.Context,
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Say which version."
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only data, warnings and errors.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say more; show tracebacks.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            dir_okay=False,
            help="Settings file; else webgeist.toml in the current folder.",
        ),
    ] = None,
) -> None:
    """Turn rendered web pages into data.

    Data goes to stdout, everything else to stderr; exit codes are in the reference.
    Colours follow NO_COLOR.

    Example: webgeist config show --origin
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(ExitCode.USAGE)
    session = session_of(ctx)
    session.output = Output(quiet=quiet, verbose=verbose)
    session.config = config
    configure_logs(os.environ, quiet=quiet, verbose=verbose)


def root_command() -> TyperGroup:
    """The whole command line, for running and for the reference."""
    group = cast("TyperGroup", typer.main.get_command(app))
    for command in COMMANDS:
        group.add_command(command)
    return group
