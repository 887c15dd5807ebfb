"""Runs the sample web on loopback, in a thread of this process, until the `with` block ends."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from webgeist.errors import UsageError
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.samples.app import LoggedRequest
    from webgeist.samples.clock import Clock


@dataclass(frozen=True)
class SampleServer:
    """Where the sample web is. `url("shop", "/cart")` is an address a browser can open."""

    port: int
    web: SampleWeb

    @property
    def clock(self) -> Clock:
        return self.web.clock

    @property
    def log(self) -> list[LoggedRequest]:
        """The requests that have come so far, the last 100,000 of them."""
        return self.web.log

    def url(self, site: str = "", path: str = "/") -> str:
        return f"http://{site + '.' if site else ''}localhost:{self.port}{path}"


class _Server(uvicorn.Server):
    """Hangs up when it stops, so that endless answers end as if their client had left.

    Uvicorn alone would wait for them, then cancel them and log a traceback for each.
    """

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        hanging_up = asyncio.create_task(self._hang_up())
        await super().shutdown(sockets)
        hanging_up.cancel()

    async def _hang_up(self) -> None:
        """Again and again: who was accepted a moment ago is not among the connections yet."""
        while True:
            for connection in list(self.server_state.connections):
                connection.transport.abort()
            await asyncio.sleep(0.01)


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()  # from here on nobody is refused, even before the server runs
    except OSError as error:
        listener.close()
        raise UsageError(
            f"port {port} is taken: {error.strerror}",
            remedy="choose another with --port, or 0 for any",
        ) from error
    return listener


@contextmanager
def serve(port: int = 0) -> Iterator[SampleServer]:
    """The sample web, reachable while the block runs. Port 0 takes any free one."""
    web = SampleWeb()
    with _listen(port) as listener:
        config = uvicorn.Config(
            web,
            log_config=None,  # how this process logs is not ours to change
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listener]}, name="webgeist-samples", daemon=True
        )
        thread.start()
        try:
            yield SampleServer(listener.getsockname()[1], web)
        finally:
            server.should_exit = True
            thread.join()
