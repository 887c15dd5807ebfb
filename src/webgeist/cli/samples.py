"""webgeist samples: the sample web for everybody to look at."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.samples.server import SampleServer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def samples() -> None:
    """A small web of our own on loopback.

    Example: webgeist samples serve --port 8000
    """


@app.command()
def serve(
    ctx: typer.Context,
    *,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            show_default=False,
            help="Port on 127.0.0.1; any free one when not given.",
        ),
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Serve the sample web until Ctrl-C, and print its addresses.

    Example: webgeist samples serve --port 8000
    """
    from webgeist.samples.server import serve as serve_samples

    output = session_of(ctx).output
    try:
        with serve_samples(port) as server:
            _print_addresses(server, output, as_json=as_json)
            output.say("serving until Ctrl-C")
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:  # the way to end it, so no failure
        output.say("stopped")


def _print_addresses(server: SampleServer, output: Output, *, as_json: bool) -> None:
    sites = [
        {"name": site.name, "title": site.title, "url": server.url(site.name)}
        for site in server.web.sites
    ]
    if as_json:
        output.json({"port": server.port, "url": server.url(), "sites": sites})
        return
    for address, title in [(server.url(), "all sites"), *((s["url"], s["title"]) for s in sites)]:
        output.data(f"{address}  {title}")
    output.flush()
