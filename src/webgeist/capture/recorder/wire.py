"""One end of a connection: read what came, send and wait until there is room. Both have limits."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_BUFFERED = 256 * 1024  # bytes that may wait, in each direction


class Wire(asyncio.Protocol):
    """Bytes in pieces as they came, without copying; a reader that is slow makes its peer slow.

    `on_end` is called once, when the peer has left or the connection broke. `said` is what came
    before there was a wire; `gone` is done when nothing is left of it.
    """

    def __init__(self, said: bytes = b"") -> None:
        self.on_end: Callable[[], None] | None = None
        self._pieces: deque[bytes] = deque([said] if said else [])
        self._waiting = len(said)  # bytes in them
        self._ended = False
        self._failure: Exception | None = None
        self._paused = False
        self._arrival: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise RuntimeError("not connected yet")
        return self._transport

    @property
    def ended(self) -> bool:
        return self._ended

    @property
    def idle(self) -> bool:
        """Whether it is open, and the peer has said nothing that was not read."""
        return not (self._ended or self._pieces or self.transport.is_closing())

    async def read(self, seconds: float | None = None) -> bytes:
        """The next piece; none at the end. OSError if the connection broke or is late."""
        if not self._pieces and not self._ended:
            async with asyncio.timeout(seconds):
                self._arrival = asyncio.get_running_loop().create_future()
                await self._arrival
        if not self._pieces:
            if self._failure is not None:
                raise self._failure
            return b""
        piece = self._pieces.popleft()
        self._waiting -= len(piece)
        if self._paused and self._waiting < _BUFFERED:
            self._paused = False
            self.transport.resume_reading()
        return piece

    async def send(self, data: bytes) -> None:
        """Send, and wait until most of it is on its way. OSError if the connection is over."""
        if self._transport is None or self._transport.is_closing():
            raise self._failure or ConnectionResetError("the connection is over")
        self._transport.write(data)
        if self._room is not None:
            await self._room

    def close(self) -> None:
        """Send what is to be sent, then close."""
        self.transport.close()

    def abort(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(_BUFFERED)

    def data_received(self, data: bytes) -> None:
        self._pieces.append(data)
        self._waiting += len(data)
        if self._waiting >= _BUFFERED and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._arrive()

    def eof_received(self) -> bool:
        self._end()
        # Our own direction stays open, so that half a request gets its answer; TLS cannot do that.
        return self.transport.get_extra_info("sslcontext") is None

    def connection_lost(self, exc: Exception | None) -> None:
        self._failure = exc
        self.resume_writing()
        self._end()
        if not self.gone.done():
            self.gone.set_result(None)

    def pause_writing(self) -> None:
        self._room = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        room, self._room = self._room, None
        if room is not None and not room.done():
            room.set_result(None)

    def _arrive(self) -> None:
        arrival, self._arrival = self._arrival, None
        if arrival is not None and not arrival.done():
            arrival.set_result(None)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            if self.on_end is not None:
                self.on_end()
        self._arrive()
