"""Runs a scraping program for the command line: shows how it goes, and sums up."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from webgeist import blocking
from webgeist.cli.exits import ExitCode
from webgeist.scrape.program.browsing import Browsing
from webgeist.scrape.program.running import Runner
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.cli.output import Output
    from webgeist.scrape.program.model import Program, Step
    from webgeist.scrape.program.running import Tally
    from webgeist.scrape.session import Counts
    from webgeist.settings import Settings

_LINE_SECONDS = 5.0
_TOLD = 20  # failures that are listed


def run_program(
    program: Program, store: str, settings: Settings, output: Output, *, as_json: bool
) -> ExitCode:
    """Run a program to its end, and say what came of it."""
    began = time.monotonic()
    tally, loads, counts = blocking.run(_walk(program, store, settings, output))
    facts = {
        "program": program.name,
        "store": store,
        "rows": counts.rows,
        "blocks": counts.committed,
        "skipped": counts.skipped,
        "pages": loads,
        "failures": tally.failures,
        "seconds": round(time.monotonic() - began, 1),
    }
    if as_json:
        output.json(facts)
    else:
        output.say(
            f"{_counted(counts)}, {loads} pages, {len(tally.failures)} failures; "
            f"{facts['seconds']} s; in {store}"
        )
    for failure in tally.failures[:_TOLD]:
        output.warn(failure)
    return ExitCode.FAILED_PAGES if tally.failures else ExitCode.DONE


class _UnfinishedError(Exception):
    """Blocks were left: the run is none that reached its end, and the next one goes on."""


async def _walk(
    program: Program, store: str, settings: Settings, output: Output
) -> tuple[Tally, int, Counts]:
    run = Run(program.name, store=store)
    async with Browsing(settings, program.viewport) as browsing:
        runner = Runner(run, browsing, on_step=_teller(run, browsing, output))
        with suppress(_UnfinishedError):
            async with run:
                await runner.walk(program)
                if runner.tally.failures:
                    raise _UnfinishedError
    return runner.tally, browsing.loads, run.counts


def _teller(run: Run, browsing: Browsing, output: Output) -> Callable[[Step], None]:
    """Says every few seconds how it goes."""
    said = time.monotonic()

    def tell(_step: Step) -> None:
        nonlocal said
        if time.monotonic() - said > _LINE_SECONDS:
            said = time.monotonic()
            output.say(f"{_counted(run.counts)}, {browsing.loads} pages")

    return tell


def _counted(counts: Counts) -> str:
    return f"{counts.rows} rows, {counts.committed} blocks done, {counts.skipped} skipped"
