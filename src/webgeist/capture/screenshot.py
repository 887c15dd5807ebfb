"""The full-page picture, in tiles where the page is very large, and its thumbnail."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

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

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def meets(self, other: Area) -> bool:
        """Whether they have a pixel in common."""
        return self.within(other) is not None

    def within(self, other: Area) -> Area | None:
        """What they have in common, if anything."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Area(x, y, right - x, bottom - y) if x < right and y < bottom else None

    def moved(self, x: int, y: int) -> Area:
        return Area(self.x + x, self.y + y, self.width, self.height)


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
            if place.meets(area):
                with Image.open(io.BytesIO(tile)) as part:
                    canvas.paste(part.convert("RGB"), (place.x - area.x, place.y - area.y))
        return canvas

    def pixels(self, most: int) -> tuple[NDArray[np.uint8], int]:
        """The whole picture as (height, width, 3) RGB, and by how much it was reduced.

        That is the first of 1, 2, 4, 8 … that leaves no more than `most` pixels. No second copy
        is made: a very tall page has hundreds of megabytes.
        """
        width, height, by = self.info.width, self.info.height, 1
        while (width // by) * (height // by) > most:
            by *= 2
        return self._reduced("RGB", by, height), by

    def grey(self, widest: int, tallest: int) -> tuple[NDArray[np.uint8], int]:
        """The picture's brightness as (height, width), and by how much it was reduced: by the
        first of 1, 2, 4, 8 … that leaves no more than `widest` columns. Rows beyond `tallest` of
        what is left are not read.
        """
        by = 1
        while self.info.width // by > widest:
            by *= 2
        return self._reduced("L", by, min(self.info.height, tallest * by)), by

    def _reduced(self, mode: str, by: int, height: int) -> NDArray[np.uint8]:
        shape = (max(1, height // by), max(1, self.info.width // by))
        canvas = np.full((*shape, 3) if mode == "RGB" else shape, 255, np.uint8)
        for place, tile in zip(self.info.areas, self.tiles, strict=True):
            part = canvas[place.y // by :, place.x // by :]
            if part.size:
                shown = _decoded(tile, mode, by)[: part.shape[0], : part.shape[1]]
                part[: shown.shape[0], : shown.shape[1]] = shown
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


def _decoded(tile: bytes, mode: str, by: int) -> NDArray[np.uint8]:
    """A tile, reduced while it is decoded where the format allows."""
    with Image.open(io.BytesIO(tile)) as image:
        width, height = image.size
        image.draft(mode, (max(1, width // by), max(1, height // by)))
        left = max(1, by * image.width // width)
        small = image.convert(mode)
    return np.asarray(small.reduce(left) if left > 1 else small)


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
