"""A socket for a server of a benchmark: on a free loopback port, and quick to send."""

from __future__ import annotations

import socket


def listen() -> socket.socket:
    """Says that it is TCP. Else asyncio leaves Nagle's algorithm on, and the second half of an
    answer on a kept connection waits 40 ms for an acknowledgement.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener
