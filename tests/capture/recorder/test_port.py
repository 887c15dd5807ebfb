"""A loopback port: who comes is served, turned away or cut, and no socket is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.port import LOOPBACK, Port

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Coroutine


class Host:
    """Says hello and waits for ever, while its door is open."""

    def __init__(self) -> None:
        self.open = True
        self.served = 0
        self.cut = 0

    def __call__(self, client: socket.socket) -> Coroutine[None, None, None] | None:
        return self._serve(client) if self.open else None

    async def _serve(self, client: socket.socket) -> None:
        self.served += 1
        try:
            await asyncio.get_running_loop().sock_sendall(client, b"hello")
            await asyncio.Event().wait()
        finally:
            self.cut += 1
            client.close()


@pytest.fixture
async def host() -> Host:
    return Host()


@pytest.fixture
async def port(host: Host) -> AsyncIterator[Port]:
    port = Port(host)
    yield port
    port.close()
    await port.cut()


async def visit(port: Port, size: int) -> bytes:
    """The first `size` bytes that a visitor is told; fewer if it is hung up on."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port.number)
    try:
        return await reader.readexactly(size)
    except asyncio.IncompleteReadError as cut:
        return cut.partial
    finally:
        writer.close()
        await writer.wait_closed()


async def test_who_comes_is_served_at_once_with_others(port: Port, host: Host) -> None:
    assert await asyncio.gather(*(visit(port, 5) for _ in range(20))) == [b"hello"] * 20
    assert host.served == 20


async def test_who_is_not_welcome_is_turned_away(port: Port, host: Host) -> None:
    host.open = False
    assert await visit(port, 5) == b""
    host.open = True
    assert await visit(port, 5) == b"hello"


async def test_a_cut_ends_what_is_open_and_no_more(port: Port, host: Host) -> None:
    reader, writer = await asyncio.open_connection(LOOPBACK, port.number)
    assert await reader.readexactly(5) == b"hello"
    await port.cut()
    assert await reader.read() == b""
    assert host.cut == host.served == 1
    assert await visit(port, 5) == b"hello"
    writer.close()
    await writer.wait_closed()


async def test_a_closed_port_is_gone(port: Port, host: Host) -> None:
    port.close()
    port.close()
    assert port.closed
    with pytest.raises(ConnectionRefusedError):
        await visit(port, 5)
