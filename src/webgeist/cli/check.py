"""webgeist check: verifies a repository, and repairs it."""

from __future__ import annotations

from typing import Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def check(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Mend what can be mended; damaged things are moved aside."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Verify every hash, count and reference of a repository, and the digests of its archive.

    A sound repository gives no output. Otherwise each problem is a line, and the exit code is 7.
    With --repair, damaged things go to damaged/ in the repository, and what is left works again.

    Example: webgeist check --repo my-pages
    """
    from webgeist.repository.check import check as find_problems
    from webgeist.repository.repair import repair as mend

    output = session_of(ctx).output
    with output.working("checking"):
        found = find_problems(repo)
        done = mend(repo) if repair and found else []
        left = find_problems(repo) if done else found
    for sentence in done:
        output.say(sentence)
    if as_json:
        problems = [
            {"part": each.part, "path": str(each.path), "message": each.message} for each in left
        ]
        output.json({"sound": not left, "repaired": done, "problems": problems})
    else:
        for each in left:
            output.data(str(each))
    if left:
        if not repair:
            output.say("webgeist check --repair mends what can be mended")
        raise typer.Exit(ExitCode.DAMAGED)
