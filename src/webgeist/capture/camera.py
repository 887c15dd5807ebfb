"""From targets to captures: a browser that is there when needed, and replaced when it dies."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from webgeist.capture.attribution import link, withheld
from webgeist.capture.browser import NOWHERE, Browser
from webgeist.capture.decode import Circumstances, decode
from webgeist.capture.loader import load
from webgeist.capture.viewport import parse_viewport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from types import TracebackType

    from webgeist.capture.exchange import Exchange, Recorder, Slot
    from webgeist.capture.loader import Loaded
    from webgeist.capture.model import Capture
    from webgeist.capture.target import Target
    from webgeist.settings import Settings


class Camera:
    """Captures one target after the other, or several at once. Each has a context of its own: no
    page meets another's cookies, cache or storage. Use it as an async context manager.

    With a recorder, all traffic goes through it and each capture has its exchanges. The recorder
    stays the caller's to close, after the camera.
    """

    def __init__(self, settings: Settings, recorder: Recorder | None = None) -> None:
        self.settings = settings
        self._recorder = recorder
        self._browser: Browser | None = None
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
        if self._browser is not None:
            await self._browser.close()
        for slot in self._free_slots:
            await slot.close()

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
        if self.settings.capture.deterministic:
            clock = clock or now.replace(minute=0, second=0, microsecond=0)
        else:
            clock = None
        view = parse_viewport(viewport or self.settings.capture.viewport)
        browser = await self._living_browser()
        under = Circumstances(
            requested_url=target.url,
            time=now,
            viewport=view,
            clock=clock,
            browser=browser.version,
            properties=browser.properties,
            most_nodes=self.settings.limits.nodes,
        )
        with _exchanges() as exchanges:
            async with (
                self._slot(target) as slot,
                browser.tab(view, clock, proxy=_proxy(target, slot)) as tab,
            ):
                loading = load(tab, target, browser.properties, on_stage)
                loaded = await _recorded(loading, slot, exchanges)
                on_stage("decode")
                decoding = asyncio.create_task(asyncio.to_thread(decode, loaded, under))
            capture = await decoding  # begun while the tab was being closed
            return replace(capture, exchanges=tuple(exchanges))

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
        if self._browser is None or not self._browser.alive:
            if self._browser is not None:
                await self._browser.close()
            self._browser = await self._new_browser()
        return self._browser

    async def _new_browser(self) -> Browser:
        arguments = self._recorder.arguments if self._recorder else ()
        return await Browser(self.settings, arguments).__aenter__()


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
