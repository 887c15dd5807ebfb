"""Runs the API and the second origin, on two ports of one address, until told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from webgeist.errors import UsageError
from webgeist.server.about import CONNECTIONS
from webgeist.server.app import create_app
from webgeist.server.serving import open_serving
from webgeist.server.shown import create_shown
from webgeist.server.sweeping import Sweeper, cut_off
from webgeist.server.tokens import TokenFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp

    from webgeist.server.serving import Serving
    from webgeist.settings import Settings
    from webgeist.settings.models import ApiSettings

_SWEEP_SECONDS = 0.5
_END_SECONDS = 2  # for answers that are under way when the server is told to stop


@dataclass(frozen=True)
class Address:
    """Where the server listens."""

    host: str
    port: int
    pages_port: int

    @property
    def url(self) -> str:
        return f"http://{self._name}:{self.port}/v1/"

    @property
    def pages_url(self) -> str:
        return f"http://{self._name}:{self.pages_port}/"

    @property
    def _name(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


class _Server(uvicorn.Server):
    """Leaves signals to its owner, and cuts off connections that hold something for nothing."""

    def __init__(self, app: ASGIApp, settings: ApiSettings) -> None:
        config = uvicorn.Config(
            app,
            log_config=None,  # how this process logs is not ours to change
            log_level="critical",  # every failure is told by our own log, once
            access_log=False,
            lifespan="auto",
            ws="none",
            server_header=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=_END_SECONDS,
        )
        super().__init__(config)
        self._sweeper = Sweeper(settings)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self._sweeper.sweep(self.server_state.connections, time.monotonic())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            cut_off(connection.transport)


@dataclass
class Running:
    """The two servers, listening. `run` returns when `stop` was called; then all is closed."""

    address: Address
    serving: Serving
    _servers: tuple[_Server, _Server]
    _sockets: tuple[socket.socket, socket.socket]

    async def run(self) -> None:
        sweeping = [asyncio.create_task(server.sweep()) for server in self._servers]
        try:
            await asyncio.gather(
                *(
                    server.serve([listener])
                    for server, listener in zip(self._servers, self._sockets, strict=True)
                )
            )
        finally:
            for task in sweeping:
                task.cancel()

    def stop(self) -> None:
        """From any thread, or a signal's handler."""
        for server in self._servers:
            server.should_exit = True


@contextmanager
def listening(repository: Path, settings: Settings) -> Iterator[Running]:
    """A server for a repository whose ports are open already: nobody is refused from here on.

    UsageError where the address would let others in without a token, or is taken.
    """
    tokens = _tokens(settings.api)
    serving = open_serving(repository, settings)
    try:
        with _listen(settings.api) as (api, pages):
            port, pages_port = (each.getsockname()[1] for each in (api, pages))
            serving.pages_port = pages_port
            servers = (
                _Server(create_app(serving, tokens), settings.api),
                _Server(create_shown(serving), settings.api),
            )
            address = Address(settings.api.host, port, pages_port)
            yield Running(address, serving, servers, (api, pages))
    finally:
        serving.close()


def _tokens(settings: ApiSettings) -> TokenFile | None:
    from pathlib import Path

    if settings.token_file is not None:
        return TokenFile(Path(settings.token_file))
    if not is_loopback(settings.host):
        raise UsageError(
            f"others could reach {settings.host}, so tokens are needed",
            remedy="--token-file FILE; webgeist token FILE makes one",
        )
    return None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address. A name may mean anything, but localhost."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def _listen(settings: ApiSettings) -> Iterator[tuple[socket.socket, socket.socket]]:
    with (
        _bound(settings.host, settings.port, "port") as api,
        _bound(settings.host, settings.pages_port, "pages-port") as pages,
    ):
        yield api, pages


def _bound(host: str, port: int, option: str) -> socket.socket:
    name = "127.0.0.1" if host == "localhost" else host
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(name).version == 6 else socket.AF_INET  # noqa: PLR2004
    except ValueError as error:
        raise UsageError(f"{host!r} is no address", remedy="--host takes an IP address") from error
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((name, port))
        listener.listen(CONNECTIONS)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {host} port {port}: {error.strerror}",
            remedy=f"choose another with --{option}, or 0 for any free one",
        ) from error
    return listener


def serve(repository: Path, settings: Settings, on_listening: Callable[[Address], None]) -> bool:
    """Serve until SIGINT or SIGTERM. `on_listening` hears where, once anybody can ask.

    Whether everything has ended: a thread may still work for a client that is gone, and Python
    waits for it when the program ends. It only reads, so nothing is lost without it.
    """
    import signal

    async def main(running: Running) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, running.stop)
        on_listening(running.address)
        await running.run()

    with listening(repository, settings) as running:
        asyncio.run(main(running))
        serving = running.serving
        return not serving.quick.inside and not serving.slow.inside
