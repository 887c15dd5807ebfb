"""webgeist pagination: which links lead to the other pages of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.cli.paging import Answer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def pagination(
    ctx: typer.Context,
    targets: TargetsArgument = None,
    *,
    url: UrlOption = None,
    from_file: FromOption = None,
    repo: RepoOption = HERE,
    allow_private: AllowPrivateOption = None,
    as_jsonl: JsonlOption = False,
) -> None:
    """Find the links that lead to the other pages of the list that a page shows.

    Each link has a label (next, page, previous, first, last, load-more), whether it leads to the
    page that follows this one, and the reason. A saved file is rendered under --url, and nothing is
    fetched for it. All targets share one browser; one that fails is told, and the others go on:
    exit code 3 then.

    Example: webgeist pagination https://example.org/news --jsonl

    Example: webgeist pagination saved.html --url https://example.org/list?page=2
    """
    from webgeist import blocking
    from webgeist.cli.paging import answers, read_wanted
    from webgeist.errors import UsageError

    session = session_of(ctx)
    wanted = read_wanted(targets or [], url, from_file)
    if not wanted:
        raise UsageError("there is nothing to look at", remedy="webgeist pagination --help")
    settings = session.load_settings({"gate.allow_private": allow_private}, folder=repo).settings
    failed = 0
    for answer in blocking.iterate(answers(wanted, settings, repo)):
        failed += answer.error is not None
        _print(session.output, answer, as_jsonl=as_jsonl)
    session.output.flush()
    if failed:
        session.output.say(f"{failed} of {len(wanted)} targets failed")
        raise typer.Exit(ExitCode.FAILED_PAGES)


def _print(output: Output, answer: Answer, *, as_jsonl: bool) -> None:
    if as_jsonl:
        output.line(answer.to_dict())
        return
    if answer.error is not None:
        output.warn(f"{answer.target}: {answer.error}")
        return
    output.data(answer.target)
    for link in answer.links:
        mark = "*" if link["immediate"] else " "
        output.data(
            f"{mark} {link['label']:9} {link['text'][:30]:30} {link['href'] or link['xpath']}"
        )
        output.data(f"{'':12}{link['reason']}")
    if not answer.links:
        output.data("  no pagination")
    if answer.infinite_scroll:
        output.data(f"  goes on when scrolled to {answer.infinite_scroll}")
