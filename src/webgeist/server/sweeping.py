"""Finds connections that hold something for nothing: idle readers, requests that never come.

A client that takes nothing keeps what was written for it in memory, and a stream its release. One
that sends half a request keeps a connection. Each has its time; then it is cut off.
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from webgeist.settings.models import ApiSettings

_AT_ONCE = struct.pack("ii", 1, 0)


@dataclass
class _Seen:
    """How a connection looked: bytes it has not taken, and since when nothing has moved."""

    unsent: int
    moved: float
    full_since: float | None
    idle_since: float | None


class Sweeper:
    """Looks at all connections of a server, again and again. Time comes in as an argument."""

    def __init__(self, settings: ApiSettings) -> None:
        self._settings = settings
        self._seen: dict[Any, _Seen] = {}

    def sweep(self, connections: Iterable[Any], now: float) -> int:
        """Cut off those whose time is over. How many there were."""
        present = set(connections)
        self._seen = {each: seen for each, seen in self._seen.items() if each in present}
        over = [each for each in present if self._is_over(each, now)]
        for connection in over:
            cut_off(connection.transport)
        return len(over)

    def _is_over(self, connection: Any, now: float) -> bool:
        unsent: int = connection.transport.get_write_buffer_size()
        seen = self._seen.setdefault(connection, _Seen(unsent, now, None, None))
        if unsent != seen.unsent or not unsent:
            seen.unsent, seen.moved = unsent, now
        seen.full_since = _since(seen.full_since, now, going_on=unsent > 0)
        seen.idle_since = _since(seen.idle_since, now, going_on=_waits_for_request(connection))
        limits = self._settings
        return (
            now - seen.moved > limits.stall_seconds
            or (seen.full_since is not None and now - seen.full_since > limits.stream_seconds)
            or (seen.idle_since is not None and now - seen.idle_since > limits.body_seconds)
        )


def cut_off(transport: asyncio.Transport) -> None:
    """End a connection at once. What the system has for its client is thrown away, too."""
    opened = transport.get_extra_info("socket")
    if opened is not None:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    transport.abort()


def _since(before: float | None, now: float, *, going_on: bool) -> float | None:
    if not going_on:
        return None
    return now if before is None else before


def _waits_for_request(connection: Any) -> bool:
    """Whether the head of the next request has not come, or the rest of an answered one."""
    cycle = connection.cycle
    return cycle is None or bool(cycle.response_complete)
