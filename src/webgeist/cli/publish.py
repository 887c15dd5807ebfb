"""webgeist publish: what was captured becomes a release."""

from __future__ import annotations

import time

import typer

from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def publish(ctx: typer.Context, *, repo: RepoOption = HERE, as_json: JsonOption = False) -> None:
    """Make a release of everything that was captured, and print its number.

    A release never changes; readers see the newest one as soon as it is complete. Without anything
    new there is no new release.

    Example: webgeist publish --repo my-pages
    """
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    started = time.monotonic()
    with open_repository(repo) as repository, output.working("publishing"):
        number = repository.publish()
        captures = len(repository.release(number))
    if as_json:
        output.json({"release": number, "captures": captures})
    else:
        output.data(str(number))
    seconds = time.monotonic() - started
    output.say(f"release {number} has {captures:,} captures; {seconds:.1f} s")
