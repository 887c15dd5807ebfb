"""webgeist releases: the published versions of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from webgeist.repository.manifest import Manifest

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def releases(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    remove: Annotated[
        int | None,
        typer.Option("--remove", metavar="N", min=1, help="Remove release N, which is not newest."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the releases of a repository, newest last, or remove an old one.

    Removing one frees what only it needed; no capture is lost, because newer ones have them all.

    Example: webgeist releases --repo my-pages
    """
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    with open_repository(repo, readonly=remove is None) as repository:
        if remove is not None:
            repository.remove_release(remove)
            output.say(f"release {remove} is removed")
        found = [_facts(manifest) for manifest in repository.releases()]
    if as_json:
        output.json({"releases": found})
    elif remove is None:
        for each in found:
            output.data(
                "{release:>6}  {time}  {captures:>9,} captures  {bytes:>15,} bytes".format(**each)
            )


def _facts(manifest: Manifest) -> dict[str, Any]:
    return {
        "release": manifest.release,
        "time": manifest.time.isoformat(timespec="seconds"),
        "captures": manifest.captures,
        "bytes": sum(file.bytes for file in manifest.files()),
        "tables": {name: table.rows for name, table in manifest.tables.items()},
    }
