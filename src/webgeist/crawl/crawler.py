"""Runs a crawl: tabs that visit pages, and one thread that keeps what they bring.

    frontier ──lease──→ tab ──visit──→ brought ──→ keeper (a thread) ──→ repository, frontier

A host is free for its next page as soon as a visit is over; the page itself is known as done when
its captures are on the disk. That happens for several at once, unless somebody waits for it.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from webgeist.undisturbed import undisturbed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from webgeist.crawl.frontier import Frontier, Lease
    from webgeist.crawl.keeper import Result
    from webgeist.crawl.visitor import Visit

_MOST_BROUGHT = 16  # visits that wait to be kept; others wait for them rather than begin
_GATHERED = 8  # visits that are better kept together than each by itself
_GATHER_SECONDS = 1.0


class Visits(Protocol):
    """Visits a page; whatever goes wrong with it is said in what comes back."""

    async def visit(self, lease: Lease) -> Visit: ...


class Keeps(Protocol):
    """Stores visits. `full` says that no more may be stored."""

    full: bool

    def keep(self, visits: Sequence[Visit]) -> list[Result]: ...


class Crawler:
    """One run of so many `visits` at a time. `frontier` opens the frontier in a transaction;
    `on_kept` hears what was stored.
    """

    def __init__(
        self,
        frontier: Callable[[], AbstractContextManager[Frontier]],
        visitor: Visits,
        keeper: Keeps,
        *,
        visits: int,
        clock: Callable[[], float],
        on_kept: Callable[[list[Result]], None] = lambda _: None,
    ) -> None:
        self._frontier = frontier
        self._visitor = visitor
        self._keeper = keeper
        self._visits = visits
        self._clock = clock
        self._on_kept = on_kept
        self._out = 0  # pages that are leased and not yet kept
        self._brought: list[Visit] = []
        self._wanted = asyncio.Event()  # somebody waits for what was brought
        self._over = False  # nobody will bring any more
        self._changed = asyncio.Event()
        self._stop = asyncio.Event()

    def stop(self) -> None:
        """End the run now: visits are broken off, what they have brought is kept."""
        self._stop.set()

    async def run(self, seconds: float | None = None) -> bool:
        """Crawl until there is nothing to visit, `seconds` are over or `stop`; whether the first.

        In the end all that was brought is kept and nothing is leased, also after an error.
        """
        tabs = [asyncio.create_task(self._tab()) for _ in range(self._visits)]
        visiting = asyncio.create_task(asyncio.wait(tabs, return_when=asyncio.FIRST_EXCEPTION))
        stopped = asyncio.create_task(self._stop.wait())
        keeping = asyncio.create_task(self._keep_on())
        try:
            whatever = {visiting, stopped, keeping}
            await asyncio.wait(whatever, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended = all(tab.done() for tab in tabs)
            for task in (visiting, stopped, *tabs):
                task.cancel()
            await asyncio.wait(tabs)
            self._over = True
            self._wanted.set()
            self._tell()
            try:
                await keeping
            finally:
                for visit in self._brought:  # what could not be kept
                    visit.close()
        for tab in tabs:
            if not tab.cancelled():
                tab.result()
        return ended

    # --- visiting ------------------------------------------------------------------------------

    async def _tab(self) -> None:
        while lease := await self._next():
            with self._given_back(lease):
                visit = await self._visitor.visit(lease)
            self._brought.append(visit)
            if len(self._brought) >= _GATHERED:
                self._wanted.set()
            with self._frontier() as frontier:
                ready = visit.ended + visit.judgement.pause
                failures = visit.judgement.host_failures
                frontier.leave(lease, ready, failures=failures, recorder=visit.recorder)
            self._tell()

    async def _next(self) -> Lease | None:
        """The next page to visit; None if there will be none."""
        while not self._keeper.full:
            if len(self._brought) >= _MOST_BROUGHT:
                await self._change(None)
                continue
            with self._frontier() as frontier:
                lease = frontier.lease(self._clock())
                time = None if lease else frontier.next_time()
            if lease:
                self._out += 1
                return lease
            if time is None and not self._out:
                return None
            self._wanted.set()  # its links may lead on
            await self._change(time)
        return None

    @contextmanager
    def _given_back(self, lease: Lease) -> Iterator[None]:
        """If a visit is broken off, it is as if it had never begun."""
        try:
            yield
        except BaseException:
            with self._frontier() as frontier:
                frontier.leave(lease, self._clock(), failures=lease.host_failures)
                frontier.give_back(lease)
            self._out -= 1
            raise

    # --- keeping -------------------------------------------------------------------------------

    async def _keep_on(self) -> None:
        """Keep what is brought, for as long as somebody may bring something."""
        while self._brought or not self._over:
            if self._brought:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wanted.wait(), _GATHER_SECONDS)
                self._wanted.clear()
                await self._keep()
            else:
                await self._change(None)

    async def _keep(self) -> None:
        visits, self._brought = self._brought, []
        try:
            results = await undisturbed(asyncio.to_thread(self._keeper.keep, visits))
        finally:
            for visit in visits:
                visit.close()
        self._out -= len(visits)
        self._on_kept(results)
        self._tell()

    # --- telling each other --------------------------------------------------------------------

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _change(self, time: float | None) -> None:
        """Wait until something has changed, or until a time."""
        seconds = None if time is None else max(0.0, time - self._clock())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), seconds)
