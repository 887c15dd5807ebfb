"""Messages between a foreman and its workers, each a head as JSON and a body of bytes."""

from __future__ import annotations

import os
import select
import struct
import time
from typing import Any

import orjson

_LENGTHS = struct.Struct("<II")
_AT_ONCE = 1 << 20


class EndedError(Exception):
    """The other side has gone."""


def send(descriptor: int, head: dict[str, Any], body: bytes | memoryview = b"") -> None:
    """Write a whole message. EndedError where nobody reads it any more."""
    raw = orjson.dumps(head)
    try:
        for part in (_LENGTHS.pack(len(raw), len(body)), raw, body):
            left = memoryview(part)
            while left:
                left = left[os.write(descriptor, left) :]
    except BrokenPipeError as error:
        raise EndedError from error


class Receiver:
    """Reads messages from a pipe, and waits for each no longer than it may take."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()

    def receive(self, seconds: float | None = None) -> tuple[dict[str, Any], bytes]:
        """The next message. TimeoutError, or EndedError where there is none to come."""
        deadline = None if seconds is None else time.monotonic() + seconds
        head_size, body_size = _LENGTHS.unpack(self._take(_LENGTHS.size, deadline))
        head: dict[str, Any] = orjson.loads(self._take(head_size, deadline))
        return head, self._take(body_size, deadline)

    def _take(self, count: int, deadline: float | None) -> bytes:
        while len(self._buffer) < count:
            self._wait(deadline)
            data = os.read(self._descriptor, _AT_ONCE)
            if not data:
                raise EndedError
            self._buffer += data
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _wait(self, deadline: float | None) -> None:
        if deadline is None:
            return
        left = max(0.0, deadline - time.monotonic())
        if not select.select([self._descriptor], [], [], left)[0]:
            raise TimeoutError
