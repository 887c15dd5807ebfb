"""Frames that Chromium does not paint: those of another origin that are out of view.

It keeps them still to save work, also where a picture is taken beyond the viewport: they would be
blank in it. So they are looked at, a screen at a time.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError
from webgeist.capture.screenshot import Area

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.tab import Tab
    from webgeist.capture.viewport import Viewport

MOST = 60  # frames of one page that are looked for


@dataclass(frozen=True)
class HiddenFrame:
    """A frame by Chromium's name for it, and where in the page it shows."""

    name: str
    area: Area


@dataclass(frozen=True)
class Hidden:
    """The frames of a page that are kept still, and where the page is scrolled to now."""

    frames: tuple[HiddenFrame, ...] = ()
    home: tuple[int, int] = (0, 0)
    more: int = 0  # that were not looked for


@dataclass(frozen=True)
class View:
    """A place to scroll to, and the frames that come into view there."""

    x: int
    y: int
    frames: tuple[HiddenFrame, ...]


def plan_views(frames: Sequence[HiddenFrame], viewport: Viewport, most: int) -> list[View]:
    """Places from which all frames are seen, the first `most` of them from the top.

    Each begins a little above the first frame that was not seen yet, so that small ones are seen
    whole, and takes in what else is in view there.
    """
    views: list[View] = []
    left = sorted(frames, key=lambda frame: (frame.area.y, frame.area.x, frame.name))
    while left and len(views) < most:
        first = left[0].area
        window = Area(
            max(0, first.x - viewport.width // 8),
            max(0, first.y - viewport.height // 8),
            viewport.width,
            viewport.height,
        )
        seen = tuple(frame for frame in left if window.meets(frame.area))
        views.append(View(window.x, window.y, seen))
        left = [frame for frame in left if frame not in seen]
    return views


async def find_hidden(tab: Tab, seconds: float) -> Hidden:
    """The frames that are kept still now and would show in a picture of the whole page."""
    journal = tab.journal
    worlds = {frame: world for world, frame in journal.worlds.items() if frame != journal.frame}
    if not worlds:
        return Hidden()
    asked = await asyncio.gather(*(_still(tab, world, seconds) for world in worlds.values()))
    still = [frame for frame, is_still in zip(worlds, asked, strict=True) if is_still]
    if not still:
        return Hidden()
    metrics = await tab.send("Page.getLayoutMetrics", seconds=seconds)
    home = tuple(round(metrics["cssLayoutViewport"][name]) for name in ("pageX", "pageY"))
    size = metrics["cssContentSize"]
    page = Area(0, 0, math.ceil(size["width"]), math.ceil(size["height"]))
    parents = _parents((await tab.send("Page.getFrameTree", seconds=seconds))["frameTree"])
    places = _Places(tab, parents, (home[0], home[1]), page, seconds)
    found = [(frame, await places.of(frame)) for frame in still[:MOST]]
    frames = tuple(HiddenFrame(frame, area) for frame, area in found if area is not None)
    return Hidden(frames, (home[0], home[1]), max(0, len(still) - MOST))


async def _still(tab: Tab, world: int, seconds: float) -> bool:
    try:
        return bool(await tab.call("still()", world, seconds))
    except CommandError:  # the frame is gone
        return False


def _parents(tree: dict[str, Any]) -> dict[str, str]:
    parents = {}
    for child in tree.get("childFrames", ()):
        parents[child["frame"]["id"]] = tree["frame"]["id"]
        parents |= _parents(child)
    return parents


@dataclass(frozen=True)
class _Places:
    """Where frames show in the page: as far as the frames that they lie in show them."""

    tab: Tab
    parents: dict[str, str]
    home: tuple[int, int]
    page: Area
    seconds: float

    async def of(self, frame: str) -> Area | None:
        parent = self.parents.get(frame)
        if parent is None:  # the page itself
            return self.page
        within = await self.of(parent)
        own = await self._box(frame)
        return own.within(within) if own and within else None

    async def _box(self, frame: str) -> Area | None:
        try:
            owner = await self.tab.send("DOM.getFrameOwner", {"frameId": frame}, self.seconds)
            node = {"backendNodeId": owner["backendNodeId"]}
            box = await self.tab.send("DOM.getBoxModel", node, self.seconds)
        except CommandError:  # it is gone, or has no box
            return None
        quad = box["model"]["content"]
        return _around(quad[0::2], quad[1::2]).moved(*self.home)


def _around(xs: Sequence[float], ys: Sequence[float]) -> Area:
    """The smallest area with all these points."""
    left, top = math.floor(min(xs)), math.floor(min(ys))
    return Area(left, top, math.ceil(max(xs)) - left, math.ceil(max(ys)) - top)


async def look_at(tab: Tab, view: View, seconds: float) -> list[HiddenFrame]:
    """Scroll a page, unnoticed by its scripts; the frames of the view that are painted now."""
    await _scroll(tab, "lookAt", (view.x, view.y), seconds)
    worlds = [(frame, tab.journal.world_of(frame.name)) for frame in view.frames]
    there = [(frame, world) for frame, world in worlds if world is not None]
    asked = await asyncio.gather(*(_shown(tab, world, seconds) for _, world in there))
    return [frame for (frame, _), shown in zip(there, asked, strict=True) if shown]


async def _shown(tab: Tab, world: int, seconds: float) -> bool:
    try:
        return bool(await tab.call("shown()", world, seconds))
    except CommandError:
        return False


async def look_back(tab: Tab, home: tuple[int, int], seconds: float) -> None:
    await _scroll(tab, "lookBack", home, seconds)


async def _scroll(tab: Tab, how: str, place: tuple[int, int], seconds: float) -> None:
    world = tab.journal.main_world()
    if world is None:
        raise CommandError("there is no document")
    await tab.call(f"{how}({place[0]}, {place[1]})", world, seconds)
