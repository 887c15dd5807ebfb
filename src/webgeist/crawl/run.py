"""A crawl from its plan to its end: puts the parts together."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

import webgeist
from webgeist.capture.fetch import Fetcher
from webgeist.capture.memory import stay_small
from webgeist.capture.metric_files import read_metrics
from webgeist.capture.viewport import parse_viewport
from webgeist.crawl import crawls
from webgeist.crawl.addresses import Ignored, parse
from webgeist.crawl.cameras import Cameras
from webgeist.crawl.crawler import Crawler
from webgeist.crawl.crew import Crew
from webgeist.crawl.frontier import Found, Frontier
from webgeist.crawl.keeper import Keeper
from webgeist.crawl.listing import listed_pages
from webgeist.crawl.manners import Manners
from webgeist.crawl.outgoing import Outgoing, Place
from webgeist.crawl.progress import Progress, Tally, busy_hosts, queued, reasons
from webgeist.crawl.revisits import Bounds as Revisiting
from webgeist.crawl.revisits import is_due
from webgeist.crawl.scope import Scope, Step
from webgeist.crawl.statements import PageState
from webgeist.crawl.visitor import Visitor
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta

    import sqlalchemy as sa

    from webgeist.crawl.addresses import Address
    from webgeist.crawl.outgoing import Guide
    from webgeist.crawl.plan import Bounds, Plan
    from webgeist.crawl.progress import HostState
    from webgeist.crawl.revisits import Seconds
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


class End(StrEnum):
    """Why a run ended."""

    COMPLETE = "complete"  # nothing is left to visit
    PAGES = "pages"  # as many pages as were asked for
    TIME = "time"
    SIZE = "size"
    STOPPED = "stopped"


class Crawl:
    """A crawl into a repository: begun, or gone on with where the last one had the same plan.

    `refresh`: pages that were visited longer ago than this are visited again, and those of which a
    sitemap says that they have changed since. `revisits` says it for each page instead: how many
    seconds after its last visit it is due. A `guide` says where a site ends. `run` it once.
    """

    def __init__(
        self,
        repository: Repository,
        plan: Plan,
        bounds: Bounds,
        settings: Settings,
        *,
        refresh: timedelta | None = None,
        revisits: Seconds | None = None,
        clock: Callable[[], float] = time.time,
        guide: Guide | None = None,
    ) -> None:
        self._repository = repository
        self._guide = guide
        self._plan = plan
        self._bounds = bounds
        self._settings = settings
        self._clock = clock
        self._began = clock()
        self._older_than = self._began - refresh.total_seconds() if refresh is not None else 0.0
        self._revisits = revisits
        if revisits is not None:  # for pages of earlier crawls
            self._older_than = self._began - Revisiting().first
        self._seeds = checked_seeds(plan, settings)
        self._crawler: Crawler | None = None
        self._stopped = False
        self._tally = Tally()
        with repository.transaction() as connection:
            self._number = crawls.begin(connection, plan, bounds, self._began)
            self._begin(connection)

    def _begin(self, connection: sa.Connection) -> None:
        if self._revisits is not None:
            crawls.visit_again(connection, self._number, self._due(connection, self._revisits))
        elif self._older_than:
            crawls.refresh(connection, self._number, self._older_than)
        crawls.resume(connection, self._number, per_site=self._bounds.per_site)
        frontier = self._open(connection)
        frontier.add([Found(seed, Step()) for seed in self._seeds], older_than=self._older_than)
        starts = map(parse, crawls.starts(connection, self._number))
        scope = Scope(self._plan.rules, [start for start in starts if start is not None])
        self._outgoing = Outgoing(scope, self._settings.crawl, self._guide)
        self._count(frontier)

    def _due(self, connection: sa.Connection, seconds: Seconds) -> list[str]:
        """The pages whose time has come."""
        visited = crawls.visits(connection, self._number)
        return [url for url, time in visited.items() if is_due(time, seconds(url), self._began)]

    def _count(self, frontier: Frontier) -> None:
        self._tally.pages = Counter(frontier.counts())
        self._tally.bytes = frontier.bytes

    def _open(self, connection: sa.Connection) -> Frontier:
        return Frontier(
            connection, self._number, pages=self._bounds.pages, per_site=self._bounds.per_site
        )

    @contextmanager
    def _frontier(self) -> Iterator[Frontier]:
        """The frontier, for changes that may be lost: a page that is leased is still to be done."""
        with self._repository.transaction(durable=False) as connection:
            yield self._open(connection)

    # --- running -------------------------------------------------------------------------------

    async def run(self) -> End:
        """Crawl until nothing is left, a bound is reached or `stop`."""
        stay_small()
        settings, clock = self._settings, self._clock
        signature = user_agent(settings)
        fetcher = Fetcher(settings, signature)
        manners = Manners(fetcher, lambda: self._repository.transaction(durable=False), clock)
        async with self._captures(signature) as captures:
            obeyed = manners if settings.crawl.robots else None
            visitor = Visitor(captures, obeyed, self._plan, settings.crawl, clock)
            keeper = Keeper(
                self._repository,
                self._open,
                self._outgoing,
                older_than=self._older_than,
                most_bytes=self._bounds.bytes,
                publish_seconds=settings.crawl.publish_seconds,
            )
            self._crawler = Crawler(
                self._frontier,
                visitor,
                keeper,
                visits=settings.crawl.workers * (settings.crawl.tabs + 1),  # one is decoded
                clock=clock,
                on_kept=self._tally.add,
            )
            if self._plan.sitemaps:
                await self._add_listed(manners, fetcher)
            if self._stopped:
                self._crawler.stop()
            ended = await self._crawler.run(self._seconds_left())
        return self._end(ended=ended, full=keeper.full)

    def _end(self, *, ended: bool, full: bool) -> End:
        if full:
            return End.SIZE
        if not ended:
            return End.STOPPED if self._stopped else End.TIME
        with self._frontier() as frontier:
            bounded = self._bounds.pages is not None and frontier.taken >= self._bounds.pages
        return End.PAGES if bounded and self.progress().queued else End.COMPLETE

    def _captures(self, signature: str) -> Cameras | Crew:
        """One worker is this process itself."""
        layout, workers = self._repository.layout, self._settings.crawl.workers
        metrics = read_metrics(layout.metrics, self._settings.limits)
        if workers == 1:
            return Cameras(self._settings, layout.certificates, signature, metrics)
        return Crew(self._settings, layout.certificates, signature, workers, metrics)

    def stop(self) -> None:
        """End the run soon, with everything saved. To be called in the loop that it runs in."""
        self._stopped = True
        if self._crawler is not None:
            self._crawler.stop()

    def _seconds_left(self) -> float | None:
        if self._bounds.seconds is None:
            return None
        return max(0.0, self._began + self._bounds.seconds - self._clock())

    async def _add_listed(self, manners: Manners, fetcher: Fetcher) -> None:
        """Make the pages known that the sitemaps of the seeds' hosts list."""
        for origin, seed in {seed.origin: seed for seed in reversed(self._seeds)}.items():
            robots = await manners.of(origin)
            entries = await listed_pages(origin, robots, fetcher, self._settings.crawl)
            with self._repository.transaction() as connection:
                frontier = self._open(connection)
                place = Place(frontier.page_of(seed), seed, Step())
                judged = self._outgoing.judge((entry.url for entry in entries), place)
                found = [page for page in judged if isinstance(page, Found)]
                crowded = frontier.crowded(found, self._outgoing.same_shape)
                frontier.add(
                    (page for page in found if page.address.url not in crowded),
                    older_than=self._older_than,
                )
                changed = [
                    (page.address.url, entry.changed.timestamp())
                    for page, entry in zip(judged, entries, strict=True)
                    if isinstance(page, Found) and entry.changed and self._older_than
                ]
                if crawls.visit_changed(connection, self._number, changed):
                    crawls.resume(connection, self._number, per_site=self._bounds.per_site)
                    self._count(frontier)

    # --- how it goes ---------------------------------------------------------------------------

    def progress(self) -> Progress:
        with self._repository.transaction(durable=False) as connection:
            waiting = queued(connection)
        pages = self._tally.pages
        return Progress(
            done=pages[PageState.DONE],
            failed=pages[PageState.FAILED],
            skipped=pages[PageState.SKIPPED],
            queued=waiting,
            bytes=self._tally.bytes,
            visited=self._tally.visited,
            seconds=self._clock() - self._began,
        )

    def hosts(self) -> list[HostState]:
        """What goes on at the hosts that have something to do."""
        with self._repository.transaction(durable=False) as connection:
            return busy_hosts(connection, self._clock())

    def reasons(self, state: PageState) -> dict[str, int]:
        """Why pages came to a state, and how many."""
        with self._repository.transaction(durable=False) as connection:
            return reasons(connection, self._number, state)


def checked_seeds(plan: Plan, settings: Settings) -> list[Address]:
    """The seeds of a plan. UsageError where it cannot be carried out."""
    Scope(plan.rules)
    for viewport in plan.viewports:
        parse_viewport(viewport)
    ignored = Ignored(settings.crawl.ignored_parameters.split())
    addresses = []
    for seed in plan.seeds:
        address = parse(seed, ignored)
        if address is None:
            raise UsageError(f"{seed!r} is no address of a page", remedy="https://example.org/")
        addresses.append(address)
    return addresses


def user_agent(settings: Settings) -> str:
    """How a crawl signs its requests: who it is, and where its owner can be reached."""
    contact = settings.crawl.contact
    return f"webgeist/{webgeist.__version__}" + (f" (+{contact})" if contact else "")
