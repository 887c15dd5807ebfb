"""Where pages are loaded: tabs with a context and a way out of their own, of a browser that is
there when it is needed and replaced when it dies or has grown too large.

A place is made for one page, or kept for more pages of the same site, one after the other. Then
they share what Chromium has cached of it, and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webgeist.capture.browser import NOWHERE, Browser
from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.exchange import Attendant
from webgeist.capture.growth import Growth, Need
from webgeist.capture.memory import tree_bytes
from webgeist.capture.recall import Recall
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from webgeist.capture.exchange import Recorder, Slot
    from webgeist.capture.tab import Tab
    from webgeist.capture.target import Target
    from webgeist.capture.viewport import Viewport
    from webgeist.settings import Settings

_log = logging.getLogger(__name__)
_MEASURE_SECONDS = 2.0  # between two looks at a browser's memory
_MOST_PAGES = 100  # in one place, whatever they leave behind

# Behind a way out of ours Chromium needs no name: hints to look one up early must not leave either.
_NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@dataclass(eq=False)
class Place:
    """A tab, its browser and its way out. Whoever finds that a page left it unfit says so."""

    browser: Browser
    tab: Tab
    slot: Slot | None
    use: tuple[str, Viewport] | None  # what it may be kept for: pages of a site, seen alike
    held: AsyncExitStack
    recall: Recall | None = None  # of one that is to be kept
    fit: bool = False
    pages: int = 0
    clearing: int = 0  # the last one that it took part in
    tidy: bool = False  # no page since then

    @property
    def usable(self) -> bool:
        """Whether it can have another page."""
        if self.recall is None or self.recall.full or self.pages >= _MOST_PAGES:
            return False
        return self.fit and self.browser.alive

    async def close(self) -> None:
        if self.recall is not None:
            self.recall.close()
        await self.held.aclose()


class Places:
    """The places of one camera; at most `kept` wait for another page. Those need a recorder that
    hears what is on the wire: what it does not hear must have come from a cache.
    """

    def __init__(
        self,
        settings: Settings,
        recorder: Recorder | None,
        *,
        signature: str = "",
        kept: int = 0,
    ) -> None:
        self._settings = settings
        self._recorder = recorder
        self._signature = signature
        self._kept = kept
        self._waiting: list[Place] = []  # the longest waiting first
        self._free_slots: list[Slot] = []
        self.browser: Browser | None = None
        self._retired: list[Browser] = []  # too large; each ends with its last tab
        self._growth = Growth(settings.browser.memory_bytes)
        self._clearings = 0
        self._measured = time.monotonic()
        self._starting = asyncio.Lock()

    async def open(self) -> None:
        self.browser = await self._new_browser()

    async def close(self) -> None:
        await self._leave(lambda _: True)
        for browser in (self.browser, *self._retired):
            if browser is not None:
                await browser.close()
        for slot in self._free_slots:
            await slot.close()

    @asynccontextmanager
    async def place(
        self, target: Target, view: Viewport, clock: datetime | None
    ) -> AsyncIterator[Place]:
        """A place for a page that nobody else has meanwhile."""
        place = await self._take(target, view, clock)
        place.fit = place.tidy = False  # until somebody finds it so
        try:
            yield place
        finally:
            await self._put_back(place)

    async def _take(self, target: Target, view: Viewport, clock: datetime | None) -> Place:
        browser = await self._living_browser()
        use = None if target.saved is not None else (urlsplit(target.url).netloc, view)
        while place := next((each for each in self._waiting if each.use == use), None):
            self._waiting.remove(place)
            try:
                await place.tab.set_clock(clock)
            except (BrowserError, CommandError, CommandTimeoutError):
                await place.close()
            except BaseException:
                await place.close()
                raise
            else:
                return place
        return await self._new_place(browser, target, view, clock, use)

    async def _new_place(
        self,
        browser: Browser,
        target: Target,
        view: Viewport,
        clock: datetime | None,
        use: tuple[str, Viewport] | None,
    ) -> Place:
        """A browser that dies before it gave a tab is replaced once."""
        async with AsyncExitStack() as held:
            slot = await held.enter_async_context(self._slot(target))

            def new_tab(browser: Browser) -> AbstractAsyncContextManager[Tab]:
                attendant = slot if isinstance(slot, Attendant) else None
                return browser.tab(view, clock, proxy=_proxy(target, slot), attendant=attendant)

            try:
                tab = await held.enter_async_context(new_tab(browser))
            except BrowserError:
                browser = await self._living_browser()
                tab = await held.enter_async_context(new_tab(browser))
            recall = Recall() if self._kept and use else None
            clearing = self._clearings
            return Place(browser, tab, slot, use, held.pop_all(), recall, clearing=clearing)

    async def _put_back(self, place: Place) -> None:
        """Keep a place for the next page of its site, or close it."""
        place.pages += 1
        kept = False
        try:
            kept = place.usable and await self._cleared(place)
        finally:
            if not kept:
                await place.close()
        if kept:
            self._waiting.append(place)
        while len(self._waiting) > self._kept:
            await self._waiting.pop(0).close()
        idle = [browser for browser in self._retired if browser.idle]
        self._retired = [browser for browser in self._retired if browser not in idle]
        for browser in idle:
            await browser.close()

    async def _leave(self, which: Callable[[Place], bool]) -> None:
        left = [place for place in self._waiting if which(place)]
        self._waiting = [place for place in self._waiting if place not in left]  # nobody takes them
        for place in left:
            await place.close()

    @asynccontextmanager
    async def _slot(self, target: Target) -> AsyncIterator[Slot | None]:
        """A way out that no other page uses meanwhile. Saved pages need none."""
        if self._recorder is None or target.saved is not None:
            yield None
            return
        slot = self._free_slots.pop() if self._free_slots else await self._recorder.slot()
        try:
            yield slot
        finally:
            self._free_slots.append(slot)

    async def _living_browser(self) -> Browser:
        async with self._starting:  # of several captures one starts it
            await self._retire()
            await self._leave(lambda place: place.browser is not self.browser or not place.usable)
            if self.browser is None or not self.browser.alive:
                if self.browser is not None:
                    await self.browser.close()
                self.browser = await self._new_browser()
            return self.browser

    async def _retire(self) -> None:
        """A browser that has grown clears up, then gives up tabs that wait; one that is too large
        gets no more.
        """
        browser, now = self.browser, time.monotonic()
        if browser is None or not browser.alive or now < self._measured + _MEASURE_SECONDS:
            return
        self._measured = now
        size = await asyncio.to_thread(tree_bytes, browser.pid)
        need = self._growth.need(size)
        if need is Need.SUCCESSOR:
            _log.info("Chromium has grown to %d MB and is replaced", size // 1_000_000)
            self._retired.append(browser)
            self.browser = None
        elif need is Need.CLEARING:
            self._clearings += 1
            await self._clear_up(browser, self._waiting)
        elif need is Need.ROOM:
            first = self._waiting[: (len(self._waiting) + 1) // 2]
            await self._leave(lambda place: place in first)

    async def _cleared(self, place: Place) -> bool:
        """Clear a place; one that had a page while the others were cleared up has its turn now."""
        if not await place.tab.clear():
            return False
        if place.clearing < self._clearings:
            await self._clear_up(place.browser, [place])
        return True

    async def _clear_up(self, browser: Browser, places: Sequence[Place]) -> None:
        """Have tabs forget the pages that they had for good. It takes them some 50 ms each."""
        untidy = [place for place in places if not place.tidy]
        for place in places:
            place.tidy, place.clearing = True, self._clearings
        await asyncio.gather(*(place.tab.tidy() for place in untidy))
        await browser.give_back()

    async def _new_browser(self) -> Browser:
        arguments = (*self._recorder.arguments, _NO_NAMES) if self._recorder else ()
        self._growth = Growth(self._settings.browser.memory_bytes)
        return await Browser(self._settings, arguments, self._signature).__aenter__()


def _proxy(target: Target, slot: Slot | None) -> str | None:
    if target.saved is not None:
        return NOWHERE
    return slot.proxy if slot else None
