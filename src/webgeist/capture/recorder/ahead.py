"""Connections that are made before their requests come, to origins that were reached a moment ago.

A browser that opens a connection is about to ask something. While it shakes hands with us we shake
hands with the origin, not one after the other.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webgeist.capture.recorder.origin import Origin
    from webgeist.capture.recorder.upstream import Line

    Dial = Callable[[Origin], Coroutine[None, None, Line]]

_LATELY = 30.0  # seconds: so long an origin counts as reached, its certificate as good
_MOST = 6  # to one origin, as many as Chromium opens
_MOST_ORIGINS = 256


@dataclass
class _Prospect:
    reached: float
    expected: int = 0  # requests that are about to come
    coming: list[asyncio.Task[Line]] = field(default_factory=list)


class Ahead:
    """`keep` takes the connections that nobody waits for when they are made."""

    def __init__(self, dial: Dial, keep: Callable[[Line], None]) -> None:
        self._dial = dial
        self._keep = keep
        self._prospects: dict[Origin, _Prospect] = {}  # the last reached last

    def reached(self, origin: Origin, now: float) -> None:
        found = self._prospects.pop(origin, None) or _Prospect(now)
        found.reached = now
        self._prospects[origin] = found
        if len(self._prospects) > _MOST_ORIGINS:
            idle = (each for each, prospect in self._prospects.items() if not prospect.coming)
            del self._prospects[next(idle)]

    def expect(self, origin: Origin, ready: int, now: float) -> bool:
        """Have a connection for one more request; `ready` are there. False if `origin` was not
        reached lately: then nobody knows whether its certificate is good.
        """
        found = self._prospects.get(origin)
        if found is None or now - found.reached > _LATELY:
            return False
        found.expected = min(found.expected + 1, _MOST)
        if ready + len(found.coming) < found.expected:
            task = asyncio.create_task(self._dial(origin))
            found.coming.append(task)
            task.add_done_callback(lambda _: self._arrive(found, task))
        return True

    def _arrive(self, found: _Prospect, task: asyncio.Task[Line]) -> None:
        """One that failed is dialled again by whoever asks, and fails for them."""
        if task in found.coming:
            found.coming.remove(task)
            if not task.cancelled() and task.exception() is None:
                self._keep(task.result())

    def asked(self, origin: Origin) -> None:
        """A request has come, expected or not."""
        if found := self._prospects.get(origin):
            found.expected = max(found.expected - 1, 0)

    async def take(self, origin: Origin) -> Line | None:
        """The connection that is made next, if one is being made. Its failure if it fails."""
        found = self._prospects.get(origin)
        if found is None or not found.coming:
            return None
        task = found.coming.pop(0)
        try:
            return await task
        except asyncio.CancelledError:
            task.add_done_callback(_abort)  # it may have been made in the same moment
            raise

    async def close(self) -> None:
        tasks = [task for each in self._prospects.values() for task in each.coming]
        self._prospects.clear()
        for task in tasks:
            task.add_done_callback(_abort)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _abort(task: asyncio.Task[Line]) -> None:
    if not task.cancelled() and task.exception() is None:
        task.result().wire.abort()
