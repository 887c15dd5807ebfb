"""The full-page picture, in tiles where the page is very large, and its thumbnail."""

from __future__ import annotations

import asyncio
import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image

from webgeist.page import browser_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.capture.tab import Tab

Image.MAX_IMAGE_PIXELS = None  # our own pictures; `limits.pixels` bounds them before they are taken

_THUMBNAIL = (320, 480)
_WIDEST = 16_000  # pixels in one tile; Chromium's own pictures fail above 16,383
_MOST_ACROSS = 2 * _WIDEST  # a line that never breaks makes a page of millions of pixels


@dataclass(frozen=True)
class Area:
    """A part of a page in CSS pixels, which are also the picture's pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class ScreenshotInfo:
    """A picture's size and tiles. `cut` says that the page is larger than what was taken."""

    format: str
    width: int
    height: int
    cut: bool
    areas: tuple[Area, ...]

    def file_name(self, number: int) -> str:
        return f"screenshot-{number}.{'jpg' if self.format == 'jpeg' else self.format}"


@dataclass(frozen=True)
class Screenshot:
    """A page's picture: one encoded tile for each area."""

    info: ScreenshotInfo
    tiles: tuple[bytes, ...]

    def image(self, area: Area | None = None) -> Image.Image:
        """The picture of an area, by default the whole page; white where nothing was taken."""
        area = area or Area(0, 0, self.info.width, self.info.height)
        canvas = Image.new("RGB", (area.width, area.height), "white")
        for place, tile in zip(self.info.areas, self.tiles, strict=True):
            if _meet(place, area):
                with Image.open(io.BytesIO(tile)) as part:
                    canvas.paste(part.convert("RGB"), (place.x - area.x, place.y - area.y))
        return canvas

    def thumbnail(self) -> bytes:
        """The top of the page as a small JPEG, decoded at reduced size where the format allows."""
        with Image.open(io.BytesIO(self.tiles[0])) as tile:
            width = min(_THUMBNAIL[0], tile.width)
            scale = width / tile.width
            tile.draft("RGB", (width, max(1, round(tile.height * scale))))
            shown = min(tile.height, round(_THUMBNAIL[1] * tile.width / width))
            small = tile.convert("RGB").resize(
                (width, max(1, round(shown * width / tile.width))),
                Image.Resampling.BOX,
                (0, 0, tile.width, shown),
            )
        buffer = io.BytesIO()
        small.save(buffer, "JPEG", quality=80)
        return buffer.getvalue()


def _meet(one: Area, other: Area) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def plan_tiles(width: int, height: int, tile_height: int, most_pixels: int) -> list[Area]:
    """Areas that cover a page from the top left, as far as `most_pixels` allow.

    What few readers would ever scroll to, far to the right, comes last.
    """
    width = min(max(1, width), _MOST_ACROSS)
    height = min(height, max(1, most_pixels // width))
    return list(_areas(width, max(1, height), tile_height))


def _areas(width: int, height: int, tile_height: int) -> Iterator[Area]:
    for x in range(0, width, _WIDEST):
        for y in range(0, height, tile_height):
            yield Area(x, y, min(_WIDEST, width - x), min(tile_height, height - y))


def assemble(kind: str, size: tuple[int, int], parts: Sequence[tuple[Area, bytes]]) -> Screenshot:
    """The picture of a page of this size, from the tiles that were taken of it."""
    areas, tiles = zip(*parts, strict=True)
    width = max(area.x + area.width for area in areas)
    height = max(area.y + area.height for area in areas)
    cut = sum(area.width * area.height for area in areas) < size[0] * size[1]
    return Screenshot(ScreenshotInfo(kind, width, height, cut, areas), tiles)


async def take(tab: Tab, deadline: float) -> Screenshot:
    """The picture of the page as it is now, as far as it is painted before `deadline`.

    Raises TimeoutError where not even the first tile is.
    """
    limits = tab.settings.limits
    size = await _page_size(tab)
    parts: list[tuple[Area, bytes]] = []
    for area in plan_tiles(*size, limits.tile_pixels, limits.pixels):
        try:
            async with asyncio.timeout_at(deadline):
                parts.append((area, await _picture(tab, area)))
        except TimeoutError:
            if not parts:
                raise
            break
    return assemble(tab.settings.capture.screenshot, size, parts)


async def _page_size(tab: Tab) -> tuple[int, int]:
    seconds = tab.settings.limits.capture_seconds
    size = (await tab.send("Page.getLayoutMetrics", seconds=seconds))["cssContentSize"]
    return max(1, round(size["width"])), max(1, round(size["height"]))


async def _picture(tab: Tab, area: Area) -> bytes:
    viewport = tab.viewport
    within = area.y + area.height <= viewport.height and area.x + area.width <= viewport.width
    params: dict[str, Any] = {
        "format": tab.settings.capture.screenshot,
        "captureBeyondViewport": not within,
        "optimizeForSpeed": True,
        "clip": {"x": area.x, "y": area.y, "width": area.width, "height": area.height}
        | {"scale": 1 / viewport.scale},
    }
    if tab.settings.capture.screenshot == "jpeg":
        params["quality"] = tab.settings.capture.jpeg_quality
    raw = await tab.send_raw("Page.captureScreenshot", params, tab.settings.limits.capture_seconds)
    return base64.b64decode(browser_json.loads(raw)["result"]["data"])
