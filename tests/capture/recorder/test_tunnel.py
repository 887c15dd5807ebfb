"""The tunnel by itself: who is put through to whom, byte for byte, and who is not."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import only_here

from webgeist.capture.gate import Gate
from webgeist.capture.recorder import socks
from webgeist.capture.recorder.tunnel import Tunnel, TunnelSlot
from webgeist.samples.museum.servers import closed_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from tests.conftest import SettingsMaker

    from webgeist.capture.exchange import Exchange

    Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

GREETING = b"\5\1\0"
OPEN = Gate(allow_private=True, resolve=only_here, seconds=10)


def asking(host: str, port: int) -> bytes:
    name = host.encode()
    return b"\5\1\0\3" + bytes([len(name)]) + name + port.to_bytes(2, "big")


@dataclass
class Client:
    """Speaks SOCKS5 to a slot."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def ask(self, host: str, port: int) -> int:
        """Greet and ask. The code of the reply."""
        self.writer.write(GREETING)
        assert await self.reader.readexactly(2) == socks.WELCOME
        self.writer.write(asking(host, port))
        answer = await self.reader.readexactly(10)
        assert answer == socks.reply(answer[1])
        return answer[1]

    async def left(self) -> bytes:
        """All that still comes until the tunnel hangs up."""
        try:
            return await self.reader.read()
        except ConnectionResetError:
            return b""

    async def close(self) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


@dataclass
class Rig:
    """A tunnel with a slot that is open, servers behind it and clients before it."""

    make_settings: SettingsMaker
    gate: Gate = OPEN
    sections: dict[str, dict[str, object]] = field(default_factory=dict)
    clients: list[Client] = field(default_factory=list)
    servers: list[asyncio.Server] = field(default_factory=list)
    tunnel: Tunnel = field(init=False)
    slot: TunnelSlot = field(init=False)

    async def open(self) -> None:
        self.tunnel = Tunnel(self.make_settings(**self.sections), self.gate)
        self.slot = await self.tunnel.slot()
        self.slot.begin()

    async def client(self, slot: TunnelSlot | None = None) -> Client:
        port = (slot or self.slot).port
        self.clients.append(Client(*await asyncio.open_connection("127.0.0.1", port)))
        return self.clients[-1]

    async def serve(self, handler: Handler) -> int:
        """The port of a server that gives each connection to `handler`, then closes it."""

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await handler(reader, writer)
            writer.close()

        self.servers.append(await asyncio.start_server(handle, "127.0.0.1", 0))
        port: int = self.servers[-1].sockets[0].getsockname()[1]
        return port

    async def end(self) -> list[Exchange]:
        exchanges = await self.slot.end()
        for exchange in exchanges:
            exchange.close()
        return exchanges

    async def close(self) -> None:
        for client in self.clients:
            await client.close()
        await self.tunnel.close()
        for server in self.servers:
            server.close()
            await server.wait_closed()


@dataclass
class RigMaker:
    make_settings: SettingsMaker
    rigs: list[Rig] = field(default_factory=list)

    async def __call__(self, gate: Gate = OPEN, **sections: dict[str, object]) -> Rig:
        self.rigs.append(Rig(self.make_settings, gate, sections))
        await self.rigs[-1].open()
        return self.rigs[-1]


@pytest.fixture
async def make_rig(make_settings: SettingsMaker) -> AsyncIterator[RigMaker]:
    maker = RigMaker(make_settings)
    yield maker
    for rig in maker.rigs:
        await rig.close()


@pytest.fixture
async def rig(make_rig: RigMaker) -> Rig:
    return await make_rig()


async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers each line in capitals, until the other side has no more to say."""
    while line := await reader.readline():
        writer.write(line.upper())
    writer.write(b"GOODBYE\n")


async def test_bytes_go_both_ways(rig: Rig) -> None:
    port = await rig.serve(shout)
    client = await rig.client()
    assert await client.ask("site.localhost", port) == socks.DONE
    for word in (b"hello\n", b"again\n"):
        client.writer.write(word)
        assert await client.reader.readline() == word.upper()
    (exchange,) = await rig.end()
    assert (exchange.method, exchange.url) == ("CONNECT", f"http://site.localhost:{port}/")
    assert (exchange.status, exchange.address, exchange.error) == (200, "127.0.0.1", "")
    assert (exchange.body.size, exchange.request_headers) == (0, ())


async def test_all_of_it_may_come_at_once(rig: Rig) -> None:
    port = await rig.serve(shout)
    client = await rig.client()
    client.writer.write(GREETING + asking("localhost", port) + b"hello\n")
    assert await client.reader.readexactly(12) == socks.WELCOME + socks.reply(socks.DONE)
    assert await client.reader.readline() == b"HELLO\n"


async def test_it_may_come_byte_by_byte(rig: Rig) -> None:
    port = await rig.serve(shout)
    client = await rig.client()
    for byte in GREETING + asking("localhost", port) + b"hello\n":
        client.writer.write(bytes([byte]))
        await client.writer.drain()
        await asyncio.sleep(0)
    assert await client.reader.readexactly(12) == socks.WELCOME + socks.reply(socks.DONE)
    assert await client.reader.readline() == b"HELLO\n"


async def test_who_has_no_more_to_say_still_hears(rig: Rig) -> None:
    client = await rig.client()
    assert await client.ask("localhost", await rig.serve(shout)) == socks.DONE
    client.writer.write(b"hello\n")
    client.writer.write_eof()
    assert await client.reader.read() == b"HELLO\nGOODBYE\n"


async def test_a_server_may_have_no_more_to_say_and_still_hear(rig: Rig) -> None:
    heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.write_eof()
        heard.set_result(await reader.read())

    client = await rig.client()
    assert await client.ask("localhost", await rig.serve(greet)) == socks.DONE
    assert await client.reader.read() == b"hello"
    client.writer.write(b"and hello to you")
    client.writer.write_eof()
    assert await heard == b"and hello to you"


async def test_a_reset_comes_through_as_a_reset(rig: Rig) -> None:
    async def reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        server = writer.get_extra_info("socket")
        server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    client = await rig.client()
    assert await client.ask("localhost", await rig.serve(reset)) == socks.DONE
    client.writer.write(b"hello\n")
    with pytest.raises(ConnectionResetError):
        await client.reader.read()


async def test_who_leaves_takes_the_server_along(rig: Rig) -> None:
    gone = asyncio.Event()

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(b"word " * 10_000)
                await writer.drain()
        finally:
            gone.set()

    client = await rig.client()
    assert await client.ask("localhost", await rig.serve(talk)) == socks.DONE
    await client.reader.readexactly(10)
    client.writer.transport.abort()
    await gone.wait()


async def test_a_long_body_comes_through_whole(rig: Rig) -> None:
    pieces = [bytes([number]) * 100_003 for number in range(200)]

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()

    client = await rig.client()
    assert await client.ask("localhost", await rig.serve(talk)) == socks.DONE
    assert await client.reader.read() == b"".join(pieces)


async def nobody(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """A server that must not be reached."""
    raise AssertionError(await reader.read(1))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "LOCALHOST.", "a.localhost", "::1", "::ffff:127.0.0.1",
     "64:ff9b::7f00:1", "2002:7f00:1::", "0.0.0.0"],
)  # fmt: skip
async def test_what_is_not_public_is_refused(make_rig: RigMaker, host: str) -> None:
    rig = await make_rig(Gate(resolve=only_here))
    port = await rig.serve(nobody)
    client = await rig.client()
    assert await client.ask(host, port) == socks.PROHIBITED
    assert await client.left() == b""
    (exchange,) = await rig.end()
    assert (exchange.status, exchange.cause) == (None, "destination_ip_prohibited")
    assert exchange.refused == exchange.error
    assert "is no public address (--allow-private, or --allow," in exchange.refused


async def test_a_name_that_moves_is_refused_when_it_has_moved(make_rig: RigMaker) -> None:
    answers = [["127.0.0.1"], ["127.0.0.1", "127.0.0.3"], ["127.0.0.3"]]

    async def moving(host: str, port: int) -> Sequence[str]:
        return answers.pop(0)

    rig = await make_rig(Gate(allow=("127.0.0.1/32",), resolve=moving))
    port = await rig.serve(shout)
    replies = [await (await rig.client()).ask("moving.example", port) for _ in range(3)]
    assert replies == [socks.DONE, socks.PROHIBITED, socks.PROHIBITED]
    assert not answers  # asked once for each


async def test_why_there_is_no_connection_is_kept(rig: Rig) -> None:
    with closed_port() as port:
        assert await (await rig.client()).ask("localhost", port) == socks.REFUSED
    assert await (await rig.client()).ask("nosuch.example", 443) == socks.FAILED
    refused, unknown = await rig.end()
    assert (refused.cause, unknown.cause) == ("connection_refused", "dns_error")
    assert refused.error.startswith(f"localhost:{port}: it refused the connection")
    assert unknown.url == "https://nosuch.example/"
    assert unknown.error.startswith("nosuch.example: its name could not be resolved")
    assert (refused.refused, unknown.refused) == ("", "")


async def test_a_name_that_is_never_resolved_runs_out_of_time(make_rig: RigMaker) -> None:
    async def silent(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    rig = await make_rig(Gate(resolve=silent, seconds=0.05))
    assert await (await rig.client()).ask("slow.example", 443) == socks.FAILED
    (exchange,) = await rig.end()
    assert exchange.cause == "connection_timeout"
    assert "no address of slow.example within 0.05 s" in exchange.error


async def test_a_page_cannot_go_round_in_circles(rig: Rig) -> None:
    other = await rig.tunnel.slot()
    for host in ("127.0.0.1", "localhost", "::ffff:127.0.0.1", "0.0.0.0"):
        for slot in (rig.slot, other):
            assert await (await rig.client()).ask(host, slot.port) == socks.PROHIBITED
    exchanges = await rig.end()
    assert {exchange.cause for exchange in exchanges} == {"proxy_loop_detected"}
    assert all(exchange.refused for exchange in exchanges)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (b"GET http://localhost/ HTTP/1.1\r\n\r\n", b""),
        (b"CONNECT localhost:443 HTTP/1.1\r\n\r\n", b""),
        (b"\4\1\0\x50\x7f\0\0\1\0", b""),
        (b"\5\1\2", socks.UNWELCOME),
        (GREETING + b"\5\3\0\1\0\0\0\0\0\0", socks.WELCOME + socks.reply(socks.BAD_COMMAND)),
        (GREETING + b"\x16\3\1", socks.WELCOME),
    ],
)
async def test_rubbish_is_hung_up_on(rig: Rig, words: bytes, answer: bytes) -> None:
    client = await rig.client()
    client.writer.write(words)
    assert await client.left() == answer
    assert await rig.end() == []


@pytest.mark.parametrize("words", [b"", b"\5", GREETING, GREETING + b"\5\1\0\3\xffhalf"])
async def test_who_stops_in_the_middle_is_hung_up_on(make_rig: RigMaker, words: bytes) -> None:
    rig = await make_rig(Gate(seconds=0.05))
    client = await rig.client()
    client.writer.write(words)
    assert await client.left() == (socks.WELCOME if len(words) > 2 else b"")


@pytest.mark.parametrize("words", [b"", b"\5", GREETING + b"\5\1"])
async def test_who_leaves_in_the_middle_is_forgotten(rig: Rig, words: bytes) -> None:
    client = await rig.client()
    client.writer.write(words)
    client.writer.write_eof()
    assert await client.left() in {b"", socks.WELCOME}
    assert await rig.end() == []


async def test_between_pages_nobody_is_answered(rig: Rig) -> None:
    assert await rig.end() == []
    client = await rig.client()
    assert await client.left() == b""
    rig.slot.begin()
    assert await (await rig.client()).ask("localhost", await rig.serve(shout)) == socks.DONE
    with pytest.raises(RuntimeError, match="in use by another page"):
        rig.slot.begin()


async def test_the_end_cuts_what_is_open(rig: Rig) -> None:
    greeting_only = await rig.client()
    greeting_only.writer.write(GREETING)
    await greeting_only.reader.readexactly(2)
    through = await rig.client()
    assert await through.ask("localhost", await rig.serve(shout)) == socks.DONE
    (exchange,) = await rig.end()
    assert exchange.status == 200
    assert (await greeting_only.left(), await through.left()) == (b"", b"")


async def test_the_end_cuts_who_is_not_connected_yet(make_rig: RigMaker) -> None:
    asked = asyncio.Event()

    async def silent(host: str, port: int) -> Sequence[str]:
        asked.set()
        await asyncio.Event().wait()
        return []

    rig = await make_rig(Gate(resolve=silent))
    client = await rig.client()
    client.writer.write(GREETING + asking("slow.example", 443))
    await asked.wait()
    (exchange,) = await rig.end()
    assert (exchange.status, exchange.cause, exchange.error) == (None, "", "the page's time was up")
    assert await client.left() == socks.WELCOME


async def test_a_page_that_asks_for_too_much_gets_no_more(make_rig: RigMaker) -> None:
    rig = await make_rig(limits={"requests": 2})
    port = await rig.serve(shout)
    replies = [await (await rig.client()).ask("localhost", port) for _ in range(4)]
    assert replies == [socks.DONE, socks.DONE, socks.PROHIBITED, socks.PROHIBITED]
    assert len(await rig.end()) == 2


async def test_a_failure_of_our_own_is_told_when_the_page_ends(make_rig: RigMaker) -> None:
    async def broken(host: str, port: int) -> Sequence[str]:
        raise ZeroDivisionError

    rig = await make_rig(Gate(resolve=broken))
    client = await rig.client()
    client.writer.write(GREETING + asking("h.example", 443))
    assert await client.left() == socks.WELCOME
    with pytest.raises(ZeroDivisionError):
        await rig.end()


async def test_a_closed_slot_is_gone(rig: Rig) -> None:
    await rig.tunnel.close()
    await rig.tunnel.close()
    with pytest.raises(ConnectionRefusedError):
        await rig.client()
