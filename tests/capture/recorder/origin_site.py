"""A site for the recorders: every way in which a page can ask, and a log of what was asked.

Addresses are /CASE/KIND: the kind says how they are answered, the case whose they are.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import socket
import struct
import threading
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from tests.capture.recorder.origin_page import FRAME, NESTED, PAGE, SERVICE, SHARED, WORKER
from tests.repository.archive.exchanges import BROTLI, BROTLI_PLAIN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from starlette.requests import Request
    from starlette.types import Message, Receive, Scope, Send
    from starlette.websockets import WebSocket

PLAIN = BROTLI_PLAIN
LATIN = "Grüße an alle ".encode("latin-1") * 50
BYTES = bytes(range(256)) * 10
LARGE = b"0123456789abcdef" * (8 << 16)
EVENTS = b"event: news\ndata: 1\n\nevent: goodbye\ndata: 2\n\n"
PART = b"as far as it goes " * 50
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
OPEN = {"access-control-allow-origin": "*", "access-control-allow-methods": "*"}
OPEN["access-control-allow-headers"] = "*"


def zstd(data: bytes) -> bytes:
    """A Zstandard frame of one block that is not compressed."""
    head = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    return head + struct.pack("<I", len(data) << 3 | 1)[:3] + data


STILL: dict[str, tuple[bytes, dict[str, str]]] = {
    "frame": (FRAME.encode(), {"content-type": "text/html"}),
    "worker.js": (WORKER.encode(), {"content-type": "text/javascript"}),
    "nested.js": (NESTED.encode(), {"content-type": "text/javascript"}),
    "shared.js": (SHARED.encode(), {"content-type": "text/javascript"}),
    "service.js": (SERVICE.encode(), {"content-type": "text/javascript"}),
    "gzip": (gzip.compress(PLAIN, mtime=0), {"content-encoding": "gzip"}),
    "br": (BROTLI, {"content-encoding": "br"}),
    "zstd": (zstd(PLAIN), {"content-encoding": "zstd"}),
    "deflate": (zlib.compress(PLAIN), {"content-encoding": "deflate"}),
    "latin": (LATIN, {"content-type": "text/plain; charset=iso-8859-1"}),
    "utf16": ("Grüße €".encode("utf-16"), {"content-type": "text/plain; charset=utf-16"}),
    "marked": (b"\xef\xbb\xbfmarked", {"content-type": "text/plain; charset=utf-8"}),
    "broken": (b"\xff\xfe\xc3\x28 text" * 9, {"content-type": "text/plain; charset=utf-8"}),
    "bytes": (BYTES, {"content-type": "application/octet-stream"}),
    "large": (LARGE, {"content-type": "application/octet-stream"}),
    "pixel": (PIXEL, {"content-type": "image/png"}),
    "font": (b"no font at all", {"content-type": "font/woff2"}),
    "closed": (b"for our own pages only", {"content-type": "text/plain"}),
    "cached": (b"keep this", {"content-type": "text/plain", "cache-control": "max-age=1000"}),
    "file": (b"to be saved", {"content-disposition": "attachment"}),
    "page": (PAGE.encode(), {"content-type": "text/html; charset=utf-8", "set-cookie": "a=b"}),
}


async def echo(request: Request) -> Response:
    """What it was sent and what for; long enough for two pieces."""
    body = await request.body()
    said = f"{request.method} {request.url.path} ".encode() * 5_000 + body
    return Response(said, headers={**OPEN, "content-type": "text/plain", "vary": "cookie"})


async def allow(request: Request) -> Response:
    """A preflight is answered without a body, as most are."""
    if request.method == "OPTIONS":
        return Response(status_code=204, headers=OPEN)
    return await echo(request)


def redirect(request: Request) -> Response:
    return RedirectResponse(f"/{request.path_params['case']}/echo", 307)


def moved(request: Request) -> Response:
    """A redirect with a body, which nobody ever sees."""
    where = {"location": f"/{request.path_params['case']}/echo"}
    return Response(b"it has moved", 302, headers=where)


def part(_: Request) -> Response:
    return Response(b"0123456789", 206, headers={"content-range": "bytes 10-19/100"})


def tagged(request: Request) -> Response:
    if request.headers.get("if-none-match") == '"tag"':
        return Response(status_code=304, headers={"etag": '"tag"'})
    return Response(b"tagged", headers={"etag": '"tag"', "cache-control": "no-cache"})


async def chunked(_: Request) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        for number in range(5):
            yield b"piece %d " % number * 1000
            await asyncio.sleep(0)

    return StreamingResponse(pieces(), media_type="text/plain")


async def answered(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(await websocket.receive_text())
    await websocket.receive()


def still(body: bytes, headers: dict[str, str]) -> Callable[[Request], Response]:
    return lambda _: Response(body, headers=headers)


def site() -> Starlette:
    done = asyncio.Event()

    async def until_done(_: Request) -> Response:
        """Keeps the page from coming to rest before its script is through."""
        await done.wait()
        return Response(status_code=204)

    async def set_done(_: Request) -> Response:
        done.set()
        return Response(status_code=204)

    kinds: dict[str, Any] = {kind: still(*answer) for kind, answer in STILL.items()}
    kinds |= {"echo": echo, "allow": allow, "redirect": redirect, "moved": moved, "part": part}
    kinds |= {"tagged": tagged, "chunked": chunked, "until-done": until_done, "done": set_done}
    kinds |= {"nothing": lambda _: Response(status_code=204)}
    methods = ["GET", "POST", "PUT", "OPTIONS"]
    routes = [Route(f"/{{case}}/{kind}", answer, methods=methods) for kind, answer in kinds.items()]
    return Starlette(routes=[*routes, WebSocketRoute("/{case}/socket", answered)])


async def unfinished(scope: Scope, receive: Receive, send: Send) -> None:
    """/endless and /events never end; /cut and /cut-chunks break off; /last-events ends."""
    kind = scope["path"].rpartition("/")[2]
    events = kind.endswith("events")
    headers = [(b"content-type", b"text/event-stream" if events else b"text/plain")]
    if kind == "cut":
        headers.append((b"content-length", b"100000"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    body = EVENTS if events else PART
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if kind.startswith("cut"):
        raise ConnectionAbortedError
    if kind == "last-events":
        await send({"type": "http.response.body"})
        return
    while (await receive())["type"] != "http.disconnect":
        pass


UNFINISHED = ("endless", "events", "last-events", "cut", "cut-chunks")


@dataclass
class Seen:
    """One request as the server saw it, and the answer that it gave."""

    method: str
    url: str
    headers: list[tuple[bytes, bytes]]
    asked: bytes = b""
    status: int = 0
    answer_headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    said: bytes = b""


class Witness:
    """The site as NAME.web.localhost; writes down all that it is asked and says."""

    def __init__(self, base: str) -> None:
        self.log: list[Seen] = []
        self._base = base  # scheme://%s:port
        self._site: Starlette | None = None

    def url(self, name: str, path: str) -> str:
        return self._base % f"{name}.web.localhost" + path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._site = self._site or site()
        name = dict(scope["headers"])[b"host"].decode().partition(".")[0]
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        url = self.url(name, (scope["raw_path"] + query).decode())
        seen = Seen(scope.get("method", "GET"), url, scope["headers"])
        self.log.append(seen)

        async def hearing() -> Message:
            message = await receive()
            seen.asked += message.get("body") or b""
            return message

        async def saying(message: Message) -> None:
            _note(seen, message)
            await send(message)

        answers = unfinished if url.rpartition("/")[2] in UNFINISHED else self._site
        await answers(scope, hearing, saying)


def _note(seen: Seen, message: Message) -> None:
    match message["type"]:
        case "websocket.accept":
            seen.status = 101
        case "websocket.close":
            seen.status = seen.status or 403
        case "http.response.start":
            seen.status, seen.answer_headers = message["status"], message["headers"]
        case "http.response.body" if seen.method != "HEAD":
            seen.said += message.get("body") or b""


@contextmanager
def witness(certificate: str | None = None) -> Iterator[Witness]:
    """The site on a free port; with the path of a certificate and its key, over HTTPS."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = Witness(f"http{'s' if certificate else ''}://%s:{port}")
        config = uvicorn.Config(
            app,
            log_level="critical",
            lifespan="off",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
            ssl_certfile=certificate,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield app
        server.should_exit = True
        thread.join()
