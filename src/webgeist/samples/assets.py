"""Fonts and pictures under /assets, the same on every host: a site adds `mount()` to its routes."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Mount, Route

from webgeist.samples import pictures

if TYPE_CHECKING:
    from starlette.requests import Request

_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_FONTS = files("webgeist.samples") / "static" / "fonts"


def mount() -> Mount:
    """Serves /assets/fonts/NAME, /assets/photo/SEED/WxH.jpg and /assets/svg/SEED/WxH.svg."""
    return Mount(
        "/assets",
        routes=[
            Route("/fonts/{name}.woff2", _font),
            Route("/photo/{seed}/{width:int}x{height:int}.jpg", _photo),
            Route("/svg/{seed}/{width:int}x{height:int}.svg", _svg),
        ],
    )


async def _font(request: Request) -> Response:
    font = _FONTS / f"{request.path_params['name']}.woff2"
    if not font.is_file():
        raise HTTPException(404)
    headers = _FOREVER | {"access-control-allow-origin": "*"}
    return Response(font.read_bytes(), media_type="font/woff2", headers=headers)


def _photo(request: Request) -> Response:
    width, height = _size(request)
    body = pictures.photo(request.path_params["seed"], width, height)
    return Response(body, media_type="image/jpeg", headers=_FOREVER)


def _svg(request: Request) -> Response:
    width, height = _size(request)
    body = pictures.svg(request.path_params["seed"], width, height)
    return Response(body, media_type="image/svg+xml", headers=_FOREVER)


def _size(request: Request) -> tuple[int, int]:
    width, height = request.path_params["width"], request.path_params["height"]
    if not (0 < width <= pictures.LARGEST and 0 < height <= pictures.LARGEST):
        raise HTTPException(404)
    return width, height
