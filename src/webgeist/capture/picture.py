"""Takes the picture of the page in a tab: tile by tile, then the frames that those lack."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.hidden import MOST, Hidden, find_hidden, look_at, plan_views
from webgeist.capture.patches import Patch, finished
from webgeist.capture.screenshot import Area, assemble, plan_tiles
from webgeist.page import browser_json

if TYPE_CHECKING:
    from webgeist.capture.hidden import View
    from webgeist.capture.screenshot import Screenshot
    from webgeist.capture.tab import Tab

    Parts = list[tuple[Area, bytes]]

_STANDING = 500  # elements that are kept from standing still while a page is scrolled
_LOSSLESS = "png"


async def take(tab: Tab, deadline: float, *, tidily: bool = False) -> Screenshot:
    """The picture of the page as it is now, as far as it is painted before `deadline`.

    Each tile leaves garbage in the page's process, as much as the page has nodes. `tidily` has it
    cleared away before each. Raises TimeoutError where not even the first tile is painted.
    """
    size = await _page_size(tab)
    hidden = await _hidden(tab)
    parts = await _tiles(tab, size, hidden, deadline, tidily=tidily)
    kind = tab.settings.capture.screenshot
    if hidden.frames:
        patches = await _patches(tab, hidden, deadline)
        parts = await asyncio.to_thread(_finish, parts, hidden, patches, tab)
    return assemble(kind, size, parts)


async def _page_size(tab: Tab) -> tuple[int, int]:
    size = (await tab.send("Page.getLayoutMetrics", seconds=_seconds(tab)))["cssContentSize"]
    return max(1, round(size["width"])), max(1, round(size["height"]))


async def _hidden(tab: Tab) -> Hidden:
    """The frames that tiles lack and that can be looked at."""
    hidden = await find_hidden(tab, _seconds(tab))
    if hidden.more:
        _say_blank(tab, hidden.more, f"there are more than {MOST}")
    if not hidden.frames or tab.settings.capture.scroll:
        return hidden
    _say_blank(tab, len(hidden.frames), "pages are not scrolled (capture.scroll)")
    return Hidden()


async def _tiles(
    tab: Tab, size: tuple[int, int], hidden: Hidden, deadline: float, *, tidily: bool
) -> Parts:
    limits = tab.settings.limits
    parts: Parts = []
    for area in plan_tiles(*size, limits.tile_pixels, limits.pixels):
        kind = _LOSSLESS if _lacks(area, hidden) else tab.settings.capture.screenshot
        try:
            async with asyncio.timeout_at(deadline):
                if tidily:
                    await tab.tidy()
                parts.append((area, await _picture(tab, area, kind)))
        except TimeoutError:
            if not parts:
                raise
            break
    return parts


def _lacks(area: Area, hidden: Hidden) -> bool:
    """Whether a tile will be worked on."""
    return any(frame.area.meets(area) for frame in hidden.frames)


def _finish(parts: Parts, hidden: Hidden, patches: list[Patch], tab: Tab) -> Parts:
    wanted = tab.settings.capture
    return [
        (area, finished(tile, area, patches, wanted.screenshot, wanted.jpeg_quality))
        if _lacks(area, hidden)
        else (area, tile)
        for area, tile in parts
    ]


async def _patches(tab: Tab, hidden: Hidden, deadline: float) -> list[Patch]:
    """Pictures of the hidden frames, each taken while it was in view; what is missing is said.

    A frame that does not come into view where it is, is hidden by something else than distance.
    """
    patches: list[Patch] = []
    left, most = len(hidden.frames), tab.settings.limits.scroll_screens
    why = f"they lie on more than limits.scroll_screens = {most} screens"
    try:
        async with asyncio.timeout_at(deadline):
            await tab.call(f"holdAll({_STANDING})", _main_world(tab), _seconds(tab))
            for view in plan_views(hidden.frames, tab.viewport, most):
                await _take_view(tab, view, patches)
                left -= len(view.frames)
    except TimeoutError:
        why = "not painted in time"
    except (CommandError, CommandTimeoutError) as error:
        why = str(error)
    if left:
        _say_blank(tab, left, why)
    return patches


def _say_blank(tab: Tab, frames: int, why: str) -> None:
    tab.journal.say("blank-frames", f"{frames} frames are blank in the picture: {why}")


async def _take_view(tab: Tab, view: View, patches: list[Patch]) -> None:
    for frame in await look_at(tab, view, _seconds(tab)):
        picture = await _picture(tab, frame.area, _LOSSLESS, (view.x, view.y))
        patches.append(Patch(frame.area, picture))


def _main_world(tab: Tab) -> int:
    world = tab.journal.main_world()
    if world is None:
        raise CommandError("there is no document")
    return world


async def _picture(tab: Tab, area: Area, kind: str, at: tuple[int, int] = (0, 0)) -> bytes:
    viewport = tab.viewport
    window = Area(*at, viewport.width, viewport.height)
    params: dict[str, Any] = {
        "format": kind,
        "captureBeyondViewport": area.within(window) != area,
        "optimizeForSpeed": True,
        "clip": {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
        | {"scale": 1 / viewport.scale},
    }
    if kind == "jpeg":
        params["quality"] = tab.settings.capture.jpeg_quality
    raw = await tab.send_raw("Page.captureScreenshot", params, _seconds(tab))
    return base64.b64decode(browser_json.loads(raw)["result"]["data"])


def _seconds(tab: Tab) -> float:
    return tab.settings.limits.capture_seconds
