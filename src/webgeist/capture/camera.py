"""From targets to captures: a browser that is there when needed, and replaced when it dies."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from webgeist.capture.browser import Browser
from webgeist.capture.decode import Circumstances, decode
from webgeist.capture.loader import load
from webgeist.capture.viewport import parse_viewport

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from webgeist.capture.model import Capture
    from webgeist.capture.target import Target
    from webgeist.settings import Settings


class Camera:
    """Captures one target after the other. Each has a context of its own: no page meets another's
    cookies, cache or storage. Use it as an async context manager."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._browser: Browser | None = None

    async def __aenter__(self) -> Self:
        self._browser = await Browser(self.settings).__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._browser is not None:
            await self._browser.close()

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
        async with browser.tab(view, clock, offline=target.saved is not None) as tab:
            loaded = await load(tab, target, browser.properties, on_stage)
        under = Circumstances(
            requested_url=target.url,
            time=now,
            viewport=view,
            clock=clock,
            browser=browser.version,
            properties=browser.properties,
            most_nodes=self.settings.limits.nodes,
        )
        on_stage("decode")
        return await asyncio.to_thread(decode, loaded, under)

    async def _living_browser(self) -> Browser:
        if self._browser is None or not self._browser.alive:
            if self._browser is not None:
                await self._browser.close()
            self._browser = await Browser(self.settings).__aenter__()
        return self._browser
