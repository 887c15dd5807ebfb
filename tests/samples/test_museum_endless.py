"""Exhibits without end: they go on until the client leaves or the server stops, and then they stop."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from uvicorn.protocols.utils import ClientDisconnected

from webgeist.samples.clock import Clock
from webgeist.samples.museum import EXHIBITS, Exhibit, site
from webgeist.samples.museum.endless import Pour

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

APP = site(Clock()).app
GUARD = 30  # seconds; only a hanging exhibit ever takes that long
ENDLESS_PATHS = [
    *((exhibit.path, exhibit.host) for exhibit in EXHIBITS if not exhibit.ends),
    *((f"/load/{name}", "museum") for name in ("endless.png", "endless.css", "endless.js", "never", "events.stream")),
]  # fmt: skip
SILENT = {
    ("/answers/silence", "museum"),
    ("/load/never", "museum"),
    ("/robots.txt", "robots-silent"),
}
STALLING = {("/load/stalled", "museum"), ("/load/endless.png", "museum")}


class Visitor:
    """An ASGI server's side of one request: keeps what was sent and leaves when told to."""

    def __init__(self, app: ASGIApp, path: str, host: str = "museum", kind: str = "http") -> None:
        parts = urlsplit(path)
        scope: Scope = {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": kind if kind == "http" else "ws",
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(b"host", f"{host}.localhost".encode())],
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "subprotocols": [],
        }
        self._left = False
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()
        self._outbox: asyncio.Queue[Message] = asyncio.Queue()
        first = "http.request" if kind == "http" else "websocket.connect"
        self._inbox.put_nowait({"type": first})
        self.visit = asyncio.create_task(self._visit(app, scope))

    async def _visit(self, app: ASGIApp, scope: Scope) -> None:
        await app(scope, self._inbox.get, self._send)

    async def _send(self, message: Message) -> None:
        if self._left and message["type"].startswith("websocket."):
            raise ClientDisconnected
        await self._outbox.put(message)

    async def hear(self, number: int) -> list[Message]:
        async with asyncio.timeout(GUARD):
            return [await self._outbox.get() for _ in range(number)]

    async def leave(self) -> None:
        self._left = True
        self._inbox.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(GUARD):
            await self.visit


def messages(path: str, host: str) -> int:
    """How many messages prove that the exhibit is at work."""
    if (path, host) in SILENT:
        return 0
    return 2 if (path, host) in STALLING else 5


@pytest.mark.parametrize(("path", "host"), ENDLESS_PATHS)
async def test_it_goes_on_until_the_client_leaves(path: str, host: str) -> None:
    visitor = Visitor(APP, path, host)
    heard = await visitor.hear(messages(path, host))
    assert all(message.get("more_body", True) for message in heard)
    assert not visitor.visit.done()
    await visitor.leave()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize(("path", "host"), ENDLESS_PATHS)
async def test_it_ends_when_the_server_cancels_it(path: str, host: str) -> None:
    visitor = Visitor(APP, path, host)
    await visitor.hear(messages(path, host))
    visitor.visit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await visitor.visit
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize(
    "exhibit", [e for e in EXHIBITS if not e.ends and e.status], ids=lambda e: e.title
)
async def test_it_begins_as_its_record_says(exhibit: Exhibit) -> None:
    visitor = Visitor(APP, exhibit.path, exhibit.host)
    start, first = await visitor.hear(2)
    await visitor.leave()
    assert start["status"] == exhibit.status
    assert dict(start["headers"])[b"content-type"].decode() == exhibit.content_type
    assert b"content-length" not in dict(start["headers"])
    assert first["body"]


async def test_trickle_sends_new_paragraphs() -> None:
    visitor = Visitor(APP, "/load/trickle")
    heard = await visitor.hear(5)
    await visitor.leave()
    assert [message["body"] for message in heard[2:]] == [
        b"<p>Paragraph %d</p>\n" % n for n in (1, 2, 3)
    ]


async def test_a_pour_stops_in_the_middle_when_the_client_leaves() -> None:
    made = count()
    visitor = Visitor(Pour(b"", (b"%d" % next(made) for _ in iter(int, 1))), "/")
    await visitor.hear(3)
    await visitor.leave()
    assert next(made) > 2


async def test_websocket_floods_until_the_client_leaves() -> None:
    visitor = Visitor(APP, "/load/flood", kind="websocket")
    accepted, *flood = await visitor.hear(20)
    assert accepted["type"] == "websocket.accept"
    assert {len(message["text"]) for message in flood} == {1024}
    await visitor.leave()
