"""Wires: pieces as they came, ends and breaks told once, nothing without a limit."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.wire import Wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def ends() -> AsyncIterator[tuple[Wire, Wire]]:
    """Two wires that are connected with each other."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Future[Wire] = loop.create_future()

    class Far(Wire):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            arrived.set_result(self)

    server = await loop.create_server(Far, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    _, near = await loop.create_connection(Wire, "127.0.0.1", port)
    far = await arrived
    server.close()
    yield near, far
    for wire in (near, far):
        wire.abort()
        await wire.gone


async def test_what_is_sent_is_read(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    await near.send(b"hello")
    assert await far.read() == b"hello"
    assert near.idle
    assert far.idle


async def test_the_end_is_no_bytes_again_and_again(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    told: list[str] = []
    far.on_end = lambda: told.append("end")
    await near.send(b"last words")
    near.close()
    assert [await far.read(), await far.read(), await far.read()] == [b"last words", b"", b""]
    assert told == ["end"]
    assert not far.idle


async def test_who_has_heard_the_end_may_still_answer(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    near.transport.write_eof()
    assert await far.read() == b""
    await far.send(b"goodbye")
    assert await near.read() == b"goodbye"


async def test_a_break_is_an_error(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    no_time = struct.pack("ii", 1, 0)  # to linger in: closing is a reset
    far.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_time)
    far.abort()
    for _ in range(2):
        with pytest.raises(ConnectionResetError):
            await near.read()
    with pytest.raises(ConnectionResetError):
        await near.send(b"x")


async def test_a_late_piece_is_an_error_and_no_loss(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    with pytest.raises(TimeoutError):
        await far.read(0.01)
    await near.send(b"late")
    assert await far.read(10) == b"late"


async def test_nothing_can_be_sent_after_the_end(ends: tuple[Wire, Wire]) -> None:
    near, _ = ends
    near.close()
    await near.gone
    with pytest.raises(ConnectionResetError):
        await near.send(b"x")


async def test_a_slow_reader_makes_a_slow_writer(ends: tuple[Wire, Wire]) -> None:
    near, far = ends
    size, piece = 0, b"x" * 100_000

    async def pour() -> None:
        nonlocal size
        for _ in range(500):
            await near.send(piece)
            size += len(piece)

    pouring = asyncio.create_task(pour())
    before = -1
    while size != before:  # until nothing moves any more
        before = size
        for _ in range(100):
            await asyncio.sleep(0)
    assert size < 500 * len(piece)
    got = 0
    while got < 500 * len(piece):
        got += len(await far.read())
    await pouring


async def test_what_was_said_before_comes_first() -> None:
    wire = Wire(b"before")
    assert await wire.read() == b"before"
    with pytest.raises(RuntimeError, match="not connected"):
        wire.abort()
