"""Serves the pages of `asking` and all they ask for. Each address begins with its visit's tag.

So whoever writes down addresses can tell which visit asked: `/TAG/fetches`, `/TAG/streams`, …
"""

from __future__ import annotations

import asyncio
import gzip
import io
import random
from collections import defaultdict
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from PIL import Image
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from benchmarks.asking import FILES, PAGES, TYPES, page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send
    from starlette.websockets import WebSocket

PLAIN = b"words " * 100_000
PACKED = gzip.compress(PLAIN, mtime=0)
_EVENTS = "event: news\ndata: 1\n\nevent: goodbye\ndata: 2\n\n"
_OPEN = {
    f"Access-Control-Allow-{what}": "*" for what in ("Origin", "Methods", "Headers")
}  # every page may ask


def _page(request: Request) -> Response:
    name = request.path_params["name"]
    if name in FILES:
        kind = TYPES.get(name.rpartition(".")[2], "text/html")
        return Response(FILES[name], media_type=kind, headers=_OPEN)
    if name not in PAGES:
        return Response("there is nothing", status_code=404)
    return HTMLResponse(page(name))


async def _echo(request: Request) -> Response:
    """What it was sent and what for; long enough for several pieces."""
    body = await request.body()
    said = f"{request.method} {request.url.query} ".encode() * 10_000 + body[:1000]
    return Response(said, headers=_OPEN | {"Content-Type": "text/plain"})


async def _redirect(request: Request) -> Response:
    await request.body()  # else the log would not have it
    query = request.url.query
    status = int(query) if query.isdecimal() else 302
    headers = _OPEN | {"Location": f"echo?after-{query}", "Content-Type": "text/plain"}
    return Response(f"it is elsewhere: {query}", status, headers)


async def _chunks(request: Request) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        for number in range(int(request.url.query)):
            yield b"%d " % number * 500

    return StreamingResponse(pieces(), media_type="text/plain")


def _packed(_: Request) -> Response:
    return Response(PACKED, headers={"Content-Encoding": "gzip", "Content-Type": "text/plain"})


def _large(_: Request) -> Response:
    return Response(noise(8_000_000, "large"), media_type="application/octet-stream")


@cache
def noise(size: int, seed: str) -> bytes:
    """Bytes that no compressor makes smaller."""
    return random.Random(seed).randbytes(size)


def _picture(request: Request) -> Response:
    """No two pictures are the same, and no two visits see the same."""
    return Response(_png(str(request.url.path) + request.url.query), media_type="image/png")


def _png(seed: str) -> bytes:
    picture = Image.frombytes("RGB", (80, 60), random.Random(seed).randbytes(80 * 60 * 3))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _font(_: Request) -> Response:
    folder = resources.files("webgeist.samples") / "static" / "fonts"
    name = min(path.name for path in folder.iterdir() if path.name.endswith(".woff2"))
    return Response((folder / name).read_bytes(), media_type="font/woff2")


async def _socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(await websocket.receive_text())
    await websocket.receive()


async def endless(_: Scope, receive: Receive, send: Send) -> None:
    """Says a little, then waits until nobody listens any more."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"on and on ", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


class _Busy:
    """Keeps a page from coming to rest before its script is through."""

    def __init__(self) -> None:
        self._done: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def wait(self, request: Request) -> Response:
        await self._done[request.path_params["tag"]].wait()
        return Response(status_code=204)

    async def end(self, request: Request) -> Response:
        self._done[request.path_params["tag"]].set()
        return Response(status_code=204)


def lab() -> Starlette:
    busy = _Busy()
    handlers = {
        "busy": busy.wait,
        "done": busy.end,
        "redirect": _redirect,
        "nothing": lambda _: Response(status_code=204),
        "chunks": _chunks,
        "packed": _packed,
        "large": _large,
        "picture": _picture,
        "film": lambda _: Response(noise(300_000, "film"), media_type="video/mp4"),
        "font": _font,
        "events": lambda _: Response(_EVENTS, media_type="text/event-stream"),
    }
    methods = ["GET", "POST", "PUT", "OPTIONS"]
    return Starlette(
        routes=[
            Route("/{tag}/echo", _echo, methods=methods),
            *(
                Route(f"/{{tag}}/{name}", handler, methods=methods)
                for name, handler in handlers.items()
            ),
            WebSocketRoute("/{tag}/socket", _socket),
            Route("/{tag}/{name}", _page),
        ]
    )
