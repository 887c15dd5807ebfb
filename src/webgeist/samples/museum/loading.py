"""Hall: pages that are never done loading, or load too much."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from webgeist.samples.museum import documents
from webgeist.samples.museum.bombs import gzip_bomb
from webgeist.samples.museum.endless import Pour, Silence, Trickle, forever
from webgeist.samples.museum.exhibit import Exhibit, Hall, html, number, page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.websockets import WebSocket

_AT_LIMIT = "a client captures what is there at its limit and reports what was still loading"
_FLOOD = "x" * 1024


def _paragraphs() -> Iterator[bytes]:
    for n in count(1):
        yield b"<p>Paragraph %d</p>\n" % n


def _trickle(_: Request) -> Response:
    return Trickle(b"<!doctype html><title>Trickle</title><h1>Trickle</h1>\n", _paragraphs())


def _stalled(_: Request) -> Response:
    return Trickle(b"<!doctype html><title>Stalled</title><h1>The first half of a p")


def _document_bomb(_: Request) -> Response:
    bomb = gzip_bomb(1024, b"<p>boom</p>\n" * 87_381)
    return Pour(b"", bomb, headers={"content-encoding": "gzip"})


def _many_requests(request: Request) -> Response:
    pictures = "".join(
        f'<img src="/load/pixel.png?{n}" alt="">' for n in range(number(request, "n", 2000))
    )
    return HTMLResponse(html("Many requests", pictures))


def _cookies(request: Request) -> Response:
    """Each cookie belongs to a path nobody asks for, so that the flood stays in this exhibit."""
    response = HTMLResponse(html("Cookies", "<h1>Have a cookie</h1>"))
    for n in range(number(request, "n", 500)):
        response.set_cookie(f"crumb{n}", "x" * 100, path="/load/cookies/jar")
    return response


async def _picture_endless(_: Request) -> Response:
    return Trickle(documents.png(2000, 2000)[:60], content_type="image/png")


async def _styles_endless(_: Request) -> Response:
    return Trickle(b"h1 { color: teal }\n", forever(b"/* and */\n"), content_type="text/css")


async def _script_endless(_: Request) -> Response:
    return Trickle(b"let n = 0;\n", forever(b"n++;\n"), content_type="text/javascript")


async def _silence(_: Request) -> Response:
    return Silence()


async def _events(_: Request) -> Response:
    return Trickle(b"retry: 10\n\n", forever(b"data: tick\n\n"), content_type="text/event-stream")


async def _pixel(_: Request) -> Response:
    return Response(documents.png(), media_type="image/png")


async def _huge_picture(_: Request) -> Response:
    return Response(documents.png(30_000, 30_000), media_type="image/png")


async def flood(socket: WebSocket) -> None:
    """A kilobyte every millisecond, until the client has had enough."""
    await socket.accept()
    try:
        while True:
            await socket.send_text(_FLOOD)
            await asyncio.sleep(0.001)
    except WebSocketDisconnect:
        return


def _load(
    path: str, title: str, nastiness: str, body: str, *, expected: str = _AT_LIMIT, head: str = ""
) -> Exhibit:
    answer = page(title, f"<h1>{title}</h1>\n{body}", head)
    return Exhibit(f"/load/{path}", title, nastiness, expected, "load", answer)


_FONT_FACE = "<style>@font-face { font-family: never; src: url(/load/never) } h1 { font-family: never }</style>"

_EXHIBITS = (
    Exhibit("/load/trickle", "Trickling page", "the HTML comes a paragraph at a time and never ends", _AT_LIMIT, "load", _trickle, ends=False),
    Exhibit("/load/stalled", "Stalled page", "the HTML stops in the middle of a word and the connection stays open", _AT_LIMIT, "load", _stalled, ends=False),
    Exhibit("/load/bomb", "Compressed bomb", "a megabyte of gzip that expands to a gigabyte of HTML", "a client stops expanding at its limit and reports a body that is too large", "load", _document_bomb),
    _load("image", "Image without end", "an image starts and never finishes: no load event", '<img src="/load/endless.png" alt="" width="100" height="100">'),
    _load("stylesheet", "Stylesheet without end", "a stylesheet that never finishes holds the first paint back", "<p>Styled?</p>", head='<link rel="stylesheet" href="/load/endless.css">'),
    _load("script", "Script without end", "a script that never finishes holds the parser", "<p>After the script.</p>", head='<script src="/load/endless.js"></script>'),
    _load("font", "Font that never loads", "the heading's font is never answered: text stays invisible, no load event, fonts never ready", "<p>Text</p>", head=_FONT_FACE),
    _load("frame", "Frame without end", "a frame that is never answered", '<iframe src="/load/never"></iframe>'),
    _load("fetch", "Fetch without end", "a request of a script is never answered: the network is never idle", "<script>fetch('/load/never')</script>"),
    _load("events", "Events without end", "a server-sent event stream that ticks for ever", "<script>new EventSource('/load/events.stream').onmessage = () => document.body.append('tick ')</script>"),
    _load("websocket", "Websocket flood", "a websocket sends a kilobyte every millisecond", "<script>new WebSocket('ws://' + location.host + '/load/flood').onmessage = () => {}</script>"),
    _load("huge-image", "Huge image", "a small PNG of 30,000 by 30,000 pixels", '<img src="/load/huge.png" alt="" width="300">', expected="a client captures the page without expanding the picture beyond its limits"),
    _load("private", "Private addresses", "images from private, link-local and loopback addresses", '<img src="http://10.0.0.1/a.png" alt=""><img src="http://169.254.169.254/latest/" alt=""><img src="http://[::1]:9/" alt=""><img src="http://0.0.0.0:9/" alt="">', expected="a client does not connect to them, and reports each as refused"),
    Exhibit("/load/requests?n=2000", "Two thousand requests", "a page of two thousand images (n says how many)", "a client records up to its limit of requests and says what it left out", "load", _many_requests),
    Exhibit("/load/cookies?n=500", "Cookie flood", "five hundred cookies in one answer: 70 kB of headers", "a client reads the headers up to its limit, or reports that they are too large", "load", _cookies),
)  # fmt: skip

HALL = Hall(
    "Loading without end",
    _EXHIBITS,
    (
        Route("/load/endless.png", _picture_endless),
        Route("/load/endless.css", _styles_endless),
        Route("/load/endless.js", _script_endless),
        Route("/load/never", _silence),
        Route("/load/events.stream", _events),
        Route("/load/pixel.png", _pixel),
        Route("/load/huge.png", _huge_picture),
        WebSocketRoute("/load/flood", flood),
    ),
)
