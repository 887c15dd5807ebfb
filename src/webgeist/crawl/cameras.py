"""A camera for each form of recording, started when it is first needed."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webgeist.capture.camera import Camera
from webgeist.capture.metric_files import NO_METRICS
from webgeist.capture.recorder.forms import make_recorder
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.target import Target
from webgeist.closing import Closing
from webgeist.crawl.visitor import LostError
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.model import Capture
    from webgeist.settings import Settings

_KEPT = 16  # tabs that wait for another page of their site


class Cameras(Closing):
    """Use it as an async context manager. `certificates` is the folder of the proxy's authority;
    `signature` is added to the user agent, unless the settings have one; `metrics` are run on each
    page.
    """

    def __init__(
        self,
        settings: Settings,
        certificates: Path,
        signature: str,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self.settings = settings
        self._certificates = certificates
        self._signature = signature
        self._metrics = metrics
        self._turns = asyncio.Semaphore(settings.crawl.tabs)
        self._started: dict[str, Camera] = {}
        self._starting = asyncio.Lock()
        self._open = AsyncExitStack()

    async def close(self) -> None:
        await self._open.aclose()

    async def capture(self, url: str, viewport: str, form: str | None) -> Capture:
        """Capture a page with this form of recording; with that of the settings by default."""
        camera = await self._of(form)
        try:
            return await camera.capture(Target(url), viewport=viewport)
        except BrowserError as error:  # it has started before, and may again
            raise LostError(error.message) from error

    async def _of(self, form: str | None) -> Camera:
        name = form or self.settings.recorder.form
        async with self._starting:  # of several tabs one starts it
            if name not in self._started:
                self._started[name] = await self._start(name)
            return self._started[name]

    async def _start(self, form: str) -> Camera:
        wanted = self.settings.recorder.model_copy(update={"form": form})
        settings = self.settings.model_copy(update={"recorder": wanted})
        recorder = make_recorder(settings, self._certificates)
        self._open.push_async_callback(recorder.close)
        kept = _KEPT if form == RecordingProxy.form else 0  # Chromium tells less of what it caches
        camera = Camera(
            settings,
            recorder,
            signature=self._signature,
            turns=self._turns,
            kept=kept,
            metrics=self._metrics,
        )
        return await self._open.enter_async_context(camera)
