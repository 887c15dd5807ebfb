"""Runs a scraping program for the command line: shows how it goes, and sums up."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from webgeist import blocking
from webgeist.cli.exits import ExitCode
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.cli.output import Output
    from webgeist.scrape.program.launching import Launch
    from webgeist.scrape.program.testing import Tested
    from webgeist.scrape.session import Counts
    from webgeist.settings import Settings

_LINE_SECONDS = 5.0
_TOLD = 20  # failures and rows that are listed


def run_program(launch: Launch, output: Output, *, as_json: bool) -> ExitCode:
    """Run a program to its end, and say what came of it."""
    began = time.monotonic()
    done = blocking.run(launch.walk(_teller(output)))
    facts = {
        "program": launch.program.name,
        "store": launch.store,
        "run": done.run,
        "rows": done.counts.rows,
        "blocks": done.counts.committed,
        "skipped": done.counts.skipped,
        "pages": done.loads,
        "failures": done.failures,
        "seconds": round(time.monotonic() - began, 1),
    }
    if as_json:
        output.json(facts)
    else:
        output.say(
            f"{_counted(done.counts)}, {done.loads} pages, {len(done.failures)} failures; "
            f"{facts['seconds']} s; in {launch.store}"
        )
    for failure in done.failures[:_TOLD]:
        output.warn(failure)
    return ExitCode.FAILED_PAGES if done.failures else ExitCode.DONE


def tell_test(tested: Tested, output: Output, *, as_json: bool) -> ExitCode:
    """Say how a program did on kept pages."""
    if as_json:
        output.json({"passed": tested.passed} | asdict(tested))
    else:
        for sign, rows in (("-", tested.lost), ("+", tested.added)):
            for row in rows[:_TOLD]:
                output.data(f"{sign} {row}")
    edited = "; the program was changed since" if tested.edited else ""
    output.say(
        f"run {tested.run} on its own pages: {tested.same} rows the same, "
        f"{len(tested.lost)} lost, {len(tested.added)} added{edited}"
    )
    for failure in (*filter(None, [tested.trouble]), *tested.failures[:_TOLD]):
        output.warn(failure)
    for address in tested.not_kept[:_TOLD]:
        output.warn(f"not among the pages that were kept: {address}")
    return ExitCode.DONE if tested.passed else ExitCode.CHANGED


def features_at(url: str, selector: str, settings: Settings) -> dict[str, str]:
    """The features of the first element that a selector means on a page, several classes as one."""
    from webgeist.capture.take import capture
    from webgeist.scrape.program.selecting import Selectable
    from webgeist.scrape.relations.addresses import address_of

    taken = blocking.run(capture(url, settings=settings))
    try:
        if taken.page is None:
            raise NotFoundError(f"{url}: {taken.info.outcome}: {taken.info.reason}")
        found = Selectable(taken.page).select(selector)
        if not found:
            raise NotFoundError(f"{selector!r} is not on {url}")
        features: dict[str, str] = {}
        for kind, value in address_of(taken.page, found[0]).features:
            features[kind] = f"{features[kind]} {value}" if kind in features else value
        return features
    finally:
        taken.close()


def address_lines(features: dict[str, str]) -> list[str]:
    """As a program has them."""
    import yaml

    return yaml.safe_dump(features, sort_keys=False, allow_unicode=True).splitlines()


def _teller(output: Output) -> Callable[[Counts, int], None]:
    """Says every few seconds how it goes."""
    said = time.monotonic()

    def tell(counts: Counts, loads: int) -> None:
        nonlocal said
        if time.monotonic() - said > _LINE_SECONDS:
            said = time.monotonic()
            output.say(f"{_counted(counts)}, {loads} pages")

    return tell


def _counted(counts: Counts) -> str:
    return f"{counts.rows} rows, {counts.committed} blocks done, {counts.skipped} skipped"
