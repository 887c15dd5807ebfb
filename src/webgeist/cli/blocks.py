"""webgeist blocks: the blocks of a type on pages."""

from __future__ import annotations

from typing import Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import session_of
from webgeist.cli.targets import (
    AllowPrivateOption,
    FromOption,
    JsonlOption,
    TargetsArgument,
    UrlOption,
)

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def blocks(
    ctx: typer.Context,
    type_: Annotated[
        str,
        typer.Argument(metavar="TYPE", help="login_form, search_form, pagination, or a folder."),
    ],
    targets: TargetsArgument = None,
    *,
    url: UrlOption = None,
    from_file: FromOption = None,
    repo: RepoOption = HERE,
    allow_private: AllowPrivateOption = None,
    as_jsonl: JsonlOption = False,
) -> None:
    """Find the blocks of a type on pages, each with the decisions that say so.

    Example: webgeist blocks search_form saved.html --url https://example.org/
    """
    from webgeist import blocking
    from webgeist.analyses.blocks.blocktype import block_type
    from webgeist.analyses.blocks.classify import classify_blocks
    from webgeist.cli.paging import Looking, read_wanted
    from webgeist.errors import UsageError

    session = session_of(ctx)
    wanted = read_wanted(targets or [], url, from_file)
    if not wanted:
        raise UsageError("there is nothing to look at", remedy="webgeist blocks --help")
    block_type(type_).trained()
    settings = session.load_settings({"gate.allow_private": allow_private}, folder=repo).settings
    failed = 0
    for one, capture, error in blocking.iterate(Looking(settings, repo).captures(wanted)):
        failed += error is not None
        if capture is None:
            session.output.line({"target": one.target, "error": error})
            continue
        found = [vars(each) for each in classify_blocks(capture, type_)]
        if as_jsonl:
            session.output.line({"target": one.target, "blocks": found})
            continue
        session.output.data(one.target)
        for each in found:
            session.output.data(f"  {each['score']:.2f} {each['xpath']}  {each['reason']}")
    if failed:
        raise typer.Exit(ExitCode.FAILED_PAGES)
