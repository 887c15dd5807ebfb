"""A bounded number of threads, and a bounded line before them."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from webgeist.server.problems import ProblemError
from webgeist.server.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable


class Held:
    """Work that goes on until it is let go; knows how many do it at once."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.lock = threading.Lock()
        self.now = self.most = self.done = 0

    def __call__(self) -> int:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.let_go.wait(30)
        with self.lock:
            self.now -= 1
            self.done += 1
        return self.done


async def _until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110  a thread changes it
        await asyncio.sleep(0)


async def test_no_more_than_its_threads_work_at_once() -> None:
    workers, work = Workers("t", threads=2, waiting=8, seconds=30), Held()
    tasks = [asyncio.create_task(workers.run(work)) for _ in range(10)]
    await _until(lambda: work.now == 2 and workers.inside == 10)
    with pytest.raises(ProblemError) as caught:
        await workers.run(work)
    assert caught.value.problem.status == 503
    assert int(caught.value.problem.headers["retry-after"]) > 0
    work.let_go.set()
    assert max(await asyncio.gather(*tasks)) == 10
    assert work.most == 2
    await _until(lambda: workers.inside == 0)
    assert await workers.run(lambda: "free again") == "free again"
    workers.close()


async def test_nobody_waits_for_ever() -> None:
    workers, work = Workers("t", threads=1, waiting=8, seconds=0.01), Held()
    first = asyncio.create_task(workers.run(work))
    await _until(lambda: work.now == 1)
    with pytest.raises(ProblemError, match="no thread was free"):
        await workers.run(work)
    work.let_go.set()
    assert await first == 1
    await _until(lambda: workers.inside == 0)
    workers.close()


async def test_whoever_leaves_gives_the_turn_on_when_the_work_is_done() -> None:
    workers, work = Workers("t", threads=1, waiting=8, seconds=30), Held()
    left = asyncio.create_task(workers.run(work))
    await _until(lambda: work.now == 1)
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    next_ = asyncio.create_task(workers.run(lambda: "next"))
    await asyncio.sleep(0)
    assert workers.inside == 2  # the work that nobody waits for still has the thread
    work.let_go.set()
    assert await next_ == "next"
    workers.close()


async def test_what_nobody_wants_any_more_is_not_begun() -> None:
    workers, begun = Workers("t", threads=1, waiting=8, seconds=30), []
    with pytest.raises(ProblemError, match="gone"):
        await workers.run(lambda: begun.append(1), wanted=lambda: False)
    assert begun == []
    assert workers.inside == 0
    workers.close()


async def test_errors_come_through_and_cost_no_thread() -> None:
    workers = Workers("t", threads=1, waiting=0, seconds=30)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0)
    assert await workers.run(lambda: 1) == 1
    workers.close()
