"""Nasty servers below HTTP, each on a loopback port of its own while a `with` block runs.

    with nasty("reset-in-body") as address:
        client.get(address.url)

`NASTY_SERVERS` lists them with what each does and what a robust client should report. A block has
one thread with one event loop; when it ends, the port is closed and every handler cancelled.
"""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from webgeist.samples.museum.servers import bodies, connections, heads, tls
from webgeist.samples.museum.servers.connection import Credentials, NastyServer
from webgeist.samples.museum.servers.house import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["NASTY_SERVERS", "Address", "NastyServer", "closed_port", "nasty"]

NASTY_SERVERS: Mapping[str, NastyServer] = MappingProxyType(
    connections.SERVERS | heads.SERVERS | bodies.SERVERS | tls.SERVERS
)


@dataclass(frozen=True)
class Address:
    """Where a nasty server listens. `authority` is the PEM of the CA that a client may trust, if any."""

    port: int
    tls: bool = False
    authority: str | None = None
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"http{'s' if self.tls else ''}://{self.host}:{self.port}/"


@contextmanager
def nasty(name: str) -> Iterator[Address]:
    """The nasty server of that name, until the block ends. A handler's own mistake is raised then."""
    server = NASTY_SERVERS[name]
    credentials = server.credentials() if server.credentials else Credentials()
    stop = asyncio.Event()
    with (
        closing(asyncio.new_event_loop()) as loop,
        socket.create_server(("127.0.0.1", 0)) as listener,
        ThreadPoolExecutor(1, thread_name_prefix=f"webgeist-museum-{name}") as thread,
    ):
        serving = serve(server.handle, listener, credentials.context, stop)
        running = thread.submit(loop.run_until_complete, serving)
        try:
            yield Address(listener.getsockname()[1], server.tls, credentials.authority)
        finally:
            loop.call_soon_threadsafe(stop.set)
        running.result()


@contextmanager
def closed_port() -> Iterator[int]:
    """A loopback port that refuses connections; it is held, so that nobody else can listen on it."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]
