"""Runs a crawl for the command line: shows how it goes, hears Ctrl-C, sums up."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from webgeist import blocking
from webgeist.cli.exits import ExitCode
from webgeist.cli.progress import Display, summary_table
from webgeist.cli.schedule import Schedule
from webgeist.crawl import crawls
from webgeist.crawl.run import Crawl, End, checked_seeds
from webgeist.crawl.scope import Reach
from webgeist.crawl.statements import PageState
from webgeist.errors import UsageError
from webgeist.repository.init import make_if_missing
from webgeist.repository.repository import open_repository
from webgeist.repository.rows import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta
    from pathlib import Path

    from webgeist.analyses.menus.exploring import Exploration
    from webgeist.cli.output import Output
    from webgeist.crawl.plan import Bounds, Plan
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

_SHOWN_SECONDS = 0.5


@dataclass(frozen=True)
class Auto:
    """Pages are visited again by how often they changed."""


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for; without a plan the last crawl goes on, in its bounds."""

    plan: Plan | None
    bounds: Bounds
    refresh: timedelta | Auto | None
    max_failures: int | None


def run_crawl(
    repo: Path, wanted: Wanted, settings: Settings, output: Output, *, as_json: bool
) -> ExitCode:
    """Crawl, publish, and say what there is."""
    if wanted.plan:
        checked_seeds(wanted.plan, settings)
        if make_if_missing(repo):
            output.say(f"made the repository {repo}")
    if not settings.crawl.contact:
        output.warn("crawl.contact is not set: owners of sites cannot tell whom to write to")
    with open_repository(repo) as repository:
        repository.claim()
        plan, bounds = plan_of(repository, wanted)
        guide = _guide(repository, plan)
        when = _when(repository, wanted.refresh, settings, output)
        crawl = Crawl(repository, plan, bounds, settings, guide=guide, **when)
        with stops_on_signal() as stops:
            end = crawl_shown(crawl, output, stops)
        release = publish_shown(repository, output)
        summary = _summary(crawl, end, release)
    if as_json:
        output.json(summary)
    else:
        output.table(summary_table(summary))
    return _exit_code(summary, end, wanted.max_failures)


def plan_of(repository: Repository, wanted: Wanted) -> tuple[Plan, Bounds]:
    """What to do: a new plan, or that of the last crawl with the bounds that are given anew."""
    if wanted.plan is not None:
        return wanted.plan, wanted.bounds
    with repository.transaction() as connection:
        last = crawls.latest(connection)
    if last is None:
        raise UsageError(
            f"there was no crawl into {repository.path}", remedy="name the seeds to begin one"
        )
    given = {name: value for name, value in asdict(wanted.bounds).items() if value is not None}
    return last[0], replace(last[1], **given)


def _when(
    repository: Repository, refresh: timedelta | Auto | None, settings: Settings, output: Output
) -> dict[str, Any]:
    """How a crawl is told when pages are visited again."""
    if not isinstance(refresh, Auto):
        return {"refresh": refresh}
    return {"revisits": Schedule.of(repository, settings, output).seconds}


def _guide(repository: Repository, plan: Plan) -> Exploration | None:
    """Who knows where a site ends: from what there is of it already, and all that will come."""
    stay = plan.rules.reach is Reach.SITE
    if not stay and plan.rules.by_menu is None:
        return None
    from webgeist.analyses.menus.exploring import Exploration

    guide = Exploration(plan.seeds, stay=stay, sample=plan.rules.by_menu)
    hosts = {host_of(seed) for seed in plan.seeds}
    known = {e.url: e.capture for e in repository.captures() if host_of(e.url) in hosts}
    for url, capture in known.items():
        opened = repository.capture(capture)
        guide.add(url, opened)
        opened.close()
    return guide


# --- while it runs -----------------------------------------------------------------------------


class Stops:
    """Hands Ctrl-C over to the loop that a crawl runs in, or to who waits for the next one."""

    def __init__(self) -> None:
        self._crawl: Crawl | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.asked = False

    def belongs_to(self, crawl: Crawl) -> None:
        self._crawl, self._loop = crawl, asyncio.get_running_loop()
        if self.asked:
            crawl.stop()

    def is_over(self) -> None:
        """The crawl has ended, and its loop with it."""
        self._crawl = self._loop = None

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until it is asked to stop; whether it was."""
        end = time.monotonic() + seconds
        while not self.asked and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, _SHOWN_SECONDS))  # an event's lock is not for signal handlers
        return self.asked

    def __call__(self, number: int, _: object) -> None:
        self.asked = True
        signal.signal(number, signal.default_int_handler)  # the second time it ends at once
        if self._crawl is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._crawl.stop)


@contextmanager
def stops_on_signal() -> Iterator[Stops]:
    """The first Ctrl-C or SIGTERM stops the crawl; a second one interrupts everything."""
    stops = Stops()
    before = {number: signal.signal(number, stops) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stops
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def crawl_shown(crawl: Crawl, output: Output, stops: Stops | None = None) -> End:
    """Run a crawl, and show how it goes."""
    return blocking.run(_shown(crawl, output, stops or Stops()))


async def _shown(crawl: Crawl, output: Output, stops: Stops) -> End:
    stops.belongs_to(crawl)
    running = asyncio.create_task(crawl.run())
    with Display(output) as display:
        try:
            while not running.done():
                display.show(crawl.progress(), crawl.hosts(), stopping=stops.asked)
                await asyncio.wait({running}, timeout=_SHOWN_SECONDS)
        finally:
            stops.is_over()
            if not running.done():
                running.cancel()
                await asyncio.wait({running})
    return running.result()


# --- in the end --------------------------------------------------------------------------------


def publish_shown(repository: Repository, output: Output) -> int | None:
    if not len(repository):
        return None
    with output.working("publishing"):
        return repository.publish()


def _summary(crawl: Crawl, end: End, release: int | None) -> dict[str, Any]:
    progress = crawl.progress()
    counts = {field.name: getattr(progress, field.name) for field in fields(progress)}
    return counts | {
        "end": end,
        "release": release,
        "failures": crawl.reasons(PageState.FAILED),
        "skips": crawl.reasons(PageState.SKIPPED),
    }


def _exit_code(summary: dict[str, Any], end: End, max_failures: int | None) -> ExitCode:
    if end is End.STOPPED:
        return ExitCode.INTERRUPTED
    too_many = max_failures is not None and summary["failed"] > max_failures
    if too_many or (summary["failed"] and not summary["done"]):
        return ExitCode.FAILED_PAGES
    return ExitCode.DONE
