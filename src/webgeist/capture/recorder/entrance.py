"""How a browser's connection begins: plain requests to the proxy, or CONNECT and then TLS or not.

All of it happens on the bare socket. So when the first byte after CONNECT shows what will be
spoken, the transport is made for that from the start, and no byte has to be given back.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.capture.recorder.http1 import HEAD_BYTES, PageSide
from webgeist.capture.recorder.notices import notice
from webgeist.capture.recorder.origin import BadTargetError, Origin, parse_authority
from webgeist.capture.recorder.wire import Wire

if TYPE_CHECKING:
    import ssl

_CONNECT = b"CONNECT "
_TLS_HANDSHAKE = b"\x16"
_PIECE = 64 * 1024
_WELCOME = b"HTTP/1.1 200 Connection Established\r\n\r\n"


class BadEntranceError(Exception):
    """Whoever came does not know how to ask a proxy for a tunnel."""


@dataclass(frozen=True)
class Entrance:
    """Where the browser wants to be put through to, if anywhere, and what it has said already."""

    tunnel: Origin | None = None
    said: bytes = b""


async def enter(client: socket.socket, seconds: float) -> Entrance:
    """Hear what a new connection is for. It may take its time to begin, not to go on."""
    loop = asyncio.get_running_loop()
    said = await loop.sock_recv(client, _PIECE)
    try:
        async with asyncio.timeout(seconds):
            while said and _may_be_connect(said) and b"\r\n\r\n" not in said:
                said += await _more(client, len(said))
    except TimeoutError as error:
        raise BadEntranceError(f"its head did not come within {seconds:g} s") from error
    if not said.startswith(_CONNECT):
        return Entrance(said=said)
    authority = tunnel_of(said)
    await loop.sock_sendall(client, _WELCOME)
    scheme = "https" if await _first_byte(client) == _TLS_HANDSHAKE else "http"
    return Entrance(Origin(scheme, authority.host, authority.port))


async def _more(client: socket.socket, so_far: int) -> bytes:
    if so_far > HEAD_BYTES:
        raise BadEntranceError(f"its head is longer than {HEAD_BYTES} bytes")
    more = await asyncio.get_running_loop().sock_recv(client, _PIECE)
    if not more:
        raise BadEntranceError("it ends within its head")
    return more


def _may_be_connect(said: bytes) -> bool:
    return said[: len(_CONNECT)] == _CONNECT[: len(said)]


def tunnel_of(head: bytes) -> Origin:
    """Who a CONNECT request wants to speak to."""
    if head.partition(b"\r\n\r\n")[2]:
        raise BadEntranceError("something comes after CONNECT before it is answered")
    words = head.partition(b"\r\n")[0].split(b" ")
    if len(words) != len(("CONNECT", "host:port", "version")) or not words[2].startswith(b"HTTP/1"):
        raise BadEntranceError("CONNECT takes a host, a port and a version")
    try:
        return parse_authority(words[1].decode("latin-1"), "https", needs_port=True)
    except BadTargetError as error:
        raise BadEntranceError(str(error)) from error


async def _first_byte(client: socket.socket) -> bytes:
    """The first byte, which stays unread. None if the browser leaves instead."""
    loop = asyncio.get_running_loop()
    arrival: asyncio.Future[None] = loop.create_future()
    loop.add_reader(client, _arrive, arrival)
    try:
        await arrival
    finally:
        loop.remove_reader(client)
    return client.recv(1, socket.MSG_PEEK)


def _arrive(arrival: asyncio.Future[None]) -> None:
    if not arrival.done():  # the loop may look twice before anybody else runs
        arrival.set_result(None)


async def refuse(client: socket.socket, sentence: str) -> None:
    """Tell why there is no entrance; the caller closes."""
    page = PageSide()
    head, body = notice("http_request_error", sentence)
    said = page.answer(head) + page.body(body) + page.end()
    await asyncio.get_running_loop().sock_sendall(client, said)


async def connect(
    client: socket.socket, said: bytes, tls: ssl.SSLContext | None, seconds: float
) -> Wire:
    """The connection as a wire. OSError if TLS fails."""
    wire = Wire(said)
    await asyncio.get_running_loop().connect_accepted_socket(
        lambda: wire, client, ssl=tls, ssl_handshake_timeout=seconds if tls else None
    )
    return wire
