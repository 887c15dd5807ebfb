"""webgeist demo: the whole way, on sample sites that nobody has to set up."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.output import one_line
from webgeist.cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from webgeist.capture.model import Capture
    from webgeist.cli.output import Output
    from webgeist.samples.server import SampleServer

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_PAGES = 12
_SITES = ("shop", "magazine", "manual", "directory", "portfolio", "gallery")


@app.command()
def demo(
    ctx: typer.Context,
    *,
    once: Annotated[
        bool, typer.Option("--once", help="End when all is shown, instead of serving on.")
    ] = False,
    repo: Annotated[
        Path,
        typer.Option("--repo", metavar="DIR", file_okay=False, help="Where the captures go."),
    ] = Path("webgeist-demo"),
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, help="Port of the sample sites; 0 takes any."),
    ] = 0,
) -> None:
    """Serve sample sites on loopback, capture a dozen of their pages, and show what is in them.

    Nothing leaves this machine. Each run adds captures to the folder.

    Example: webgeist demo --once
    """
    from webgeist import blocking
    from webgeist.capture.target import parse_target
    from webgeist.cli.capture import capture_into
    from webgeist.functions import open_capture
    from webgeist.samples.server import serve

    session = session_of(ctx)
    output = session.output
    settings = session.load_settings().settings
    with serve(port) as server:
        output.say(f"sample sites at {server.url()}")
        targets = [parse_target(address) for address in _addresses(server)]
        started = time.monotonic()
        results = blocking.run(capture_into(repo, targets, settings, server.clock.now, output))
        seconds = time.monotonic() - started
        captures = [open_capture(result["folder"]) for result in results]
        output.table(_summary(captures))
        for question, answer in _answers(captures):
            output.data(f"{question} {answer}")
        output.say(f"{len(captures)} pages captured into {repo} in {seconds:.1f} s")
        if not once:
            _serve_on(server, output)


def _addresses(server: SampleServer) -> list[str]:
    """The same dozen pages each time: the first ones of every site, in turns."""
    sites = [site for site in server.web.sites if site.name in _SITES]
    each = _PAGES // len(sites)
    return [server.url(site.name, page) for site in sites for page in site.pages[:each]]


def _serve_on(server: SampleServer, output: Output) -> None:
    output.say(f"the sample sites stay at {server.url()} until Ctrl-C; try in another terminal:")
    output.say(f"  ./webgeist capture {server.url('portfolio')} --viewport mobile")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:  # the way to end it, so no failure
        output.say("stopped")


def _summary(captures: Sequence[Capture]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    table.add_column("page", no_wrap=True, overflow="ellipsis", min_width=16)
    table.add_column("outcome")
    for heading in ("nodes", "styles", "links", "requests", "picture", "ms"):
        table.add_column(heading, justify="right")
    for taken in captures:
        table.add_row(*_row(taken))
    return table


def _row(taken: Capture) -> Iterable[str]:
    info, shot = taken.info, taken.info.screenshot
    styles = taken.page.styles_own.num_rows if taken.page else 0
    return (
        one_line(info.metadata.title if info.metadata and info.metadata.title else info.url),
        str(info.outcome),
        f"{info.nodes:,}",
        f"{styles:,}",
        f"{taken.links.num_rows:,}",
        f"{taken.requests.num_rows:,}",
        f"{shot.width}x{shot.height}" if shot else "",
        f"{sum(info.stages_ms.values()):,.0f}",
    )


def _answers(captures: Sequence[Capture]) -> Iterable[tuple[str, str]]:
    """A first taste of asking: facts that only the rendered pages know."""
    colours, cursors, largest = _tally(captures, "color"), _tally(captures, "cursor"), 0.0
    for taken in captures:
        if taken.page:
            sizes = taken.page.styles_inherited.column("font-size").to_pylist()
            largest = max([largest, *(float(size.removesuffix("px")) for size in sizes)])
    yield "Most used text colours:", ", ".join(list(colours)[:5])
    yield "Different cursors:", ", ".join(one_line(name)[:40] for name in list(cursors)[:12])
    yield "Largest type:", f"{largest:g} px"


def _tally(captures: Sequence[Capture], name: str) -> dict[str, int]:
    """How many rendered nodes have each value of an inherited property, most frequent first."""
    counts: dict[str, int] = {}
    for taken in captures:
        table: Any = taken.page.styles_inherited if taken.page else None
        if table is not None:
            values, nodes = table.column(name).to_pylist(), table.column("nodes").to_pylist()
            for value, count in zip(values, nodes, strict=True):
                counts[value] = counts.get(value, 0) + count
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
