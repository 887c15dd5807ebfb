"""webgeist init: an empty repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgeist.cli.session import session_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def init(
    ctx: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="[DIR]", help="The folder; it must be new or empty.")
    ] = Path(),
) -> None:
    """Make an empty repository: a folder that keeps captures, releases and everything made of them.

    A webgeist.toml that is in the folder already becomes the repository's settings.

    Example: webgeist init my-pages
    """
    from webgeist.repository.init import init_repository

    made = init_repository(folder)
    session_of(ctx).output.say(f"{made.absolute()} is an empty repository")
