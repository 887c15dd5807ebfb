"""Two servers on loopback, one that the gate allows and one that must never hear of anybody."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Callable, Sequence

ALLOWED, FORBIDDEN = "127.0.0.2", "127.0.0.1"  # all of 127.0.0.0/8 is loopback

_KINDS = {"/x.js": "text/javascript", "/x.css": "text/css", "/x.pdf": "application/pdf"}
_SERVICE = "oninstall = e => e.waitUntil(fetch(location.search.slice(1), {mode: 'no-cors'}))"
_CORS = "".join(f"Access-Control-Allow-{what}: *\r\n" for what in ("Origin", "Methods", "Headers"))


@dataclass
class House:
    """A server. `visits` counts its connections, `log` has what it was asked for.

    `/` is `page`, with `headers`; `/hold` is answered when `ready` says so; `/redirect?URL` leads
    to URL; `/service.js?URL` is a service worker that asks URL for something.
    """

    host: str
    bell: asyncio.Event
    port: int = 0
    page: str = ""
    headers: str = ""
    ready: Callable[[], bool] = bool
    visits: int = 0
    log: list[str] = field(default_factory=list)
    open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        self.open.add(writer)
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                await self._serve(reader, writer)
        self.open.discard(writer)
        writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = head.lower().partition("content-length: ")[2].partition("\r\n")[0]
        await reader.readexactly(int(length or 0))
        path = head.split(" ")[1]
        self.log.append(path)
        self.bell.set()
        if path == "/hold":
            while not self.ready():
                self.bell.clear()
                await self.bell.wait()
        writer.write(self._answer(path).encode())

    def _answer(self, path: str) -> str:
        name, _, query = path.partition("?")
        status, kind, more, body = "200 OK", _KINDS.get(name, "text/plain"), _CORS, ""
        if path == "/":
            kind, more, body = "text/html", self.headers, self.page
        elif name == "/redirect":
            status, more = "302 Found", f"Location: {query}\r\n"
        elif name == "/service.js":
            kind, body = "text/javascript", _SERVICE
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        return f"{head}{more}\r\n{body}"

    def url(self, name: str, path: str = "", scheme: str = "http") -> str:
        return f"{scheme}://{name}:{self.port}{path}"


@dataclass
class Names:
    """The resolver of a test: `forbidden` names are at the one address, all others at the other.

    A name that begins with `moving` is allowed the first time that it is asked for.
    """

    bell: asyncio.Event
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        moved = host.startswith("moving") and host in self.asked
        self.asked.append(host)
        self.bell.set()
        return [FORBIDDEN if moved or host.startswith("forbidden") else ALLOWED]


@dataclass
class Street:
    """Both houses, which have one port number, and the names that lead to them."""

    allowed: House
    forbidden: House
    names: Names

    def clear(self) -> None:
        self.allowed.page = self.allowed.headers = ""
        self.allowed.ready = self.allowed_was_asked
        self.allowed.log.clear()
        self.names.asked.clear()

    def allowed_was_asked(self) -> bool:
        """Whether a page has asked the allowed house for what is not its own, and the other too."""
        reached = any(path.startswith("/x") for path in self.allowed.log)
        return reached and any(name.startswith("forbidden") for name in self.names.asked)


@asynccontextmanager
async def open_street(
    tls: Callable[[int], ssl.SSLContext | None] = lambda _: None,
) -> AsyncIterator[Street]:
    """The allowed house speaks TLS if `tls` says how, by the number of the port."""
    bell = asyncio.Event()
    forbidden, allowed = House(FORBIDDEN, bell), House(ALLOWED, bell)
    servers = [await asyncio.start_server(forbidden, FORBIDDEN, 0)]
    port = servers[0].sockets[0].getsockname()[1]
    servers.append(await asyncio.start_server(allowed, ALLOWED, port, ssl=tls(port)))
    forbidden.port = allowed.port = port
    try:
        yield Street(allowed, forbidden, Names(bell))
    finally:
        for server in servers:
            server.close()
        for writer in [*allowed.open, *forbidden.open]:
            writer.transport.abort()
        for server in servers:
            await server.wait_closed()
