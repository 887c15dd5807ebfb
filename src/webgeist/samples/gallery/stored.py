"""Resources that are about being stored: a GIF that moves, and three answers to a cache."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from math import cos, sin, tau
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

GIF_SIZE, GIF_FRAMES = 160, 12


@cache
def moving_picture() -> bytes:
    """A dot that runs in a circle, twelve frames, for ever."""
    frames = [_frame(number) for number in range(GIF_FRAMES)]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=80, loop=0)
    return out.getvalue()


def _frame(number: int) -> Image.Image:
    image = Image.new("P", (GIF_SIZE, GIF_SIZE), 0)
    image.putpalette([250, 244, 232, 196, 57, 30, 40, 60, 120])
    draw, angle = ImageDraw.Draw(image), tau * number / GIF_FRAMES
    x, y = 80 + 50 * cos(angle), 80 + 50 * sin(angle)
    draw.ellipse((28, 28, 132, 132), outline=2, width=3)
    draw.ellipse((x - 14, y - 14, x + 14, y + 14), fill=1)
    return image


async def _gif(_: Request) -> Response:
    return Response(moving_picture(), media_type="image/gif")


async def _immutable(_: Request) -> Response:
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(_style(), media_type="text/css", headers=headers)


async def _tagged(request: Request) -> Response:
    """Answers 304 to whoever already has it."""
    tag = f'"{sha256(_style()).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    script = 'document.getElementById("tagged").textContent = "loaded, and asked about each time";'
    return Response(script, media_type="text/javascript", headers=headers)


async def _unstored(_: Request) -> Response:
    script = 'document.getElementById("unstored").textContent = "loaded, and forgotten";'
    return Response(script, media_type="text/javascript", headers={"cache-control": "no-store"})


def _style() -> bytes:
    return (files(__package__ or "") / "static" / "cached.css").read_bytes()


ROUTES = [
    Route("/animations/dot.gif", _gif),
    Route("/cache/style.7f3a91c2.css", _immutable),
    Route("/cache/tagged.js", _tagged),
    Route("/cache/unstored.js", _unstored),
]
