"""Work that is not cancelled with whoever waits for it."""

from __future__ import annotations

import asyncio

import pytest

from webgeist.undisturbed import undisturbed


async def test_its_result_and_its_error_come_through() -> None:
    async def fail() -> None:
        raise ValueError("no")

    assert await undisturbed(asyncio.sleep(0, "result")) == "result"
    with pytest.raises(ValueError, match="no"):
        await undisturbed(fail())


async def test_who_is_cancelled_twice_still_waits() -> None:
    go_on, done = asyncio.Event(), []

    async def work() -> None:
        await go_on.wait()
        done.append(True)

    task = asyncio.create_task(undisturbed(work()))
    for _ in range(2):
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done
