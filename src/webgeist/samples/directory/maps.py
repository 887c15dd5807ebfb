"""A street map of a place, drawn with Pillow: sea or park, a grid of streets, a pin."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from webgeist.samples.prose import Prose

WIDTH, HEIGHT = 560, 360
LAND, WATER, PARK, STREET, ROAD, PIN = (
    "#f2efe9",
    "#a9d3de",
    "#cfe6b8",
    "#ffffff",
    "#f7d58b",
    "#d4351c",
)


@lru_cache(maxsize=256)
def draw_map(seed: str) -> bytes:
    """A PNG; the same place always has the same streets."""
    prose = Prose(f"map {seed}")
    image = Image.new("RGB", (WIDTH, HEIGHT), LAND)
    draw = ImageDraw.Draw(image)
    shore = prose.number(220, 320)
    draw.polygon(
        [(0, shore), (WIDTH, shore + prose.number(-60, 40)), (WIDTH, HEIGHT), (0, HEIGHT)], WATER
    )
    left, top = prose.number(20, 380), prose.number(10, 120)
    draw.rectangle((left, top, left + 120, top + 80), PARK)
    _streets(draw, prose)
    x, y = prose.number(150, 400), prose.number(80, 200)
    draw.polygon([(x, y), (x - 12, y - 26), (x + 12, y - 26)], PIN)
    draw.ellipse((x - 13, y - 42, x + 13, y - 16), PIN)
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _streets(draw: ImageDraw.ImageDraw, prose: Prose) -> None:
    for x in range(-40, WIDTH, 58):
        draw.line((x, 0, x + prose.number(10, 60), HEIGHT), STREET, 5)
    for y in range(20, HEIGHT, 52):
        draw.line((0, y, WIDTH, y + prose.number(-20, 20)), STREET, 5)
    draw.line((0, prose.number(60, 260), WIDTH, prose.number(60, 260)), ROAD, 11)
