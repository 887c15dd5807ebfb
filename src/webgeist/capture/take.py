"""Capturing as one asynchronous call: the settings, the target and the browser are seen to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webgeist.capture.camera import Camera
from webgeist.capture.target import parse_target
from webgeist.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable
    from datetime import datetime
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.settings import Settings


async def capture(
    target: str | Path,
    *,
    url: str | None = None,
    viewport: str | None = None,
    clock: datetime | None = None,
    settings: Settings | None = None,
) -> Capture:
    """Load a page and keep everything that was seen. See `webgeist.capture`."""
    settings = settings or _settings()
    wanted = parse_target(str(target), url=url, most_bytes=settings.limits.file_bytes)
    async with Camera(settings) as camera:
        return await camera.capture(wanted, viewport=viewport, clock=clock)


async def capture_all(
    targets: Iterable[str | Path],
    *,
    viewport: str | None = None,
    clock: datetime | None = None,
    settings: Settings | None = None,
) -> AsyncGenerator[Capture]:
    """Capture one target after the other with one browser; each is yielded when it is ready."""
    settings = settings or _settings()
    async with Camera(settings) as camera:
        for target in targets:
            wanted = parse_target(str(target), most_bytes=settings.limits.file_bytes)
            yield await camera.capture(wanted, viewport=viewport, clock=clock)


def _settings() -> Settings:
    return load_settings(environ=os.environ, flags={}).settings
