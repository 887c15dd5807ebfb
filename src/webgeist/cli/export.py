"""webgeist export: a repository in a form that other tools open."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from webgeist.cli.session import JsonOption, session_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def export(
    ctx: typer.Context,
    repo: Annotated[Path, typer.Argument(metavar="REPO", help="The repository.")],
    *,
    wacz: Annotated[
        Path,
        typer.Option("--wacz", metavar="FILE", help="The file to write; it must not exist."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Write everything that was recorded, published or not, into one WACZ file, and print its name.

    ReplayWeb.page and other replay tools open such files. Every record is verified on the way.

    Example: webgeist export my-pages --wacz my-pages.wacz
    """
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    started = time.monotonic()
    with open_repository(repo, readonly=True) as repository:
        with output.working("exporting") as stage:
            repository.export_wacz(wacz, on_file=stage)
        captures = len(repository)
    size = wacz.stat().st_size
    if as_json:
        output.json({"file": str(wacz), "bytes": size, "captures": captures})
    else:
        output.data(str(wacz))
    seconds = time.monotonic() - started
    output.say(f"{captures:,} captures, {size:,} bytes; {seconds:.1f} s")
