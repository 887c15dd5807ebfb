"""The tunnel: a way out that only decides who may be connected to. Bytes pass through unread.

One loopback port per slot, as with the recording proxy, but it speaks SOCKS5: Chromium sends names
and resolves none itself, so the gate resolves each once, checks every address and dials what it
checked. TLS and HTTP stay between Chromium and the server. What is recorded are the connections
alone, each as a CONNECT without headers or bodies.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from webgeist.capture.gate import Endpoint, Gate, RefusedError, is_here
from webgeist.capture.recorder import socks
from webgeist.capture.recorder.heads import RequestHead, ResponseHead
from webgeist.capture.recorder.origin import Origin
from webgeist.capture.recorder.pipe import End, join
from webgeist.capture.recorder.port import LOOPBACK, PageSlot
from webgeist.capture.recorder.upstream import OriginError, explained

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Collection

    from webgeist.capture.recorder.recording import Recording
    from webgeist.settings import Settings

_TLS_PORT = 443
_CONNECTED = 200
_PIECE = 4096

Heard = TypeVar("Heard", socks.Greeting, socks.Request)

_REPLIES = {
    "destination_ip_prohibited": socks.PROHIBITED,
    "proxy_loop_detected": socks.PROHIBITED,
    "http_request_denied": socks.PROHIBITED,
    "connection_refused": socks.REFUSED,
}


class Tunnel:
    """A `Recorder` of connections. `gate` follows the settings unless given. Use it and close it
    in one event loop.
    """

    arguments: tuple[str, ...] = ()

    def __init__(self, settings: Settings, gate: Gate | None = None) -> None:
        self._settings = settings
        self._gate = gate or Gate.of(settings.gate)
        self._ports: set[int] = set()
        self._slots: list[TunnelSlot] = []

    async def slot(self) -> TunnelSlot:
        slot = TunnelSlot(self._gate, self._ports, self._settings)
        self._ports.add(slot.port)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        for slot in self._slots:
            await slot.close()
        self._slots.clear()


class TunnelSlot(PageSlot):
    """A slot that is a SOCKS proxy."""

    def __init__(self, gate: Gate, own_ports: Collection[int], settings: Settings) -> None:
        super().__init__(settings)
        self._gate = gate
        self._own_ports = own_ports

    @property
    def proxy(self) -> str:
        return f"socks5://{LOOPBACK}:{self.port}"

    async def _receive(self, client: socket.socket, recording: Recording) -> None:
        try:
            await self._put_through(client, recording)
        finally:
            client.close()

    async def _put_through(self, client: socket.socket, recording: Recording) -> None:
        try:
            async with asyncio.timeout(self._gate.seconds):
                asked, said = await _enter(client)
        except socks.BadSocksError as error:
            await _say(client, error.answer)
            return
        page, end = End(), End()
        try:
            reply = await self._record(_origin(asked), end, recording)
            await _say(client, socks.reply(reply))
            if reply == socks.DONE:
                await asyncio.get_running_loop().connect_accepted_socket(lambda: page, client)
                await join(page, end, said)
        finally:
            await page.leave()
            await end.leave()

    async def _record(self, origin: Origin, end: End, recording: Recording) -> int:
        """Connect `end` to `origin`, and write down how that went. What to reply."""
        if recording.full:
            return socks.PROHIBITED
        draft = recording.draft(RequestHead("CONNECT", origin, b"/", ()))
        try:
            await self._dial(origin, end)
        except OriginError as error:
            draft.fail_by(error)
            return _REPLIES.get(error.cause, socks.FAILED)
        except asyncio.CancelledError:
            draft.fail("", "the page's time was up", "time")
            raise
        else:
            draft.answer, draft.whole = ResponseHead(_CONNECTED, "", ()), True
            draft.address = end.peer
            return socks.DONE
        finally:
            recording.add(draft)

    async def _dial(self, origin: Origin, end: End) -> None:
        try:
            addresses = await self._gate.addresses(origin.host, origin.port)
            if origin.port in self._own_ports and is_here(addresses):
                raise OriginError("proxy_loop_detected", f"{origin.url()} is webgeist's own proxy")
            place = Endpoint(origin.host, origin.port)
            await self._gate.connect(lambda: end, addresses, place)
        except (RefusedError, OSError) as error:
            raise explained(error, origin) from error


def _origin(asked: socks.Request) -> Origin:
    """Who is asked for. The port must tell what will be spoken: SOCKS does not."""
    scheme = "https" if asked.port == _TLS_PORT else "http"
    return Origin(scheme, asked.host, asked.port)


async def _enter(client: socket.socket) -> tuple[socks.Request, bytes]:
    """What a client wants, and what it has already said to whom it wants."""
    _, said = await _hear(client, socks.greeting, b"")
    await _say(client, socks.WELCOME)
    return await _hear(client, socks.request, said)


async def _hear(
    client: socket.socket, parse: Callable[[bytes], Heard | None], said: bytes
) -> tuple[Heard, bytes]:
    while (heard := parse(said)) is None:
        more = await asyncio.get_running_loop().sock_recv(client, _PIECE)
        if not more:
            raise socks.BadSocksError("it left within its first words")
        said += more
    return heard, said[heard.size :]


async def _say(client: socket.socket, words: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(client, words)
