"""Answers that never end by themselves, but always when the client leaves or the server stops."""

from __future__ import annotations

import asyncio
from itertools import repeat
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import Receive, Scope, Send


async def gone(receive: Receive) -> None:
    """Returns when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Silence(Response):
    """Takes the request and never says a word."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (ASGI's own form)
        await gone(receive)


class Trickle(Response):
    """Sends `first`, then one of `chunks` every `pause` seconds; without chunks it falls silent."""

    def __init__(
        self,
        first: bytes,
        chunks: Iterable[bytes] = (),
        *,
        content_type: str = "text/html; charset=utf-8",
        pause: float = 0.05,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(headers={"content-type": content_type} | (headers or {}))
        del self.headers["content-length"]
        self._first = first
        self._chunks = iter(chunks)
        self._pause = pause

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (ASGI's own form)
        leaving = asyncio.create_task(gone(receive))
        try:
            await self._talk(send, leaving)
        finally:
            leaving.cancel()
            await asyncio.wait({leaving})

    async def _talk(self, send: Send, leaving: asyncio.Task[None]) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        await send({"type": "http.response.body", "body": self._first, "more_body": True})
        for chunk in self._chunks:
            await asyncio.wait({leaving}, timeout=self._pause)
            if leaving.done():
                return
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await leaving


def forever(chunk: bytes) -> Iterable[bytes]:
    return repeat(chunk)


class Pour(Trickle):
    """Sends a body that does end, chunk by chunk as fast as it is read: for what is too big to hold."""

    async def _talk(self, send: Send, leaving: asyncio.Task[None]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        for chunk in self._chunks:
            await asyncio.sleep(0)
            if leaving.done():
                return
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
