"""Runs asynchronous code for callers that have no event loop of their own, or a running one.

Work happens on a loop in another thread, so the same call works in a script, inside a running loop
and twice in one notebook. Nothing is kept between calls.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Iterator

T = TypeVar("T")


class Portal:
    """A loop in another thread that coroutines are sent to, one at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`. An interruption of the caller interrupts it too."""
        tasks: list[asyncio.Task[T]] = []
        ended = threading.Event()

        def begin() -> None:
            tasks.append(self._loop.create_task(work))
            tasks[0].add_done_callback(lambda _: ended.set())

        def cancel() -> None:
            if not tasks:
                begin()  # the interruption came first: work that never began cannot be cancelled
            tasks[0].cancel()

        try:
            self._loop.call_soon_threadsafe(begin)
            ended.wait()
        except BaseException:
            self._loop.call_soon_threadsafe(cancel)
            ended.wait()  # its clean-up must not be cancelled once more by the portal's end
            raise
        return tasks[0].result()


@contextmanager
def portal() -> Iterator[Portal]:
    """A loop that lives as long as the block; what still runs at its end is cancelled."""
    ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def live() -> None:
        stop = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(live(),), name="webgeist", daemon=True)
    thread.start()
    loop, stop = ready.result()
    try:
        yield Portal(loop)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, waited for."""
    with portal() as door:
        return door.run(work)


def iterate(source: AsyncGenerator[T]) -> Iterator[T]:
    """The items of an asynchronous generator, one by one as they are asked for."""

    async def following() -> tuple[T] | None:
        # A future cannot carry StopAsyncIteration: None says that there is no more.
        try:
            return (await anext(source),)
        except StopAsyncIteration:
            return None

    with portal() as door:
        try:
            while found := door.run(following()):
                yield found[0]
        finally:
            door.run(source.aclose())
