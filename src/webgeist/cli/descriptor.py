"""webgeist descriptor: what the numbers of a descriptor mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.analyses.features.layout import Layout

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def descriptor() -> None:
    """What the 1,679 numbers of a block's descriptor mean in a repository.

    Example: webgeist descriptor explain 40 --repo my-pages
    """


@app.command()
def explain(
    ctx: typer.Context,
    places: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER...", help="Places in the descriptor, from 0; else all."),
    ] = None,
    *,
    repo: RepoOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Say what places in a descriptor stand for, by the layout of the newest descriptors.

    Example: webgeist descriptor explain 0 700 1678 --repo my-pages
    """
    from webgeist.analyses.features.layout import LENGTH
    from webgeist.errors import UsageError

    output = session_of(ctx).output
    wanted = places or list(range(LENGTH))
    wrong = [place for place in wanted if not 0 <= place < LENGTH]
    if wrong:
        raise UsageError(f"a descriptor has no place {wrong[0]}", remedy=f"0 to {LENGTH - 1}")
    layout = _layout(repo)
    said = {place: layout.explain(place) for place in wanted}
    if as_json:
        facts = {"layout": layout.version, "captures": layout.captures}
        output.json(facts | {"places": {str(place): text for place, text in said.items()}})
        return
    for place, text in said.items():
        output.data(f"{place:>5}  {text}")


def _layout(repo: Path) -> Layout:
    from webgeist.engines.models import layout_of, read_layout
    from webgeist.errors import NotFoundError
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        version = layout_of(repository.analysis_versions().get("descriptors"))
    if version is None:
        raise NotFoundError(f"{repo} has no descriptors yet", remedy="webgeist analyse")
    return read_layout(repo, version)
