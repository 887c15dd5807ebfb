"""Connects to the first of several addresses that answers.

One after the other, each with a head start on the next: an address that leads nowhere must not keep
away a host that has another one (RFC 8305).
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from ipaddress import IPv4Address, IPv6Address

_HEAD_START = 0.25  # seconds
_IPV6 = 6


async def first_connection(
    addresses: Sequence[IPv4Address | IPv6Address], port: int, seconds: float
) -> socket.socket:
    """A connection to one of the addresses; each may take `seconds`. OSError of the last."""
    left = list(addresses)
    running: set[asyncio.Task[socket.socket]] = set()
    failure: BaseException = OSError("there is no address")
    try:
        while left or running:
            if left:
                running.add(asyncio.create_task(_connected(left.pop(0), port, seconds)))
            pause = _HEAD_START if left else None
            done, running = await asyncio.wait(
                running, timeout=pause, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                error = task.exception()
                if error is None:
                    running |= done - {task}
                    return task.result()
                failure = error
        raise failure
    finally:
        await _give_up(running)


def late(address: str, seconds: float) -> TimeoutError:
    return TimeoutError(f"no answer from {address} within {seconds:g} s")


async def _connected(
    address: IPv4Address | IPv6Address, port: int, seconds: float
) -> socket.socket:
    family = socket.AF_INET6 if address.version == _IPV6 else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        async with asyncio.timeout(seconds):
            await asyncio.get_running_loop().sock_connect(sock, (str(address), port))
    except TimeoutError as error:
        sock.close()
        raise late(str(address), seconds) from error
    except BaseException:
        sock.close()
        raise
    return sock


async def _give_up(attempts: set[asyncio.Task[socket.socket]]) -> None:
    """End attempts that are no longer needed, also those that have just succeeded."""
    for attempt in attempts:
        attempt.cancel()
    for ended in await asyncio.gather(*attempts, return_exceptions=True):
        if isinstance(ended, socket.socket):
            ended.close()
