"""Sends what a thread makes piece by piece, as fast as the client takes it.

Between two pieces a stream holds no thread. The server cuts off who takes nothing for too long
(`webgeist.server.running`); then the stream ends here as if the client had left.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starlette.types import Receive, Scope, Send

    from webgeist.server.serving import Streams
    from webgeist.server.workers import Workers


class StreamReply(StreamingResponse):
    """Sends the chunks of an iterator, each made in a thread."""

    def __init__(
        self,
        chunks: Iterator[bytes],
        headers: Mapping[str, str],
        workers: Workers,
        streams: Streams,
    ) -> None:
        super().__init__(chunks, headers=headers)
        self._chunks = chunks
        self._workers = workers
        self._streams = streams

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        with self._streams.one():
            first = await self._next()  # whatever is wrong with the request is known before a head
            gone = asyncio.ensure_future(left(receive))
            try:
                await self._send(first, send, gone)
            finally:
                gone.cancel()

    async def _send(self, chunk: bytes | None, send: Send, gone: asyncio.Future[None]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        while chunk is not None and not gone.done():
            if chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            chunk = await self._next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self) -> bytes | None:
        return await self._workers.run(lambda: next(self._chunks, None))


async def left(receive: Receive) -> None:
    """Ends when the client does."""
    while (await receive())["type"] != "http.disconnect":
        pass
