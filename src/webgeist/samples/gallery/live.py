"""What scripts talk to: data to fetch, an event stream, an echo, and a font that takes its time."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute

from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.websockets import WebSocket

FONT_DELAY = 0.4  # seconds: longer than a first paint, shorter than anybody's patience
EVENTS = 5


async def _news(_: Request) -> Response:
    """Three headlines, for pages that render what they fetch."""
    prose = Prose("gallery news")
    return JSONResponse(
        [{"title": prose.title(), "text": prose.sentence()} for _ in range(3)],
        headers={"cache-control": "no-store"},
    )


async def _numbers(_: Request) -> Response:
    prose = Prose("gallery numbers")
    return JSONResponse([prose.number(1, 100) for _ in range(20)])


async def _greeting(_: Request) -> Response:
    """What the service worker answers in the server's place; this text shows that it did not."""
    return JSONResponse({"from": "server", "text": "No service worker was in the way."})


async def _service_worker(_: Request) -> Response:
    """Served beside its page and not under /static: its folder is its scope."""
    script = (files(__package__ or "") / "static" / "service-worker.js").read_bytes()
    return Response(script, media_type="text/javascript")


async def _events(_: Request) -> Response:
    return StreamingResponse(_stream(), media_type="text/event-stream")


async def _stream() -> AsyncIterator[str]:
    prose = Prose("gallery events")
    for number in range(1, EVENTS + 1):
        yield f"id: {number}\nevent: news\ndata: {prose.title()}\n\n"
    yield "event: goodbye\ndata: that was all\n\n"


async def _late_font(_: Request) -> Response:
    await asyncio.sleep(FONT_DELAY)
    return RedirectResponse("/assets/fonts/webgeist-display.woff2", status_code=302)


async def _echo(socket: WebSocket) -> None:
    """Sends back what it hears until the other side hangs up."""
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(f"echo: {text}")


ROUTES = [
    Route("/data/news.json", _news),
    Route("/data/numbers.json", _numbers),
    Route("/service-worker/greeting.json", _greeting),
    Route("/service-worker/worker.js", _service_worker),
    Route("/events/stream", _events),
    Route("/late-font/late.woff2", _late_font),
    WebSocketRoute("/websocket/echo", _echo),
]
