"""From targets to captures: a browser that is there when needed, and replaced when it dies."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from webgeist.capture.attribution import broken_off, explain, link, withheld
from webgeist.capture.decode import Circumstances, decode
from webgeist.capture.exchange import Named
from webgeist.capture.loader import load
from webgeist.capture.metric_files import NO_METRICS
from webgeist.capture.outcome import WITH_PAGE
from webgeist.capture.places import Places
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.viewport import parse_viewport
from webgeist.closing import Closing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from webgeist.capture.exchange import Exchange, Recorder, Slot
    from webgeist.capture.loaded import Loaded
    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.model import Capture
    from webgeist.capture.places import Place
    from webgeist.capture.target import Target
    from webgeist.settings import Settings


class Camera(Closing):
    """Captures one target after the other, or several at once. No page meets another's cookies,
    cache or storage; only where so many tabs may be `kept`, each for later pages of its site, those
    share a cache. Use it as an async context manager.

    With a recorder, all traffic goes through it and each capture has its exchanges. The recorder
    stays the caller's to close, after the camera. Without one, all traffic goes through the gate
    alone; only where that has nothing to refuse, because of `gate.allow_private`, Chromium connects
    by itself.

    `signature` is added to Chromium's user agent, so that servers know who asks; a user agent from
    the settings stays as it is. `turns` is entered for as long as a page has a tab: a semaphore
    bounds their number, and the next page can begin while this one is decoded. `metrics` are run on
    every page.
    """

    def __init__(
        self,
        settings: Settings,
        recorder: Recorder | None = None,
        *,
        signature: str = "",
        turns: AbstractAsyncContextManager[object] | None = None,
        kept: int = 0,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self.settings = settings
        self._metrics = metrics
        self._tunnel = None if recorder or settings.gate.allow_private else Tunnel(settings)
        self._recorder = recorder or self._tunnel
        self._turns = turns or nullcontext()
        self.places = Places(settings, self._recorder, signature=signature, kept=kept)

    async def __aenter__(self) -> Self:
        await self.places.open()
        return self

    async def close(self) -> None:
        await self.places.close()
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

        `on_stage` is told what begins: navigate, settle, metrics, snapshot, screenshot, decode.
        """
        view = parse_viewport(viewport or self.settings.capture.viewport)
        with _exchanges() as exchanges:
            async with self._turns:
                now = datetime.now(UTC)
                clock = self._clock(clock or now.replace(minute=0, second=0, microsecond=0))
                async with self.places.place(target, view, clock) as place:
                    loading = load(
                        place.tab, target, place.browser.properties, on_stage, self._metrics
                    )
                    loaded = await _recorded(loading, place, exchanges)
                    place.fit = loaded.outcome in WITH_PAGE
                    on_stage("decode")
                    under = Circumstances(
                        requested_url=target.url,
                        time=now,
                        viewport=view,
                        clock=clock,
                        browser=place.browser.version,
                        properties=place.browser.properties,
                        most_nodes=self.settings.limits.nodes,
                        recorder=self._form(place.slot),
                        saved=target.saved is not None,
                        metrics=self._metrics,
                    )
                    decoding = asyncio.create_task(asyncio.to_thread(decode, loaded, under))
            capture = await decoding  # begun while the tab was being cleared
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


async def _recorded(loading: Awaitable[Loaded], place: Place, exchanges: list[Exchange]) -> Loaded:
    """Load a page; what it asked for meanwhile goes to `exchanges`, linked to its requests."""
    slot = place.slot
    if slot is None:
        return await loading
    slot.begin()
    try:
        loaded = await loading
    finally:
        exchanges += await slot.end()
    journal = loaded.journal
    link(journal.requests.requests, exchanges)
    exchanges[:] = broken_off(journal.requests.requests, exchanges)
    if place.recall is not None:
        place.recall.complete(journal.requests.requests, exchanges)
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
