"""webgeist stats: how a repository looks as a whole."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.query.stats import Stats

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Name(StrEnum):
    """The sides of a design."""

    COLOURS = "colours"
    FONTS = "fonts"
    SIZES = "sizes"
    CURSORS = "cursors"
    TAGS = "tags"
    CLASSES = "classes"
    LAYOUT = "layout"
    COMPLEXITY = "complexity"


@app.command()
def stats(
    ctx: typer.Context,
    name: Annotated[Name, typer.Argument(metavar="NAME", help="What of: see above.")],
    *,
    repo: RepoOption = HERE,
    release: Annotated[
        int | None,
        typer.Option("--release", metavar="N", min=1, help="This release; else the newest."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", dir_okay=False, help="Draw it: .png, .svg, .html or .json."
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="Values listed.")] = 40,
    as_json: JsonOption = False,
) -> None:
    """Count colours, fonts, sizes, cursors, tags, classes, layout or complexity of all pages.

    Pictures need the extra `plots`. What is counted stands in docs/query-language.md.

    Example: webgeist stats colours --repo my-pages --plot colours.png
    """
    from webgeist.query.gallery import gallery
    from webgeist.query.pictures import save
    from webgeist.query.stats import stats as count
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    with (
        open_repository(repo, readonly=True) as repository,
        repository.release(release) as opened,
        output.working("counting"),
    ):
        found = count(opened, name.value, limit=limit)
        if plot is not None:
            save(found, plot, gallery(repository, opened, found.named()))
    if plot is not None:
        output.data(str(plot))
    elif as_json:
        _print_json(output, found)
    else:
        _print(output, found)


def _print_json(output: Output, found: Stats) -> None:
    output.json(
        {
            "name": found.name,
            "release": found.release,
            "panels": [
                {"title": panel.title, "unit": panel.unit, "rows": panel.table.to_pylist()}
                for panel in found.panels
            ],
        }
    )


def _print(output: Output, found: Stats) -> None:
    from webgeist.cli.answers import answer_table
    from webgeist.query.stats import Form

    for panel in found.panels:
        if panel.form is not Form.MAP:  # which is for --plot
            output.data(f"{panel.title}:")
            output.table(answer_table(panel.table))
