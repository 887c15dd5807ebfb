"""Real captures to fill repositories with: taken once, and stamped with other times for more."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks import pages
from benchmarks.studio import PROXY, camera
from webgeist.capture.target import parse_target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from webgeist.capture.model import Capture


@dataclass(frozen=True)
class Taken:
    """A capture with its exchanges, and how many seconds it took."""

    capture: Capture
    seconds: float


@asynccontextmanager
async def captures(count: int) -> AsyncIterator[list[Taken]]:
    """Captures of different theme and documentation pages, recorded through the proxy."""
    with pages.serve(pages.fetch()) as base, TemporaryDirectory() as folder:
        taken: list[Taken] = []
        try:
            async with camera(PROXY, Path(folder)) as taking:
                for path in pages.theme_pages(per_package=16)[:count]:
                    start = time.perf_counter()
                    capture = await taking.capture(parse_target(f"{base}/{path}"))
                    taken.append(Taken(capture, time.perf_counter() - start))
            yield taken
        finally:
            for each in taken:
                each.capture.close()


def restamped(originals: Sequence[Capture], count: int) -> Iterator[Capture]:
    """As many captures as wanted: the originals again and again, each time an hour later."""
    for number in range(count):
        capture = originals[number % len(originals)]
        later = capture.info.time + timedelta(hours=number // len(originals))
        yield replace(capture, info=replace(capture.info, time=later))
