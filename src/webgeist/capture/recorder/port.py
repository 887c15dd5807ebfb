"""A port on loopback that a tab's connections come to, each served by a task of its own."""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from webgeist.capture.recorder.recording import Recording
from webgeist.capture.recorder.talk import PageLeftError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webgeist.capture.exchange import Exchange
    from webgeist.settings import Settings

    Welcome = Callable[[socket.socket], Coroutine[None, None, None] | None]

LOOPBACK = "127.0.0.1"


class Port:
    """Listens until it is closed. `welcome` says what to do with a connection, which is then its
    to close; None turns it away.
    """

    def __init__(self, welcome: Welcome) -> None:
        self._welcome = welcome
        self._visits: set[asyncio.Task[None]] = set()
        self._listener = socket.create_server((LOOPBACK, 0), backlog=128)
        self._listener.setblocking(False)
        self.number: int = self._listener.getsockname()[1]
        asyncio.get_running_loop().add_reader(self._listener, self._accept)

    @property
    def closed(self) -> bool:
        return self._listener.fileno() < 0

    async def cut(self) -> None:
        """End every connection that is open."""
        visits = list(self._visits)
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)

    def close(self) -> None:
        """Listen no more. What is open stays so."""
        if not self.closed:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()

    def _accept(self) -> None:
        """Not a coroutine: one that is cancelled while accepting would lose the socket."""
        try:
            client, _ = self._listener.accept()
        except (BlockingIOError, ConnectionError):  # it left before it came in
            return
        client.setblocking(False)
        # asyncio does this only for sockets that say they are TCP; those of `accept` don't. Without
        # it, the end of an answer waits for the browser's delayed acknowledgement: 40 ms.
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        serving = self._welcome(client)
        if serving is None:
            client.close()
            return
        visit = asyncio.create_task(serving)
        self._visits.add(visit)
        visit.add_done_callback(self._visits.discard)


class PageSlot(ABC):
    """A port for one page at a time, whose connections are recorded. Between pages it answers
    nobody.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = (settings.limits.requests, settings.recorder.body_bytes)
        self._recording: Recording | None = None
        self._port = Port(self._welcome)
        self.port = self._port.number

    @property
    @abstractmethod
    def proxy(self) -> str:
        """The address that a browser is to use."""

    @abstractmethod
    async def _receive(self, client: socket.socket, recording: Recording) -> None:
        """Serve one connection from beginning to end, and close it."""

    def begin(self) -> None:
        if self._recording is not None:
            raise RuntimeError("this slot is in use by another page")
        self._recording = Recording(*self._most)

    def drain(self) -> list[Exchange]:
        """What came so far, of a page that stays: whoever drives a browser for hours needs it."""
        return [] if self._recording is None else self._recording.drain()

    async def end(self) -> list[Exchange]:
        recording, self._recording = self._recording, None
        if recording is None:
            return []
        await self._port.cut()
        return recording.close()

    async def close(self) -> None:
        self._port.close()
        for exchange in await self.end():
            exchange.close()

    def _welcome(self, client: socket.socket) -> Coroutine[None, None, None] | None:
        recording = self._recording
        return None if recording is None else self._visit(client, recording)

    async def _visit(self, client: socket.socket, recording: Recording) -> None:
        """Our own failures are told when the page ends."""
        try:
            await self._receive(client, recording)
        except (PageLeftError, OSError):
            return  # browsers come and go
        except Exception as error:  # noqa: BLE001 - kept, and raised where the page ends
            recording.failure = recording.failure or error
