"""Requests on their way to real servers and back: what goes over the wire is what is recorded."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import resource
from typing import TYPE_CHECKING

import pytest

from webgeist.samples.museum.servers import NASTY_SERVERS, closed_port, nasty
from webgeist.samples.museum.servers.bodies import BROTLI

if TYPE_CHECKING:
    from tests.capture.conftest import Rig, RigMaker

HELLO = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
CLOSING = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end"


def chunked(*pieces: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (*pieces, b""))


async def test_an_exchange_tells_all_of_it(rig: Rig) -> None:
    base, server = await rig.canned(HELLO)
    client = await rig.client()
    reply = await client.get(
        f"{base}/a?b=c", "Proxy-Connection: keep-alive", "X-Mine: 1", "Proxy-Authorization: secret"
    )
    assert (reply.status, reply.body) == (200, b"hello")
    host = base.removeprefix("http://").encode()
    assert server.requests == [
        b"GET /a?b=c HTTP/1.1\r\nHost: " + host + b"\r\nConnection: keep-alive\r\nX-Mine: 1\r\n\r\n"
    ]
    exchange = await rig.only()
    assert (exchange.number, exchange.method, exchange.url) == (0, "GET", f"{base}/a?b=c")
    assert (exchange.status, exchange.reason, exchange.version) == (200, "OK", "HTTP/1.1")
    assert exchange.request_headers == (
        (b"Host", host), (b"Connection", b"keep-alive"), (b"X-Mine", b"1"),
    )  # fmt: skip
    assert exchange.response_headers == (
        (b"Content-Type", b"text/plain"),
        (b"Content-Length", b"5"),
    )
    assert exchange.body.read() == b"hello"
    assert exchange.request_body.read() == b""
    assert (exchange.error, exchange.truncated, exchange.refused, exchange.cause) == ("",) * 4
    assert exchange.address == "127.0.0.1"
    assert exchange.tls is None
    assert exchange.started.tzinfo is not None
    assert exchange.seconds > 0


async def test_connections_are_kept_on_both_sides(rig: Rig) -> None:
    base, server = await rig.canned(HELLO, chunked(b"he", b"llo"), HELLO)
    client = await rig.client()
    for number in range(4):
        assert (await client.get(f"{base}/{number}")).body == b"hello"
    other = await rig.client()
    assert (await other.get(f"{base}/other")).body == b"hello"
    assert server.connections == 1
    exchanges = await rig.end()
    assert [e.url.rpartition("/")[2] for e in exchanges] == ["0", "1", "2", "3", "other"]
    assert {e.body.read() for e in exchanges} == {b"hello"}


async def test_kept_connections_outlive_a_page(rig: Rig) -> None:
    base, server = await rig.canned(HELLO)
    for _ in range(3):
        assert (await (await rig.client()).get(base)).body == b"hello"
        assert len(await rig.end()) == 1
        rig.slot.begin()
    assert server.connections == 1


async def test_a_body_that_ends_with_the_connection(rig: Rig) -> None:
    base, server = await rig.canned(CLOSING)
    client = await rig.client()
    for _ in range(2):  # the browser's connection lives on
        reply = await client.get(base)
        assert (reply.body, reply.whole) == (b"until the end", True)
        assert "connection" not in reply.headers
    assert server.connections == 2
    assert [e.body.read() for e in await rig.end()] == [b"until the end"] * 2


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(b"hello " * 1000)),
        ("br", BROTLI),
        ("zstd", bytes.fromhex("28b52ffd2400010000") + os.urandom(50)),
        ("museum", os.urandom(100)),
    ],
    ids=["gzip", "br", "zstd", "museum"],
)
async def test_coded_bodies_pass_as_sent(rig: Rig, encoding: str, body: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n"
    base, _ = await rig.canned(head % (encoding.encode(), len(body)) + body)
    reply = await (await rig.client()).get(base)
    assert (reply.body, reply.headers["content-encoding"]) == (body, encoding)
    assert (await rig.only()).body.read() == body


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_exchanges_like_others(rig: Rig, status: int) -> None:
    answer = b"HTTP/1.1 %d Gone there\r\nLocation: /next\r\nContent-Length: 4\r\n\r\nthis"
    base, _ = await rig.canned(answer % status)
    reply = await (await rig.client()).get(base)
    assert (reply.status, reply.headers["location"], reply.body) == (status, "/next", b"this")
    exchange = await rig.only()
    assert (exchange.status, exchange.body.read()) == (status, b"this")


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'),
        ("OPTIONS", b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Methods: PUT\r\nContent-Length: 0\r\n\r\n"),
    ],
)  # fmt: skip
async def test_answers_without_a_body(rig: Rig, method: str, answer: bytes) -> None:
    base, server = await rig.canned(answer)
    client = await rig.client()
    for _ in range(2):
        assert (await client.get(base, method=method)).status == int(answer.split()[1])
    assert server.connections == 1
    for exchange in await rig.end():
        assert (exchange.method, exchange.body.size, exchange.truncated) == (method, 0, "")


async def test_a_range_is_what_was_asked_for(rig: Rig) -> None:
    answer = (
        b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-3/9\r\nContent-Length: 2\r\n\r\nll"
    )
    base, server = await rig.canned(answer)
    assert (await (await rig.client()).get(base, "Range: bytes=2-3")).body == b"ll"
    assert b"Range: bytes=2-3" in server.requests[0]
    exchange = await rig.only()
    assert (exchange.status, exchange.truncated) == (206, "")


@pytest.mark.parametrize("size", [1, 65_536, 65_537, 3_000_000])
async def test_request_bodies_are_recorded(rig: Rig, size: int) -> None:
    base, server = await rig.canned(HELLO)
    body = os.urandom(size)
    client = await rig.client()
    for _ in range(2):
        assert (await client.get(base, method="POST", body=body)).body == b"hello"
    assert [request.partition(b"\r\n\r\n")[2] for request in server.requests] == [body, body]
    assert [e.request_body.read() == body for e in await rig.end()] == [True, True]


async def test_a_request_in_chunks_goes_on_in_chunks(rig: Rig) -> None:
    got: list[bytes] = []

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readuntil(b"0\r\n\r\n"))
        writer.write(HELLO)

    port = await rig.serve(handler)
    client = await rig.client()
    head = (
        f"POST http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    await client.send(head.encode() + b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
    assert (await client.reply()).body == b"hello"
    assert re.search(rb"Transfer-Encoding: chunked\r\n\r\n6\r\nonetwo\r\n0", got[0])
    assert (await rig.only()).request_body.read() == b"onetwo"


async def test_a_stream_is_passed_on_while_it_is_recorded(rig: Rig) -> None:
    """Each event must reach the page before the server sends the next one."""
    heard = asyncio.Queue[None]()

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        for number in range(3):
            await heard.get()
            writer.write(b"data: %d\n\n" % number)
        await heard.get()

    port = await rig.serve(handler)
    client = await rig.client()
    await client.send(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    assert (await client.head()).status == 200
    for number in range(3):
        heard.put_nowait(None)
        assert b"data: %d" % number in await client.reader.readuntil(b"\n\n")
    heard.put_nowait(None)
    assert (await client.reader.readuntil(b"0\r\n\r\n")).endswith(b"0\r\n\r\n")
    assert (await rig.only()).body.read() == b"data: 0\n\ndata: 1\n\ndata: 2\n\n"


async def test_a_stream_that_goes_on_is_cut_when_the_page_ends(rig: Rig) -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        await reader.read()

    port = await rig.serve(handler)
    client = await rig.client()
    await client.send(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    await client.reader.readuntil(b"data: 1\n\n")
    exchange = await rig.only()
    assert (exchange.status, exchange.truncated) == (200, "time")
    assert exchange.error == "the page's time was up"
    assert exchange.body.read() == b"data: 1\n\n"
    await client.left()


async def test_what_the_page_breaks_off_is_kept_and_marked(rig: Rig) -> None:
    """The server must learn of it too, though it says nothing more."""
    gone = asyncio.Event()

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthe first part")
        await reader.read()
        gone.set()

    port = await rig.serve(handler)
    client = await rig.client()
    await client.send(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    await client.reader.readuntil(b"part")
    await client.close()
    await gone.wait()
    exchange = await rig.only()
    assert exchange.body.read() == b"the first part"
    assert (exchange.truncated, exchange.error) == ("disconnect", "the page broke it off")


async def test_a_web_socket_is_a_handshake_and_a_tunnel(rig: Rig) -> None:
    switch = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: k\r\n\r\n"

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert b"Upgrade: websocket" in await reader.readuntil(b"\r\n\r\n")
        writer.write(switch + b"welcome")
        while said := await reader.read(100):
            writer.write(b"echo " + said)

    port = await rig.serve(handler)
    client = await rig.client()
    await client.send(
        f"GET http://localhost:{port}/socket HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n".encode()
    )
    assert (await client.head()).headers["sec-websocket-accept"] == "k"
    assert await client.reader.readexactly(7) == b"welcome"
    await client.send(b"frame")
    assert await client.reader.readexactly(10) == b"echo frame"
    exchange = await rig.only()
    assert (exchange.status, exchange.reason) == (101, "Switching Protocols")
    assert (exchange.error, exchange.truncated, exchange.body.size) == ("", "", 0)
    assert (b"Sec-WebSocket-Key", b"k") in exchange.request_headers
    assert await client.left()


async def test_a_web_socket_that_is_refused_is_an_answer(rig: Rig) -> None:
    base, _ = await rig.canned(HELLO.replace(b"200 OK", b"403 No"))
    client = await rig.client()
    for _ in range(2):
        reply = await client.get(base, "Connection: Upgrade", "Upgrade: websocket")
        assert (reply.status, reply.body) == (403, b"hello")
    assert [e.status for e in await rig.end()] == [403, 403]


async def test_interim_answers_are_passed_on(rig: Rig) -> None:
    base, _ = await rig.canned(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + HELLO)
    client = await rig.client()
    assert (await client.get(base)).status == 103
    assert (await client.reply()).body == b"hello"
    assert (await rig.only()).status == 200


async def test_a_server_may_answer_before_it_has_heard_all(rig: Rig) -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Much\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
        await reader.read()

    port = await rig.serve(handler)
    client = await rig.client()
    head = f"POST http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\n"
    await client.send(head.encode() + b"x" * 1000)
    reply = await client.reply()
    assert (reply.status, reply.body) == (413, b"no")
    await client.left()
    exchange = await rig.only()
    assert (exchange.status, exchange.request_body.read()) == (413, b"x" * 1000)


async def test_a_kept_connection_that_was_closed_is_replaced(rig: Rig) -> None:
    """Bodies are sent again too: nothing of an answer had come."""
    with nasty("closed-on-reuse") as address:
        client = await rig.client()
        for _ in range(3):
            reply = await client.get(f"http://localhost:{address.port}/", method="POST", body=b"x")
            assert reply.body == b"<p>Hello</p>"
    exchanges = await rig.end()
    assert [(e.status, e.error, e.request_body.read()) for e in exchanges] == [(200, "", b"x")] * 3


@pytest.mark.parametrize("most", [100, 1_000_000])
async def test_a_body_is_cut_at_the_limit(make_rig: RigMaker, most: int) -> None:
    rig = await make_rig(recorder={"body_bytes": most})
    with nasty("endless-body") as address:
        reply = await (await rig.client()).get(address.url)
    exchange = await rig.only()
    assert (exchange.body.size, exchange.truncated) == (most, "length")
    assert (reply.status, reply.whole) == (200, False)
    assert reply.body == exchange.body.read()
    assert exchange.cause == "http_response_body_size"


async def test_a_request_body_is_cut_at_the_limit(make_rig: RigMaker) -> None:
    rig = await make_rig(recorder={"body_bytes": 100_000})
    base, server = await rig.canned(HELLO)
    reply = await (await rig.client()).get(base, method="POST", body=b"x" * 200_000)
    assert reply.status == 400
    exchange = await rig.only()
    assert (exchange.status, exchange.request_body.size) == (None, 100_000)
    assert server.requests == []


# What each nasty server ends in: what the page sees, the recorded status, the cause, the mark.
# None as the page's status: the connection is cut after the answer's head.
WHOLE = (200, 200, "", "")
INVALID = (502, None, "http_protocol_error", "")
TOO_LONG = (502, None, "http_response_header_section_size", "")
GONE = (502, None, "connection_terminated", "")
CUT = (200, 200, "http_response_incomplete", "disconnect")
WRONG = (200, 200, "http_protocol_error", "unspecified")
LATE = (504, None, "connection_read_timeout", "")
LIMIT = (200, 200, "http_response_body_size", "length")
EXPECTED = {
    "reset": GONE, "reset-after-request": GONE, "closed": GONE, "half-closed": GONE,
    "reset-in-body": (200, 200, "connection_terminated", "disconnect"),
    "silent": LATE, "slow-headers": LATE,
    "silent-in-body": (200, 200, "connection_read_timeout", "time"),
    "closed-on-reuse": WHOLE, "unread-request": WHOLE,
    "endless-headers": TOO_LONG, "huge-header": TOO_LONG, "huge-status-line": TOO_LONG,
    "endless-informational": (100, None, "http_protocol_error", ""),
    "garbage": INVALID, "other-protocol": INVALID, "http-0.9": INVALID, "http-9": INVALID,
    "bad-status": INVALID, "null-header": INVALID, "nameless-header": INVALID,
    "unasked-upgrade": INVALID, "length-negative": INVALID, "length-words": INVALID,
    "length-twice": INVALID,
    "folded-header": WHOLE, "bare-newlines": WHOLE, "latin-header": WHOLE, "two-answers": WHOLE,
    "early-hints": (100, 200, "", ""),
    "endless-body": LIMIT, "endless-chunks": LIMIT, "gzip-bomb": LIMIT,
    "length-too-long": CUT, "length-huge": CUT, "unfinished-chunks": CUT,
    "length-too-short": WHOLE, "length-and-chunked": WHOLE,
    "bad-chunk-size": WRONG, "bad-chunk-end": WRONG, "huge-chunk-size": WRONG,
    "endless-trailers": (200, 200, "http_response_trailer_section_size", "length"),
    "truncated-gzip": WHOLE, "truncated-brotli": WHOLE, "gzip-onion": WHOLE,
    "wrong-encoding": WHOLE, "unknown-encoding": WHOLE,
}  # fmt: skip


def test_every_nasty_server_has_its_expectation() -> None:
    assert set(EXPECTED) == {name for name, server in NASTY_SERVERS.items() if not server.tls}


@pytest.mark.parametrize("name", EXPECTED)
async def test_nasty_servers_end_in_an_exchange(make_rig: RigMaker, name: str) -> None:
    seen, status, cause, truncated = EXPECTED[name]
    rig = await make_rig(recorder={"idle_seconds": 0.5, "body_bytes": 1_000_000})
    with nasty(name) as address:
        client = await rig.client()
        reply = first = await client.get(address.url)
        while reply.status in {100, 103}:
            reply = await client.reply()
    exchange = await rig.only()
    assert first.status == seen
    assert reply.status == status or f"error={cause};" in reply.headers["proxy-status"]
    assert reply.whole is not bool(status and cause)  # cut by closing
    assert reply.body == exchange.body.read() or reply.body.startswith(b"webgeist: ")
    assert (exchange.status, exchange.cause, exchange.truncated) == (status, cause, truncated)
    assert bool(exchange.error) == bool(cause)


async def test_a_refused_connection(rig: Rig) -> None:
    with closed_port() as port:
        reply = await (await rig.client()).get(f"http://localhost:{port}/")
    assert reply.status == 502
    assert "error=connection_refused" in reply.headers["proxy-status"]
    exchange = await rig.only()
    assert (exchange.status, exchange.cause, exchange.refused) == (None, "connection_refused", "")


async def test_an_unknown_name_and_a_second_request_on_the_same_connection(rig: Rig) -> None:
    base, _ = await rig.canned(HELLO)
    client = await rig.client()
    reply = await client.get("http://nosuch.example/")
    assert (reply.status, b"could not be resolved" in reply.body) == (502, True)
    assert (await client.get(base)).body == b"hello"
    assert [e.cause for e in await rig.end()] == ["dns_error", ""]


@pytest.mark.parametrize("framing", ["length", "chunks"])
async def test_a_large_body_takes_no_memory(rig: Rig, framing: str) -> None:
    """A reader that is slow at first: what it does not take must wait at the server."""
    piece, pieces = os.urandom(1 << 16), 3000  # 190 MB

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        sized = b"Content-Length: %d" % (len(piece) * pieces)
        how = sized if framing == "length" else b"Transfer-Encoding: chunked"
        writer.write(b"HTTP/1.1 200 OK\r\n" + how + b"\r\n\r\n")
        for _ in range(pieces):
            writer.write(piece if framing == "length" else b"10000\r\n" + piece + b"\r\n")
            await writer.drain()
        writer.write(b"" if framing == "length" else b"0\r\n\r\n")
        await writer.drain()

    port = await rig.serve(handler)
    client = await rig.client()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    await client.send(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    await client.head()
    got = 0
    while got < len(piece) * pieces:
        data = await client.reader.read(1 << 20)
        assert data
        got += len(data)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    exchange = await rig.only()
    assert exchange.body.size == len(piece) * pieces
    assert all(chunk == piece for chunk in exchange.body.chunks())
    assert grown < 40_000  # KB


async def test_a_reader_that_does_not_read_holds_the_server_back(rig: Rig) -> None:
    sent = 0

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()
            sent += 65536

    port = await rig.serve(handler)
    client = await rig.client()
    client.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads
    await client.send(f"GET http://localhost:{port}/ HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    before = -1
    while sent != before or not sent:  # until nothing moves any more
        before = sent
        for _ in range(200):
            await asyncio.sleep(0)
    exchange = await rig.only()
    assert sent < 40_000_000  # what fits into the buffers of two sockets
    assert exchange.truncated == "time"
