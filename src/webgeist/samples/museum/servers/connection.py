"""What a nasty server is, and the connection its handler talks through."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from asyncio import StreamReader, StreamWriter
    from collections.abc import Awaitable, Callable

    Handler = Callable[["Connection"], Awaitable[None]]

_RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # linger for no time at all: close sends RST


@dataclass(frozen=True)
class Credentials:
    """What a TLS server shows, and the authority that makes a client believe it, if any can."""

    context: ssl.SSLContext | None = None  # none: the handler speaks to the bare socket
    authority: str | None = None  # PEM


@dataclass(frozen=True)
class NastyServer:
    """One way to be nasty: what it does, what a robust client makes of it, and the handler.

    When the handler returns, the connection is closed in the normal way.
    """

    nastiness: str
    expected: str
    handle: Handler
    credentials: Callable[[], Credentials] | None = None
    tls: bool = False  # a client should talk TLS to it, whether or not it will get far


class Connection:
    """One client. Every method may raise ConnectionError when the client has left."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def request(self) -> bytes:
        """The head of the next request; ConnectionError if there is none."""
        try:
            return await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the client left") from error

    async def some(self) -> bytes:
        """Whatever comes first, without waiting for more."""
        return await self._reader.read(65_536)

    async def say(self, data: bytes) -> None:
        """Send, and let everybody else run: also a client who reads fast cannot stall the loop."""
        self._writer.write(data)
        await self._writer.drain()
        await asyncio.sleep(0)

    async def until_gone(self) -> None:
        """Say nothing until the client leaves."""
        while await self._reader.read(65_536):
            pass

    def end_of_speech(self) -> None:
        """Close our direction only."""
        self._writer.write_eof()

    def reset(self) -> None:
        """Close with RST; what has not been sent is lost."""
        raw = self._writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
        self._writer.transport.abort()
