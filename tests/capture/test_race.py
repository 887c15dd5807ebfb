"""The first address that answers is taken, and nobody waits for one that never does."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.race import first_connection

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE, NOBODY, MUTE = map(ip_address, ("127.0.0.1", "127.0.0.3", "127.0.0.2"))


@contextmanager
def listening(port: int = 0) -> Iterator[int]:
    with socket.create_server((str(HERE), port)) as server:
        yield server.getsockname()[1]


@contextmanager
def mute(port: int) -> Iterator[None]:
    """A port that lets nobody in: as many wait for its owner as may wait."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server((str(MUTE), port), backlog=0))
        while True:
            client = stack.enter_context(socket.socket())
            client.settimeout(0.05)
            try:
                client.connect(server.getsockname())
            except TimeoutError:
                break
        yield


async def test_an_address_that_never_answers_is_overtaken() -> None:
    with listening() as port, mute(port):
        async with asyncio.timeout(20):
            found = await first_connection([MUTE, HERE], port, 60)
        with found:
            assert found.getpeername()[0] == str(HERE)


async def test_an_address_that_refuses_is_passed_at_once() -> None:
    with listening() as port, await first_connection([NOBODY, HERE], port, 60) as found:
        assert found.getpeername()[0] == str(HERE)


async def test_the_failure_of_the_last_is_told() -> None:
    with listening() as port:
        with pytest.raises(ConnectionRefusedError):
            await first_connection([NOBODY, MUTE], port, 60)
        with (
            mute(port),
            pytest.raises(TimeoutError, match=r"no answer from 127\.0\.0\.2 within 0\.1 s"),
        ):
            await first_connection([NOBODY, MUTE], port, 0.1)


async def test_without_an_address_there_is_no_connection() -> None:
    with pytest.raises(OSError, match="no address"):
        await first_connection([], 80, 1)


async def test_who_gives_up_leaves_nothing_open() -> None:
    """Sockets that are not closed are warnings, and warnings are errors."""
    with listening() as port, mute(port):
        attempt = asyncio.create_task(first_connection([MUTE, MUTE], port, 60))
        await asyncio.sleep(0)
        attempt.cancel()
        with pytest.raises(asyncio.CancelledError):
            await attempt
