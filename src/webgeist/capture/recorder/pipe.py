"""Two connections joined: what one hears the other says, no faster than it can. Nothing is kept.

Half a connection may end before the other half; one that breaks breaks the other the same way, so
that a browser sees a reset of its server as a reset.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import cast

_BUFFERED = 256 * 1024  # bytes that may wait for a slow reader, in each direction
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class End(asyncio.Protocol):
    """One end of a pipe. Until it is joined it reads nothing; `gone` is done when it is closed."""

    def __init__(self) -> None:
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._other: End | None = None
        self.heard_out = False  # its peer has no more to say

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise RuntimeError("not connected yet")
        return self._transport

    @property
    def _sink(self) -> asyncio.Transport:
        if self._other is None:
            raise RuntimeError("not joined yet")
        return self._other.transport

    @property
    def peer(self) -> str | None:
        """The address at the other side of this connection."""
        name = self.transport.get_extra_info("peername")
        return str(name[0]) if name else None

    def speak_for(self, other: End) -> None:
        """From now on read, for `other` to say."""
        self._other = other
        self.transport.resume_reading()

    async def leave(self) -> None:
        """Close at once, whatever is still to be said; there may be nothing to close."""
        if self._transport is not None:
            self._transport.abort()
            await self.gone

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(_BUFFERED)
        self._transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        self._sink.write(data)

    def eof_received(self) -> bool:
        """Pass the end on; the other direction stays open until it ends too."""
        self.heard_out = True
        if self._other is not None and self._other.heard_out:
            self._sink.close()
            return False
        self._sink.write_eof()
        return True

    def pause_writing(self) -> None:
        if self._other is not None:
            self._other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._other is not None:
            self._other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.gone.done():
            self.gone.set_result(None)
        if self._other is None:
            return
        if exc is not None:
            self._other.reset()
        else:
            self._other.transport.close()

    def reset(self) -> None:
        """Close so that the peer knows that something broke."""
        if not self.transport.is_closing():
            peer = cast("socket.socket", self.transport.get_extra_info("socket"))
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            self.transport.close()


async def join(page: End, origin: End, said: bytes = b"") -> None:
    """Pass bytes both ways until both sides are closed. `said` is what the page said before."""
    origin.transport.write(said)
    page.speak_for(origin)
    origin.speak_for(page)
    await page.gone
    await origin.gone
