"""webgeist token: who may ask the REST API."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from webgeist.cli.session import JsonOption, session_of

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class ScopeName(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@app.command()
def token(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", dir_okay=False, help="Made where it is missing.")
    ],
    *,
    scope: Annotated[
        ScopeName, typer.Option("--scope", help="What the token is good for.")
    ] = ScopeName.READ,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Whose it is, for you to remember.")
    ] = "anybody",
    as_json: JsonOption = False,
) -> None:
    """Make a token, add its hash to a file, and print it, once.

    Take a line out of the file, and that token is no longer good: a running server sees it.

    Example: webgeist token tokens.txt --scope read --name alice
    """
    from webgeist.server.tokens import Scope, add_token

    output = session_of(ctx).output
    made = add_token(file, Scope[scope.name], name)
    if as_json:
        output.json({"token": made, "scope": scope.value, "name": name})
    else:
        output.data(made)
    output.say(f"{file} has its hash only: this is the last time that anybody sees it")
