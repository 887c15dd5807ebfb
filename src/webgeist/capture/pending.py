"""What the scripts of a page's frames still wait for, as clock.js knows it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.capture.tab import Tab

_ASK = "(window[Symbol.for('webgeist')] || (() => null))()"


@dataclass(frozen=True)
class Pending:
    """Timers that are due soon, animation frames that will come, and whether views are observed."""

    timers: int
    frames: int
    observes: bool


async def pending(tab: Tab, seconds: float) -> Pending | None:
    """What all frames wait for; None where the page broke clock.js or it does not run.

    Animation frames that Chromium keeps back, out of view, are not waited for: they would not come.
    """
    own = dict(tab.journal.own_worlds)
    asked = await asyncio.gather(*(_in_world(tab, world, seconds) for world in own))
    told = {
        frame: each for frame, each in zip(own.values(), asked, strict=True) if each is not None
    }
    main = told.get(tab.journal.frame)
    if main is None:
        return None
    moving = [frame for frame, each in told.items() if each.frames]
    coming = await asyncio.gather(*(_will_come(tab, frame, seconds) for frame in moving))
    return Pending(
        sum(each.timers for each in told.values()),
        sum(told[frame].frames for frame, comes in zip(moving, coming, strict=True) if comes),
        any(each.observes for each in told.values()),
    )


async def _in_world(tab: Tab, world: int, seconds: float) -> Pending | None:
    answer = await tab.send(
        "Runtime.evaluate",
        {"expression": _ASK, "contextId": world, "returnByValue": True},
        seconds,
    )
    told = answer["result"].get("value")
    if not isinstance(told, dict):
        return None
    return Pending(told["timers"], told["frames"], bool(told["observes"]))


async def _will_come(tab: Tab, frame: str, seconds: float) -> bool:
    """Whether a frame gets the animation frames that it asked for."""
    world = tab.journal.world_of(frame)
    if frame == tab.journal.frame or world is None:
        return True
    return not await tab.call("still()", world, seconds)
