"""Asynchronous work for callers without a loop, with one, and with a finger on Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest

from webgeist import blocking

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine

T = TypeVar("T")


async def doubled(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def failing() -> None:
    await asyncio.sleep(0)
    raise LookupError("no such thing")


def test_a_result_is_waited_for_again_and_again() -> None:
    assert [blocking.run(doubled(number)) for number in (1, 2)] == [2, 4]


async def test_it_works_inside_a_running_loop() -> None:
    assert blocking.run(doubled(1)) == 2
    assert list(blocking.iterate(counting(2, []))) == [0, 1]


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(LookupError, match="no such thing"):
        blocking.run(failing())


def test_no_thread_is_left() -> None:
    before = threading.active_count()
    blocking.run(doubled(1))
    with pytest.raises(LookupError):
        blocking.run(failing())
    assert threading.active_count() == before


def test_a_portal_keeps_one_loop_for_all_its_work() -> None:
    async def loop() -> int:
        return id(asyncio.get_running_loop())

    with blocking.portal() as door:
        assert door.run(loop()) == door.run(loop())


def test_what_still_runs_at_a_portals_end_is_cancelled_and_may_clean_up() -> None:
    said: list[str] = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            said.append("cleaned")

    async def start() -> asyncio.Task[None]:
        task = asyncio.ensure_future(endless())
        await asyncio.sleep(0)
        return task

    with blocking.portal() as door:
        task = door.run(start())
    assert task.cancelled()
    assert said == ["cleaned"]


async def counting(count: int, said: list[str]) -> AsyncGenerator[int]:
    """Numbers, then a clean-up that takes a while: closing a browser does."""
    try:
        for number in range(count):
            said.append(f"made {number}")
            yield number
    finally:
        for _ in range(20):
            await asyncio.sleep(0)
        said.append("closed")


def test_items_come_one_by_one_as_they_are_asked_for() -> None:
    said: list[str] = []
    items = blocking.iterate(counting(3, said))
    assert said == []
    assert next(items) == 0
    assert said == ["made 0"]
    assert list(items) == [1, 2]
    assert said == ["made 0", "made 1", "made 2", "closed"]


def test_a_caller_that_stops_early_closes_the_source() -> None:
    said: list[str] = []
    for _ in blocking.iterate(counting(3, said)):
        break
    assert said == ["made 0", "closed"]


def test_items_that_are_false_are_items() -> None:
    async def nothings() -> AsyncGenerator[None]:
        yield None
        yield None

    assert list(blocking.iterate(nothings())) == [None, None]


def test_an_error_in_the_source_comes_after_the_items_before_it() -> None:
    async def broken() -> AsyncGenerator[int]:
        yield 1
        raise LookupError("broken")

    items = blocking.iterate(broken())
    assert next(items) == 1
    with pytest.raises(LookupError, match="broken"):
        next(items)


def interrupt() -> None:
    """What Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGINT)


async def until_interrupted(said: list[str]) -> None:
    """Work that takes its time to clean up, as a browser does to end."""
    try:
        interrupt()
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        said.append("cancelled")
        raise
    finally:
        await asyncio.sleep(0.3)
        said.append("cleaned")


def test_an_interruption_cancels_the_work_and_lets_it_clean_up() -> None:
    said: list[str] = []
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        blocking.run(until_interrupted(said))
    assert said == ["cancelled", "cleaned"]
    assert threading.active_count() == before


def test_an_interruption_between_items_closes_the_source_and_stays_one() -> None:
    said: list[str] = []

    async def source() -> AsyncGenerator[int]:
        yield 1
        await until_interrupted(said)

    items = blocking.iterate(source())
    assert next(items) == 1
    with pytest.raises(KeyboardInterrupt):
        next(items)
    assert said == ["cancelled", "cleaned"]


class Interrupting:
    """A loop whose caller is interrupted when work is handed over, before it or right after."""

    def __init__(self, door: blocking.Portal, *, begun: threading.Event | None) -> None:
        self._loop = door._loop
        self._begun = begun
        self._interrupted = False

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> None:
        if self._interrupted:
            self._loop.call_soon_threadsafe(callback)
            return
        self._interrupted = True
        if self._begun is not None:
            self._loop.call_soon_threadsafe(callback)
            assert self._begun.wait(10)
        raise KeyboardInterrupt

    def create_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        return self._loop.create_task(work)


async def clean_when_cancelled(begun: threading.Event, said: list[str]) -> None:
    try:
        begun.set()
        await asyncio.Event().wait()
    finally:
        said.append("cleaned")


def test_work_that_began_before_the_caller_waited_is_cancelled_too() -> None:
    said: list[str] = []
    begun = threading.Event()
    with blocking.portal() as door:
        loop = cast("asyncio.AbstractEventLoop", Interrupting(door, begun=begun))
        with pytest.raises(KeyboardInterrupt):
            blocking.Portal(loop).run(clean_when_cancelled(begun, said))
        assert said == ["cleaned"]


def test_work_that_was_never_handed_over_ends_unbegun() -> None:
    said: list[str] = []
    with blocking.portal() as door:
        loop = cast("asyncio.AbstractEventLoop", Interrupting(door, begun=None))
        with pytest.raises(KeyboardInterrupt):
            blocking.Portal(loop).run(clean_when_cancelled(threading.Event(), said))
        assert said == []
