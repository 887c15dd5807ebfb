"""Two connections joined, over real sockets: what is held back, and how they end."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.pipe import End, join

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass
class Joined:
    """A pipe, and the sockets of those who speak through it."""

    page: End
    origin: End
    browser: socket.socket
    server: socket.socket
    joining: asyncio.Task[None]

    async def flood(self) -> int:
        """Say as much as the pipe takes of 200 MB while nobody reads. How much that was."""
        said = 0
        while said < 200_000_000 and self.origin.transport.is_reading():
            try:
                said += self.server.send(b"x" * 100_000)
            except BlockingIOError:
                await asyncio.sleep(0)
        return said


@pytest.fixture
async def joined() -> AsyncIterator[Joined]:
    loop = asyncio.get_running_loop()
    outer, inner = socket.socketpair(), socket.socketpair()
    for end in (*outer, *inner):
        end.setblocking(False)
    page, origin = End(), End()
    await loop.connect_accepted_socket(lambda: page, outer[1])
    await loop.connect_accepted_socket(lambda: origin, inner[1])
    joining = asyncio.create_task(join(page, origin, b"said before "))
    yield Joined(page, origin, outer[0], inner[0], joining)
    await page.leave()
    await origin.leave()
    await joining
    outer[0].close()
    inner[0].close()


async def hear(peer: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size and (more := await asyncio.get_running_loop().sock_recv(peer, 1 << 20)):
        got += more
    return got


async def test_what_was_said_before_comes_first(joined: Joined) -> None:
    await asyncio.get_running_loop().sock_sendall(joined.browser, b"and after")
    assert await hear(joined.server, 21) == b"said before and after"


async def test_a_slow_reader_makes_a_slow_writer(joined: Joined) -> None:
    """No more is taken than fits into the buffers; then all of it arrives."""
    await asyncio.sleep(0)
    said = await joined.flood()
    assert 0 < said < 5_000_000
    assert joined.page.transport.get_write_buffer_size() < 1_000_000
    assert len(await hear(joined.browser, said)) == said
    assert joined.origin.transport.is_reading()


async def test_both_are_gone_when_both_have_said_all(joined: Joined) -> None:
    joined.browser.shutdown(socket.SHUT_WR)
    assert await hear(joined.server, 99) == b"said before "
    assert not joined.origin.transport.is_closing()
    joined.server.shutdown(socket.SHUT_WR)
    assert await hear(joined.browser, 1) == b""
    await joined.joining


async def test_an_end_that_leaves_takes_the_other_along(joined: Joined) -> None:
    await asyncio.sleep(0)
    await joined.page.leave()
    await joined.joining
    assert await hear(joined.server, 99) == b"said before "


async def test_an_end_that_was_never_connected_can_leave() -> None:
    end = End()
    await end.leave()
    with pytest.raises(RuntimeError, match="not connected yet"):
        _ = end.transport
