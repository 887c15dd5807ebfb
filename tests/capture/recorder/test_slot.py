"""The browser's side: what it may ask, what it may not, tunnels, TLS, and who asked for what."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.exchange import Spool
from webgeist.capture.gate import Gate
from webgeist.capture.recorder.certificates import self_signed, server_context
from webgeist.capture.recorder.http1 import HEAD_BYTES
from webgeist.errors import StorageError
from webgeist.samples.museum.servers import nasty

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.capture.conftest import Client, Rig, RigMaker, TlsSite

    from webgeist.capture.recorder.heads import RequestHead
    from webgeist.capture.recorder.recording import Draft
    from webgeist.capture.recorder.talk import Talk
    from webgeist.capture.recorder.upstream import Line

HELLO = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


async def tunnel(client: Client, authority: str, trust: str | None = None) -> None:
    await client.send(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
    assert (await client.head()).status == 200
    if trust is not None:
        context = ssl.create_default_context(cadata=trust)
        context.set_alpn_protocols(["h2", "http/1.1"])
        await client.writer.start_tls(context, server_hostname=authority.rpartition(":")[0])


async def test_only_this_machine_can_connect(rig: Rig) -> None:
    assert rig.slot.proxy == f"http://127.0.0.1:{rig.slot.port}"
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", rig.slot.port))


async def test_https_is_opened_and_recorded(make_rig: RigMaker, tls_site: TlsSite) -> None:
    rig = await make_rig(tls=tls_site.trust)
    server = (await rig.canned(HELLO))[1]
    port = await rig.serve(server, tls_site.server)
    client = await rig.client()
    await tunnel(client, f"site.localhost:{port}", rig.authority.pem)
    shown = client.writer.get_extra_info("ssl_object")
    assert shown.selected_alpn_protocol() == "http/1.1"
    for path in ("/a", "/b?c"):
        assert (await client.get(path)).body == b"hello"
    exchanges = await rig.end()
    base = f"https://site.localhost:{port}"
    assert [exchange.url for exchange in exchanges] == [f"{base}/a", f"{base}/b?c"]
    assert server.connections == 1
    for exchange in exchanges:
        assert exchange.body.read() == b"hello"
        assert exchange.tls is not None
        assert exchange.tls.problem == ""
        assert exchange.tls.issuer == "commonName=authority of the test"


async def test_several_connections_to_one_host(make_rig: RigMaker, tls_site: TlsSite) -> None:
    """From the second on, the origin is connected to while the browser shakes hands with us."""
    rig = await make_rig(tls=tls_site.trust)
    server = (await rig.canned(HELLO))[1]
    port = await rig.serve(server, tls_site.server)
    clients = [await rig.client() for _ in range(4)]
    for client in clients:
        await tunnel(client, f"site.localhost:{port}", rig.authority.pem)
    replies = await asyncio.gather(*(client.get("/") for client in clients))
    assert [reply.body for reply in replies] == [b"hello"] * 4
    assert server.connections <= 4
    exchanges = await rig.end()
    assert [exchange.status for exchange in exchanges] == [200] * 4


async def test_a_certificate_that_turns_bad_is_told(make_rig: RigMaker, tls_site: TlsSite) -> None:
    """A host that was reached a moment ago is not asked again before the browser asks it."""
    rig = await make_rig(tls=tls_site.trust)
    closing = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    port = await rig.serve((await rig.canned(closing))[1], tls_site.server)
    for status in (200, 502):
        client = await rig.client()
        await tunnel(client, f"site.localhost:{port}", rig.authority.pem)
        assert (await client.get("/")).status == status
        with_nobody = self_signed("site.localhost", datetime.now(UTC))
        tls_site.server.sni_callback = _shows(server_context(with_nobody))
    first, second = await rig.end()
    assert (first.status, second.status) == (200, None)
    assert second.cause == "tls_certificate_error"
    assert second.tls is not None
    assert second.tls.problem


def _shows(other: ssl.SSLContext) -> Callable[[ssl.SSLObject, str, ssl.SSLContext], None]:
    def choose(asking: ssl.SSLObject, _: str, __: ssl.SSLContext) -> None:
        asking.context = other

    return choose


async def test_a_bad_certificate_is_not_made_good(make_rig: RigMaker) -> None:
    """The browser is shown one that it must refuse, and the verdict is recorded."""
    rig = await make_rig()
    with nasty("tls-expired") as address:
        client = await rig.client()
        with pytest.raises(ssl.SSLCertVerificationError):
            await tunnel(client, f"127.0.0.1:{address.port}", rig.authority.pem)
    exchange = await rig.only()
    assert (exchange.method, exchange.url) == ("CONNECT", address.url)
    assert (exchange.status, exchange.cause) == (None, "tls_certificate_error")
    assert exchange.tls is not None
    assert exchange.tls.problem
    assert exchange.tls.problem in exchange.error


@pytest.mark.parametrize("name", ["tls-garbage", "tls-plain", "tls-wants-certificate"])
async def test_a_failed_handshake_is_an_answer_of_ours(make_rig: RigMaker, name: str) -> None:
    with nasty(name) as address:
        trust = ssl.create_default_context(cadata=address.authority)
        rig = await make_rig(tls=trust)
        client = await rig.client()
        await tunnel(client, f"127.0.0.1:{address.port}", rig.authority.pem)
        reply = await client.get("/page")
        exchange = await rig.only()
    assert reply.status == 502
    assert (exchange.url, exchange.status) == (f"{address.url}page", None)
    assert exchange.cause in {"tls_protocol_error", "connection_terminated"}


async def test_a_refusal_over_tls_names_the_address_and_the_rule(
    make_rig: RigMaker, tls_site: TlsSite
) -> None:
    rig = await make_rig(gate=Gate())
    port = await rig.serve((await rig.canned(HELLO))[1], tls_site.server)
    client = await rig.client()
    await tunnel(client, f"site.localhost:{port}", rig.authority.pem)
    reply = await client.get("/private?x")
    assert reply.status == 403
    assert b"site.localhost is 127.0.0.1, which is no public address" in reply.body
    exchange = await rig.only()
    assert exchange.url == f"https://site.localhost:{port}/private?x"
    assert exchange.refused == exchange.error != ""
    assert exchange.status is None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"])
async def test_a_private_address_is_refused(make_rig: RigMaker, host: str) -> None:
    rig = await make_rig(gate=Gate())
    _, server = await rig.canned(HELLO)
    port = await rig.serve(server)
    reply = await (await rig.client()).get(f"http://{host}:{port}/")
    assert reply.status == 403
    assert "error=destination_ip_prohibited" in reply.headers["proxy-status"]
    assert b"--allow-private" in reply.body
    exchange = await rig.only()
    assert exchange.refused
    assert exchange.cause == "destination_ip_prohibited"
    assert server.connections == 0


async def test_a_refusal_without_a_body(make_rig: RigMaker) -> None:
    """HEAD has none, and the connection goes on."""
    rig = await make_rig(gate=Gate())
    client = await rig.client()
    for _ in range(2):
        reply = await client.get("http://localhost:9/", method="HEAD")
        assert (reply.status, reply.body) == (403, b"")
    assert len(await rig.end()) == 2


async def test_a_web_socket_to_a_private_address_is_refused(make_rig: RigMaker) -> None:
    rig = await make_rig(gate=Gate())
    _, server = await rig.canned(HELLO)
    port = await rig.serve(server)
    client = await rig.client()
    await tunnel(client, f"localhost:{port}")
    reply = await client.get("/socket", "Connection: Upgrade", "Upgrade: websocket")
    assert reply.status == 403
    assert (await rig.only()).url == f"http://localhost:{port}/socket"
    assert server.connections == 0


async def test_a_page_cannot_reach_the_proxy_through_the_proxy(rig: Rig) -> None:
    other = await rig.proxy.slot()
    other.begin()
    client = await rig.client()
    for slot in (rig.slot, other):
        reply = await client.get(f"{slot.proxy}/http://elsewhere.example/")
        assert reply.status == 403
        assert b"webgeist's own proxy" in reply.body
    assert [e.cause for e in await rig.end()] == ["proxy_loop_detected"] * 2
    assert await rig.end(other) == []


async def test_a_plain_tunnel_carries_a_web_socket(rig: Rig) -> None:
    """`ws://` comes as CONNECT without TLS."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
        writer.write(await reader.read(100))
        await reader.read()

    port = await rig.serve(handler)
    client = await rig.client()
    await tunnel(client, f"localhost:{port}")
    assert (await client.get("/s", "Connection: Upgrade", "Upgrade: websocket")).status == 101
    await client.send(b"ping")
    assert await client.reader.readexactly(4) == b"ping"
    exchange = await rig.only()
    assert (exchange.url, exchange.status) == (f"http://localhost:{port}/s", 101)


BAD = [
    b"\x00\x01\x02rubbish\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    b"GET http://h/ HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"GET http://h/ HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    b"GET http://h/ HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
    b"CONNECT nowhere HTTP/1.1\r\n\r\n",
    b"CONNECT h:443\r\n\r\n",
    b"CONNECT h:99999 HTTP/1.1\r\n\r\n",
    b"CONNECT h:443 HTTP/1.1\r\n\r\n\x16\x03\x01early",
    b"CONNECT http://h/ HTTP/1.1\r\n\r\n",
    b"GET http://h/ HTTP/1.1\r\nHost: h\r\nX: " + b"x" * HEAD_BYTES,
    b"CONNECT h:443 HTTP/1.1\r\nX: " + b"x" * (HEAD_BYTES + 100_000),
]


@pytest.mark.parametrize("sent", BAD)
async def test_what_is_no_request_is_refused_and_recorded(rig: Rig, sent: bytes) -> None:
    client = await rig.client()
    with suppress(ConnectionError):
        await client.send(sent)
        assert (await client.head()).status == 400
    await client.left()
    exchange = await rig.only()
    assert (exchange.method, exchange.url, exchange.status) == ("", "", None)
    assert exchange.cause == "http_request_error"
    assert exchange.error


@pytest.mark.parametrize("half", [b"GET http://h/ HT", b"CONNECT h:4", b"CONN"])
@pytest.mark.parametrize("leaves", [True, False])
async def test_half_a_request_does_not_stay(make_rig: RigMaker, half: bytes, leaves: bool) -> None:
    rig = await make_rig(recorder={"idle_seconds": 0.1})
    client = await rig.client()
    await client.send(half)
    if leaves:
        client.writer.write_eof()
    assert (await client.head()).status == 400
    await client.left()
    assert (await rig.only()).cause == "http_request_error"


async def test_half_a_body_is_kept_and_marked(make_rig: RigMaker) -> None:
    rig = await make_rig(recorder={"idle_seconds": 0.1})
    base, server = await rig.canned(HELLO)
    client = await rig.client()
    await client.send(
        f"POST {base}/ HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf".encode()
    )
    assert (await client.reply()).status == 400
    exchange = await rig.only()
    assert (exchange.url, exchange.status) == (f"{base}/", None)
    assert exchange.request_body.read() == b"half"
    assert server.requests == []


async def test_a_bad_chunk_in_a_large_body_ends_the_request(rig: Rig) -> None:
    got: list[bytes] = []

    async def handler(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1000):
                got.append(data)

    base = f"http://localhost:{await rig.serve(handler)}"
    client = await rig.client()
    await client.send(
        f"POST {base}/ HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n".encode()
    )
    assert (await client.reply()).status == 400
    exchange = await rig.only()
    assert (exchange.cause, exchange.request_body.read()) == ("http_request_error", b"abc")
    assert b"zz" not in b"".join(got)


async def test_who_only_knocks_leaves_no_trace(rig: Rig) -> None:
    """Browsers open connections that they then don't need."""
    for _ in range(3):
        await (await rig.client()).close()
    client = await rig.client()
    await tunnel(client, "nosuch.example:443")
    await client.close()
    assert await rig.end() == []


async def test_between_pages_nobody_is_answered(rig: Rig) -> None:
    base, server = await rig.canned(HELLO)
    client = await rig.client()
    await client.get(base)
    (first,) = await rig.end()
    assert await client.left()
    stranger = await rig.client()
    with suppress(ConnectionError):
        await stranger.send(f"GET {base}/late HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    assert await stranger.left()
    rig.slot.begin()
    await (await rig.client()).get(f"{base}/next")
    (second,) = await rig.end()
    assert (first.url, second.url) == (f"{base}/", f"{base}/next")
    assert [first.number, second.number] == [0, 0]
    assert len(server.requests) == 2


async def test_each_slot_has_its_own(rig: Rig) -> None:
    base, _ = await rig.canned(HELLO)
    slots = [rig.slot, *[await rig.proxy.slot() for _ in range(3)]]
    for slot in slots[1:]:
        slot.begin()

    async def visit(number: int) -> None:
        client = await rig.client(slots[number])
        for page in range(10):
            assert (await client.get(f"{base}/{number}/{page}")).body == b"hello"

    await asyncio.gather(*(visit(number) for number in range(4)))
    for number, slot in enumerate(slots):
        found = [exchange.url for exchange in await rig.end(slot)]
        assert found == [f"{base}/{number}/{page}" for page in range(10)]


async def test_exchanges_are_in_the_order_of_asking(rig: Rig) -> None:
    """Though the first is the last to be answered."""
    go = asyncio.Event()

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if b"/slow" in await reader.readuntil(b"\r\n\r\n"):
            await go.wait()
        writer.write(HELLO)
        await reader.read()

    base = f"http://localhost:{await rig.serve(handler)}"
    slow, quick = await rig.client(), await rig.client()
    await slow.send(f"GET {base}/slow HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    waiting = asyncio.create_task(slow.reply())
    await asyncio.sleep(0)
    while not rig.slot._recording or not rig.slot._recording._begun:  # noqa: ASYNC110 - no event
        await asyncio.sleep(0)
    await quick.get(f"{base}/quick")
    go.set()
    await waiting
    assert [e.url for e in await rig.end()] == [f"{base}/slow", f"{base}/quick"]


async def test_a_page_can_ask_only_so_much(make_rig: RigMaker) -> None:
    rig = await make_rig(limits={"requests": 3})
    base, server = await rig.canned(HELLO)
    client = await rig.client()
    assert [(await client.get(base)).status for _ in range(4)] == [200, 200, 200, 403]
    assert len(await rig.end()) == len(server.requests) == 3


async def test_a_full_disk_is_told_when_the_page_ends(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, _ = await rig.canned(HELLO)

    def full(*_: object) -> int:
        error = OSError(errno.ENOSPC, "No space left on device")
        raise StorageError("cannot write") from error

    monkeypatch.setattr(Spool, "append", full)
    client = await rig.client()
    await client.send(f"GET {base} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    await client.left()
    with pytest.raises(StorageError):
        await rig.end()
    monkeypatch.undo()
    rig.slot.begin()
    assert (await (await rig.client()).get(base)).body == b"hello"
    assert len(await rig.end()) == 1


async def test_no_part_of_an_answer_waits_for_an_acknowledgement(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Nagle's algorithm the second part would wait 40 ms for that of the first."""
    base, _ = await rig.canned(HELLO)
    answerer = rig.slot._answerer
    answer, without_delay = answerer.answer, []

    async def looking(talk: Talk, request: RequestHead, draft: Draft) -> Line | None:
        raw = talk.wire.transport.get_extra_info("socket")
        without_delay.append(raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        return await answer(talk, request, draft)

    monkeypatch.setattr(answerer, "answer", looking)
    assert (await (await rig.client()).get(base)).body == b"hello"
    assert len(await rig.end()) == 1
    assert without_delay == [1]


async def test_a_slot_is_for_one_page_at_a_time(rig: Rig) -> None:
    with pytest.raises(RuntimeError, match="another page"):
        rig.slot.begin()
    assert await rig.end() == []
    assert await rig.end() == []


async def test_a_closed_slot_is_closed(rig: Rig) -> None:
    base, _ = await rig.canned(HELLO)
    client = await rig.client()
    await client.get(base)
    await rig.slot.close()
    assert await client.left()
    with pytest.raises(ConnectionRefusedError):
        await rig.client()
    await rig.slot.close()
