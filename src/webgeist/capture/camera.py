"""From targets to captures: a browser that is there when needed, and replaced when it dies."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from webgeist.capture.attribution import explain, link, withheld
from webgeist.capture.browser import NOWHERE, Browser
from webgeist.capture.decode import Circumstances, decode
from webgeist.capture.exchange import Attendant, Named
from webgeist.capture.loader import load
from webgeist.capture.memory import tree_bytes
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.viewport import parse_viewport
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from contextlib import AbstractAsyncContextManager
    from types import TracebackType

    from webgeist.capture.exchange import Exchange, Recorder, Slot
    from webgeist.capture.loader import Loaded
    from webgeist.capture.model import Capture
    from webgeist.capture.tab import Tab
    from webgeist.capture.target import Target
    from webgeist.capture.viewport import Viewport
    from webgeist.settings import Settings

_log = logging.getLogger(__name__)
_MEASURE_SECONDS = 2.0  # between two looks at a browser's memory

# Behind a way out of ours Chromium needs no name: hints to look one up early must not leave either.
_NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


class Camera:
    """Captures one target after the other, or several at once. Each has a context of its own: no
    page meets another's cookies, cache or storage. Use it as an async context manager.

    With a recorder, all traffic goes through it and each capture has its exchanges. The recorder
    stays the caller's to close, after the camera. Without one, all traffic goes through the gate
    alone; only where that has nothing to refuse, because of `gate.allow_private`, Chromium connects
    by itself.

    `signature` is added to Chromium's user agent, so that servers know who asks; a user agent from
    the settings stays as it is.
    """

    def __init__(
        self, settings: Settings, recorder: Recorder | None = None, *, signature: str = ""
    ) -> None:
        self.settings = settings
        self._signature = signature
        self._tunnel = None if recorder or settings.gate.allow_private else Tunnel(settings)
        self._recorder = recorder or self._tunnel
        self._browser: Browser | None = None
        self._retired: list[Browser] = []  # too large; each ends with its last tab
        self._measured = time.monotonic()
        self._starting = asyncio.Lock()
        self._free_slots: list[Slot] = []

    async def __aenter__(self) -> Self:
        self._browser = await self._new_browser()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for browser in (self._browser, *self._retired):
            if browser is not None:
                await browser.close()
        for slot in self._free_slots:
            await slot.close()
        if self._tunnel is not None:
            await self._tunnel.close()

    async def capture(
        self,
        target: Target,
        *,
        viewport: str | None = None,
        clock: datetime | None = None,
        on_stage: Callable[[str], None] = lambda _: None,
    ) -> Capture:
        """Capture `target`. `clock` is the time for the page; by default the hour that it is.

        `on_stage` is told what begins: navigate, settle, snapshot, screenshot, decode.
        """
        now = datetime.now(UTC)
        clock = self._clock(clock or now.replace(minute=0, second=0, microsecond=0))
        view = parse_viewport(viewport or self.settings.capture.viewport)
        with _exchanges() as exchanges:
            async with (
                self._slot(target) as slot,
                self._tab(view, clock, target, slot) as (browser, tab),
            ):
                loading = load(tab, target, browser.properties, on_stage)
                loaded = await _recorded(loading, slot, exchanges)
                on_stage("decode")
                under = Circumstances(
                    requested_url=target.url,
                    time=now,
                    viewport=view,
                    clock=clock,
                    browser=browser.version,
                    properties=browser.properties,
                    most_nodes=self.settings.limits.nodes,
                    recorder=self._form(slot),
                    saved=target.saved is not None,
                )
                decoding = asyncio.create_task(asyncio.to_thread(decode, loaded, under))
            capture = await decoding  # begun while the tab was being closed
            await self._close_retired()
            return replace(capture, exchanges=self._kept(exchanges))

    def _clock(self, clock: datetime) -> datetime | None:
        return clock if self.settings.capture.deterministic else None

    def _kept(self, exchanges: list[Exchange]) -> tuple[Exchange, ...]:
        """What a caller gets who asked for a recorder. Our own tunnel's have served their turn."""
        if self._tunnel is None:
            return tuple(exchanges)
        for exchange in exchanges:
            exchange.close()
        return ()

    def _form(self, slot: Slot | None) -> str | None:
        """What a capture says of how it was recorded."""
        return self._recorder.form if slot and isinstance(self._recorder, Named) else None

    @asynccontextmanager
    async def _tab(
        self, view: Viewport, clock: datetime | None, target: Target, slot: Slot | None
    ) -> AsyncIterator[tuple[Browser, Tab]]:
        """A tab, and the browser it is of. One that dies before it gave a tab is replaced once."""

        def new_tab(browser: Browser) -> AbstractAsyncContextManager[Tab]:
            attendant = slot if isinstance(slot, Attendant) else None
            return browser.tab(view, clock, proxy=_proxy(target, slot), attendant=attendant)

        async with AsyncExitStack() as stack:
            browser = await self._living_browser()
            try:
                tab = await stack.enter_async_context(new_tab(browser))
            except BrowserError:
                browser = await self._living_browser()
                tab = await stack.enter_async_context(new_tab(browser))
            yield browser, tab

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
            if self._browser is None or not self._browser.alive:
                if self._browser is not None:
                    await self._browser.close()
                self._browser = await self._new_browser()
            return self._browser

    async def _retire(self) -> None:
        """A browser that has grown too large gets no more tabs."""
        browser, now = self._browser, time.monotonic()
        if browser is None or not browser.alive or now < self._measured + _MEASURE_SECONDS:
            return
        self._measured = now
        size = await asyncio.to_thread(tree_bytes, browser.pid)
        if size > self.settings.browser.memory_bytes:
            _log.info("Chromium has grown to %d MB and is replaced", size // 1_000_000)
            self._retired.append(browser)
            self._browser = None

    async def _close_retired(self) -> None:
        for browser in [each for each in self._retired if each.idle]:
            self._retired.remove(browser)
            await browser.close()

    async def _new_browser(self) -> Browser:
        arguments = (*self._recorder.arguments, _NO_NAMES) if self._recorder else ()
        return await Browser(self.settings, arguments, self._signature).__aenter__()


def _proxy(target: Target, slot: Slot | None) -> str | None:
    if target.saved is not None:
        return NOWHERE
    return slot.proxy if slot else None


async def _recorded(
    loading: Awaitable[Loaded], slot: Slot | None, exchanges: list[Exchange]
) -> Loaded:
    """Load a page; what it asked for meanwhile goes to `exchanges`, linked to its requests."""
    if slot is None:
        return await loading
    slot.begin()
    try:
        loaded = await loading
    finally:
        exchanges += await slot.end()
    journal = loaded.journal
    link(journal.requests.requests, exchanges)
    if verdict := withheld(journal.document, exchanges):
        (loaded.outcome, loaded.reason), loaded.unanswered = verdict, True
    explain(journal.requests.requests, exchanges)
    return loaded


@contextmanager
def _exchanges() -> Iterator[list[Exchange]]:
    """A list for what is recorded; closed unless somebody gets a capture with it."""
    exchanges: list[Exchange] = []
    try:
        yield exchanges
    except BaseException:
        for exchange in exchanges:
            exchange.close()
        raise
