"""A bounded number of threads, and a bounded line of those who wait for one."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from webgeist.server.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Workers:
    """Runs work in threads. Who finds the line full, or waits in it for too long, is sent away."""

    def __init__(self, name: str, *, threads: int, waiting: int, seconds: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"webgeist-{name}")
        self._turns = asyncio.Semaphore(threads)
        self._most = threads + waiting
        self._seconds = seconds
        self.inside = 0  # at work or in the line

    async def run(self, work: Callable[[], T], wanted: Callable[[], bool] = lambda: True) -> T:
        """What `work` returns. It is not begun where nobody wants it any more.

        Work that has begun is brought to its end, also when whoever asked is gone: its turn is
        given on only then, so no more than that many run at any time.
        """
        if self.inside >= self._most:
            raise _busy(self._seconds, "all threads are busy and the line is full")
        self.inside += 1
        try:
            await self._turn()
        except BaseException:
            self.inside -= 1
            raise
        if not wanted():
            self._leave()
            raise ProblemError(503, "the client is gone")
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(lambda _: self._leave())
        return await asyncio.shield(future)

    async def _turn(self) -> None:
        try:
            await asyncio.wait_for(self._turns.acquire(), self._seconds)
        except TimeoutError as error:
            raise _busy(self._seconds, f"no thread was free for {self._seconds:g} s") from error

    def _leave(self) -> None:
        self.inside -= 1
        self._turns.release()

    def close(self) -> None:
        """Begin nothing more. What runs has its own limits, and is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _busy(seconds: float, detail: str) -> ProblemError:
    after = str(max(1, round(seconds / 4)))
    return ProblemError(
        503, detail, remedy=f"ask again after {after} s", headers={"retry-after": after}
    )
