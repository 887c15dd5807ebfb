"""The time that keeping adds to a row of captures: the same row with it and without, in turns.

A capture is kept in a thread while the next page loads, as `webgeist capture --repo` does it. Rows
vary by more than keeping adds, so the CPU that it took is told too, which varies less.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks import pages
from benchmarks.spread import spread
from benchmarks.studio import PROXY, camera
from webgeist.capture.target import parse_target
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.capture.target import Target
    from webgeist.repository.repository import Repository

    Keep = Callable[[Capture], object]

WITHOUT, SINGLE, BATCH = "without", "single", "batch"
_FORMS = (WITHOUT, SINGLE, BATCH)


@dataclass
class _Row:
    """The seconds of each capture, and the CPU seconds of keeping them."""

    seconds: list[float] = field(default_factory=list)
    cpu: float = 0.0

    @contextmanager
    def keeping(self) -> Iterator[None]:
        start = time.thread_time()
        try:
            yield
        finally:
            self.cpu += time.thread_time() - start


@contextmanager
def new_repository() -> Iterator[Repository]:
    with TemporaryDirectory() as folder:
        init_repository(Path(folder, "repository"))
        with open_repository(Path(folder, "repository")) as repository:
            repository.claim()
            yield repository


async def measure(*, count: int, rounds: int) -> dict[str, Any]:
    """What one by one and one batch add to the time of `count` captures, as shares of it."""
    rows: dict[str, list[_Row]] = {form: [] for form in _FORMS}
    async with _studio(count) as (taking, targets):
        await _row(taking, targets, WITHOUT)  # whatever the first time costs
        for number in range(rounds):
            for form in (*_FORMS[number % 3 :], *_FORMS[: number % 3]):
                rows[form].append(await _row(taking, targets, form))
            print(f"  row {number + 1}: {_shares(rows, number)}", file=sys.stderr)
    return {
        "captures": count,
        "rounds": rounds,
        "row_seconds": _typical(rows[WITHOUT]),
        **{form: _added(rows, form) for form in (SINGLE, BATCH)},
    }


@asynccontextmanager
async def _studio(count: int) -> AsyncIterator[tuple[Camera, list[Target]]]:
    with pages.serve(pages.fetch()) as base, TemporaryDirectory() as folder:
        paths = pages.theme_pages(per_package=3)[:count]
        async with camera(PROXY, Path(folder)) as taking:
            yield taking, [parse_target(f"{base}/{path}") for path in paths]


async def _row(taking: Camera, targets: Sequence[Target], form: str) -> _Row:
    """The last capture's time is until everything is kept."""
    row = _Row()
    with new_repository() as repository:
        if form == WITHOUT:
            await _capture(taking, targets, lambda _: None, row)
        elif form == SINGLE:
            await _capture(taking, targets, repository.add, row)
        else:
            batch = repository.batch()
            with ExitStack() as committing:
                committing.enter_context(batch)
                await _capture(taking, targets, batch.add, row)
                start = time.perf_counter()
                with row.keeping():
                    committing.close()
            row.seconds[-1] += time.perf_counter() - start
    return row


async def _capture(taking: Camera, targets: Sequence[Target], keep: Keep, row: _Row) -> None:
    begun: list[float] = []
    with ThreadPoolExecutor(1) as thread:
        kept = thread.submit(lambda: None)
        for target in targets:
            begun.append(time.perf_counter())
            capture = await taking.capture(target)
            await asyncio.wrap_future(kept)
            kept = thread.submit(_keep, keep, capture, row)
        await asyncio.wrap_future(kept)
        begun.append(time.perf_counter())
    row.seconds = [end - start for start, end in pairwise(begun)]


def _keep(keep: Keep, capture: Capture, row: _Row) -> None:
    try:
        with row.keeping():
            keep(capture)
    finally:
        capture.close()


def _typical(rows: Sequence[_Row]) -> float:
    """The seconds of a row in which each page takes its median over all rounds."""
    pages_seconds = zip(*(row.seconds for row in rows), strict=True)
    return sum(float(statistics.median(seconds)) for seconds in pages_seconds)


def _added(rows: dict[str, list[_Row]], form: str) -> dict[str, Any]:
    bare = _typical(rows[WITHOUT])
    pairs = zip(rows[form], rows[WITHOUT], strict=True)
    each = [sum(kept.seconds) / sum(without.seconds) - 1 for kept, without in pairs]
    cpu = statistics.median(row.cpu for row in rows[form])
    return {
        "share": _typical(rows[form]) / bare - 1,
        "rounds": vars(spread(each)),
        "cpu_share": cpu / bare,
        "cpu_ms": cpu * 1000 / len(rows[form][0].seconds),
    }


def _shares(rows: dict[str, list[_Row]], number: int) -> str:
    bare = sum(rows[WITHOUT][number].seconds)
    added = (f"{form} {sum(rows[form][number].seconds) / bare - 1:+.1%}" for form in _FORMS[1:])
    return f"{bare:.1f} s, {', '.join(added)}"
