"""Work that must come to its end even if whoever waits for it is cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


async def undisturbed(work: Awaitable[T]) -> T:
    """The result of `work`, which is not cancelled with the caller: who cancels this waits, too."""
    task = asyncio.ensure_future(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    return task.result()
