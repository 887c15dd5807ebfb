"""A small page captured, an address without a page, and a recorder with servers to talk to."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.decode import Circumstances
from webgeist.capture.gate import Gate
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca, leaf, server_context
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.target import Target, parse_target
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    from tests.conftest import SettingsMaker, Studio

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.model import Capture
    from webgeist.capture.recorder.slot import ProxySlot

    Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
PAGE = """<!doctype html><html lang=en><title>Small &amp; "sweet"</title>
<meta name=description content="a page"><style>p::before { content: "→" }</style>
<p>Words <a href=next.html rel=next>next</a></p><iframe srcdoc="<b>framed</b>"></iframe>
<input value=typed><div style="height:9000px"></div>"""


@pytest.fixture(scope="session")
def small_capture(picture_studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """A real capture with frames, pseudo-elements, links and a picture of two tiles."""
    path = tmp_path_factory.mktemp("small") / "page.html"
    path.write_text(PAGE, "utf-8")
    target = parse_target(str(path), url="http://example.org/dir/page.html")
    return picture_studio.shoot(target, clock=NOON)


@pytest.fixture(scope="session")
def failed_capture(studio: Studio) -> Capture:
    """A real capture of an address where there is nothing."""
    return studio.shoot(Target("http://nosuch.invalid/"), clock=NOON)


@pytest.fixture
def circumstances() -> Circumstances:
    return Circumstances(
        requested_url="http://h/asked",
        time=NOON,
        viewport=VIEWPORTS["desktop"],
        clock=NOON,
        browser="Chrome/1.2",
        properties=("color",),
        most_nodes=10,
    )


async def only_here(host: str, port: int) -> Sequence[str]:
    """Resolves names of this machine and no other: no test's request leaves it."""
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1"]
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes
    whole: bool = True


@dataclass
class Client:
    """Speaks to a proxy as a browser does, or as it should not."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def get(self, url: str, *headers: str, method: str = "GET", body: bytes = b"") -> Reply:
        lines = [f"{method} {url} HTTP/1.1", "Host: h", *headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        await self.send("\r\n".join([*lines, "", ""]).encode() + body)
        return await self.reply(method)

    async def head(self) -> Reply:
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = [line.split(": ", 1) for line in lines[1:] if line]
        return Reply(int(lines[0].split()[1]), {k.lower(): v for k, v in headers}, b"")

    async def reply(self, method: str = "GET") -> Reply:
        head = await self.head()
        try:
            body = await self._body(head, method)
        except asyncio.IncompleteReadError as cut:
            return Reply(head.status, head.headers, cut.partial, whole=False)
        return Reply(head.status, head.headers, body)

    async def _body(self, head: Reply, method: str) -> bytes:
        if method == "HEAD" or head.status in {100, 101, 103, 204, 304}:
            return b""
        if "transfer-encoding" in head.headers:
            return await self._chunks()
        return await self.reader.readexactly(int(head.headers["content-length"]))

    async def _chunks(self) -> bytes:
        got = b""
        try:
            while size := int(await self.reader.readuntil(b"\r\n"), 16):
                got += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readexactly(2)
        except asyncio.IncompleteReadError as cut:
            raise asyncio.IncompleteReadError(got + cut.partial, None) from cut
        return got

    async def left(self) -> bool:
        """Whether the other side has closed; waits for that."""
        try:
            return await self.reader.read() == b""
        except ConnectionError:
            return True

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


@dataclass
class Canned:
    """A server that answers each request with the next of its answers, the last one for ever."""

    answers: deque[bytes]
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                self.requests.append(head + await reader.readexactly(int(length or 0)))
                answer = self.answers.popleft() if len(self.answers) > 1 else self.answers[0]
                writer.write(answer)
                await writer.drain()
                if b"\r\nConnection: close\r\n" in answer:
                    return


class Rig:
    """A recorder, one slot that is recording, servers behind it and clients before it."""

    def __init__(self, proxy: RecordingProxy, slot: ProxySlot, authority: Authority) -> None:
        self.proxy = proxy
        self.slot = slot
        self.authority = authority
        self._servers: list[asyncio.Server] = []
        self._handling: set[asyncio.Task[None]] = set()
        self._clients: list[Client] = []
        self._exchanges: list[Exchange] = []

    async def serve(self, handler: Handler, tls: ssl.SSLContext | None = None) -> int:
        """The port of a server that gives each connection to `handler`, then closes it."""

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._handling.add(task)
            try:
                await handler(reader, writer)
            except (ConnectionError, asyncio.CancelledError):
                return
            finally:
                self._handling.discard(task)
                writer.close()

        server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
        self._servers.append(server)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def canned(self, *answers: bytes) -> tuple[str, Canned]:
        """The address of a server with these answers."""
        server = Canned(deque(answers))
        return f"http://site.localhost:{await self.serve(server)}", server

    async def client(self, slot: ProxySlot | None = None) -> Client:
        client = Client(*await asyncio.open_connection("127.0.0.1", (slot or self.slot).port))
        self._clients.append(client)
        return client

    async def end(self, slot: ProxySlot | None = None) -> list[Exchange]:
        """What was recorded; closed with the test."""
        exchanges = await (slot or self.slot).end()
        self._exchanges += exchanges
        return exchanges

    async def only(self) -> Exchange:
        """The one exchange that was recorded."""
        (exchange,) = await self.end()
        return exchange

    async def close(self) -> None:
        for client in self._clients:
            await client.close()
        await self.proxy.close()
        for exchange in self._exchanges:
            exchange.close()
        for server in self._servers:
            server.close()
        for task in list(self._handling):
            task.cancel()
        await asyncio.gather(*self._handling, return_exceptions=True)


@dataclass
class RigMaker:
    """`await make_rig(recorder={"idle_seconds": 1})`: a rig under these settings."""

    make_settings: SettingsMaker
    folder: Path
    rigs: list[Rig] = field(default_factory=list)

    async def __call__(
        self,
        *,
        gate: Gate | None = None,
        tls: ssl.SSLContext | None = None,
        **sections: dict[str, object],
    ) -> Rig:
        settings = self.make_settings(**sections)
        authority = Authority.of_folder(self.folder / "authority")
        gate = gate or Gate(allow_private=True, resolve=only_here)
        proxy = RecordingProxy(settings, authority, gate=gate, tls=tls)
        slot = await proxy.slot()
        slot.begin()
        self.rigs.append(Rig(proxy, slot, authority))
        return self.rigs[-1]


@pytest.fixture
async def make_rig(make_settings: SettingsMaker, tmp_path: Path) -> AsyncIterator[RigMaker]:
    maker = RigMaker(make_settings, tmp_path)
    yield maker
    for rig in maker.rigs:
        await rig.close()


@pytest.fixture
async def rig(make_rig: RigMaker) -> Rig:
    return await make_rig()


@dataclass(frozen=True)
class TlsSite:
    """Credentials of `host` by an authority that `trust` trusts, beside nobody else."""

    server: ssl.SSLContext
    trust: ssl.SSLContext
    authority: str


@pytest.fixture
def tls_site() -> TlsSite:
    from webgeist.capture.recorder.upstream import verifying_context

    now = datetime.now(UTC)
    authority = ca("authority of the test", now)
    trust = verifying_context()
    trust.load_verify_locations(cadata=authority.pem)
    return TlsSite(server_context(leaf(authority, "site.localhost", now)), trust, authority.pem)
