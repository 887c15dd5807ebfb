"""webgeist serve: a repository over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from webgeist.server.running import Address

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def serve(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="127.0.0.1; others need --token-file."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="Port of the API; 0 for any free one."
        ),
    ] = None,
    pages_port: Annotated[
        int | None,
        typer.Option(
            "--pages-port",
            metavar="N",
            min=0,
            max=65535,
            help="Port of the second origin, for captured HTML; 0 for any free one.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="Ask for tokens; see webgeist token."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="STORE", help="Whose rows are @output. [the repository's state.db]"
        ),
    ] = None,
    cors: Annotated[
        str | None,
        typer.Option("--cors", metavar="ORIGINS", help="Origins whose pages may ask the API."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the REST API until Ctrl-C, and print where.

    It reads published releases and changes nothing. Without tokens only this machine can ask.

    Example: webgeist serve --repo my-pages --port 8787
    """
    from webgeist.server.running import serve as run

    session = session_of(ctx)
    output = session.output
    flags: dict[str, object] = {
        "api.host": host,
        "api.port": port,
        "api.pages_port": pages_port,
        "api.token_file": None if token_file is None else str(token_file),
        "api.output": store,
        "api.cors": cors,
    }
    settings = session.load_settings(flags, folder=repo).settings

    def on_listening(address: Address) -> None:
        if as_json:
            output.json({"url": address.url, "pages_url": address.pages_url})
        else:
            output.data(f"{address.url}  the API; openapi.json there describes it")
            output.data(f"{address.pages_url}  the second origin, for captured HTML")
        output.flush()
        output.say("serving until Ctrl-C")

    ended = run(repo, settings, on_listening)
    output.say("stopped")
    if not ended:
        output.flush()
        os._exit(ExitCode.DONE)
