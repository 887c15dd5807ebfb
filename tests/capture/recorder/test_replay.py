"""Serve mode: a stored page again, from what is stored alone."""

from __future__ import annotations

import asyncio
import http.server
import socket
import ssl
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import Client, only_here

from webgeist.capture.camera import Camera
from webgeist.capture.exchange import Body, Tls
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.recorder.replay import LostError, Replay, SilenceError, StoredAnswer
from webgeist.capture.recorder.upstream import OriginError
from webgeist.capture.target import Target
from webgeist.samples.server import serve
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker

    from webgeist.capture.exchange import Exchange, Headers
    from webgeist.capture.model import Capture
    from webgeist.capture.recorder.replay import Lookup
    from webgeist.capture.recorder.slot import ProxySlot


class Shelf:
    """Answers by method, address and turn."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str], list[StoredAnswer]] = {}
        self.asked: list[tuple[str, str, int]] = []
        self._bodies: list[Body] = []

    def put(
        self, method: str, url: str, body: bytes, status: int = 200, headers: Headers = ()
    ) -> None:
        kept = Body()
        kept.write(body)
        self._bodies.append(kept)
        answers = self.stored.setdefault((method, url), [])
        answers.append(StoredAnswer(status, "Fine", headers, kept))

    def __call__(self, method: str, url: str, nth: int) -> StoredAnswer | None:
        self.asked.append((method, url, nth))
        answers = self.stored.get((method, url), [])
        return answers[min(nth, len(answers) - 1)] if answers else None

    def close(self) -> None:
        for body in self._bodies:
            body.close()


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    filled = Shelf()
    yield filled
    filled.close()


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority.of_folder(tmp_path)


@asynccontextmanager
async def replaying(lookup: Lookup, authority: Authority) -> AsyncIterator[ProxySlot]:
    replay = Replay(Settings(), authority, lookup)
    slot = await replay.slot()
    slot.begin()
    yield slot
    await replay.close()


@asynccontextmanager
async def client_of(slot: ProxySlot) -> AsyncIterator[Client]:
    client = Client(*await asyncio.open_connection("127.0.0.1", slot.port))
    yield client
    await client.close()


async def test_what_is_stored_is_answered(shelf: Shelf, authority: Authority) -> None:
    framing = ((b"Transfer-Encoding", b"chunked"), (b"Content-Encoding", b"gzip"))
    shelf.put("GET", "http://h.example/a?b", b"body" * 50_000, headers=framing)
    async with replaying(shelf, authority) as slot, client_of(slot) as client:
        for _ in range(2):
            reply = await client.get("http://h.example/a?b")
            assert (reply.status, reply.body) == (200, b"body" * 50_000)
            assert reply.headers == {"content-encoding": "gzip", "content-length": "200000"}
        exchanges = await slot.end()
        assert [(e.status, e.reason, e.body.size, e.error) for e in exchanges] == [
            (200, "Fine", 200_000, "")
        ] * 2
        assert exchanges[0].response_headers == framing
        close(exchanges)


async def test_what_is_not_stored_is_404_and_told(shelf: Shelf, authority: Authority) -> None:
    shelf.put("GET", "http://h.example/a", b"x")
    async with replaying(shelf, authority) as slot, client_of(slot) as client:
        for method, path in (("GET", "/b"), ("POST", "/a"), ("GET", "/a")):
            reply = await client.get(f"http://h.example{path}", method=method, body=b"")
            assert reply.status == (200 if (method, path) == ("GET", "/a") else 404)
        exchanges = await slot.end()
        missing = [(e.method, e.url, e.error) for e in exchanges if e.status is None]
        assert missing == [
            ("GET", "http://h.example/b", "GET http://h.example/b is not stored"),
            ("POST", "http://h.example/a", "POST http://h.example/a is not stored"),
        ]
        assert {e.cause for e in exchanges if e.status is None} == {"destination_not_found"}
        close(exchanges)


async def test_the_same_address_is_asked_for_by_turns(shelf: Shelf, authority: Authority) -> None:
    for body in (b"first", b"second"):
        shelf.put("GET", "http://h.example/", body)
    async with replaying(shelf, authority) as slot:
        for _ in range(2):  # each page starts anew
            async with client_of(slot) as client:
                said = [(await client.get("http://h.example/")).body for _ in range(3)]
                assert said == [b"first", b"second", b"second"]
            close(await slot.end())
            slot.begin()
    assert [nth for _, _, nth in shelf.asked] == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize(
    ("method", "status", "headers"),
    [
        ("HEAD", 200, ((b"Content-Length", b"999"),)),
        ("GET", 204, ()),
        ("GET", 304, ((b"ETag", b'"x"'),)),
    ],
)
async def test_answers_without_a_body(
    shelf: Shelf, authority: Authority, method: str, status: int, headers: Headers
) -> None:
    shelf.put(method, "http://h.example/", b"", status, headers)
    async with replaying(shelf, authority) as slot, client_of(slot) as client:
        for _ in range(2):
            reply = await client.get("http://h.example/", method=method)
            assert reply.status == status
            for name, value in headers:
                assert reply.headers[name.decode().lower()] == value.decode()
        close(await slot.end())


async def test_a_web_socket_is_not_stored(shelf: Shelf, authority: Authority) -> None:
    shelf.put("GET", "http://h.example/socket", b"", 101)
    async with replaying(shelf, authority) as slot, client_of(slot) as client:
        url = "http://h.example/socket"
        reply = await client.get(url, "Connection: Upgrade", "Upgrade: websocket")
        assert reply.status == 404
        close(await slot.end())


async def test_what_failed_fails_again(authority: Authority) -> None:
    def lost(*_: object) -> StoredAnswer:
        raise OriginError("dns_error", "h.example: its name could not be resolved")

    async with replaying(lost, authority) as slot, client_of(slot) as client:
        reply = await client.get("http://h.example/")
        assert (reply.status, reply.headers["proxy-status"][:25]) == (
            502,
            "webgeist; error=dns_error",
        )
        [exchange] = await slot.end()
        assert (exchange.status, exchange.cause) == (None, "dns_error")
        assert exchange.error == "h.example: its name could not be resolved"
        exchange.close()


async def test_what_failed_for_chromium_is_told_by_no_answer(authority: Authority) -> None:
    def lost(*_: object) -> StoredAnswer:
        raise LostError("connection_refused", "h.example: it refused the connection")

    async with replaying(lost, authority) as slot, client_of(slot) as client:
        await client.send(b"GET http://h.example/ HTTP/1.1\r\nHost: h\r\n\r\n")
        assert await client.left()
        [exchange] = await slot.end()
        assert (exchange.status, exchange.cause) == (None, "connection_refused")
        assert exchange.error == "h.example: it refused the connection"
        exchange.close()


async def test_who_was_not_trusted_is_not_trusted(shelf: Shelf, authority: Authority) -> None:
    """The browser must fail as it did then, and not be told by an answer."""
    tls = Tls("self-signed certificate", "", "", "", "")

    def lookup(method: str, url: str, nth: int) -> StoredAnswer | None:
        if (method, url) == ("CONNECT", "https://bad.example/"):
            raise OriginError("tls_certificate_error", "not to be trusted", tls)
        if method == "CONNECT":
            raise OriginError("dns_error", "only requests are told that")
        return shelf(method, url, nth)

    shelf.put("GET", "https://good.example/", b"words")
    trust = ssl.create_default_context(cadata=authority.pem)
    async with replaying(lookup, authority) as slot:
        async with client_of(slot) as client:
            await client.send(b"CONNECT good.example:443 HTTP/1.1\r\n\r\n")
            assert (await client.head()).status == 200
            await client.writer.start_tls(trust, server_hostname="good.example")
            assert (await client.get("/")).body == b"words"
        async with client_of(slot) as client:
            await client.send(b"CONNECT bad.example:443 HTTP/1.1\r\n\r\n")
            assert (await client.head()).status == 200
            with pytest.raises(ssl.SSLCertVerificationError):
                await client.writer.start_tls(trust, server_hostname="bad.example")
        _, bad = exchanges = await slot.end()
        assert (bad.method, bad.cause, bad.tls) == ("CONNECT", "tls_certificate_error", tls)
        close(exchanges)


@pytest.mark.parametrize("body", [None, b"the beginning"])
@pytest.mark.parametrize("leaves", [True, False])
async def test_what_never_came_is_waited_for_again(
    authority: Authority, body: bytes | None, leaves: bool
) -> None:
    class Beginning:
        size = 1_000

        def chunks(self) -> Iterator[bytes]:
            yield body or b""
            raise SilenceError

    def lookup(*_: object) -> StoredAnswer:
        asked.set()
        if body is None:
            raise SilenceError
        return StoredAnswer(200, "Fine", (), Beginning())

    asked = threading.Event()
    async with replaying(lookup, authority) as slot, client_of(slot) as client:
        await client.send(b"GET http://h.example/ HTTP/1.1\r\nHost: h\r\n\r\n")
        await asyncio.to_thread(asked.wait)
        if body is not None:
            assert (await client.head()).headers["content-length"] == "1000"
            assert await client.reader.readexactly(len(body)) == body
        if leaves:
            await client.close()
            await asyncio.gather(*slot._port._visits)
        [exchange] = await slot.end()
        assert exchange.error == ("the page broke it off" if leaves else "the page's time was up")
        assert (exchange.status is None, exchange.body.read()) == (body is None, body or b"")
        assert (exchange.truncated != "", exchange.cause) == (body is not None, "")
        assert await client.left(), "with no further answer"
        exchange.close()


async def test_request_bodies_are_heard(shelf: Shelf, authority: Authority) -> None:
    shelf.put("POST", "http://h.example/", b"thanks")
    async with replaying(shelf, authority) as slot, client_of(slot) as client:
        reply = await client.get("http://h.example/", method="POST", body=b"x" * 100_000)
        assert reply.body == b"thanks"
        (exchange,) = await slot.end()
        assert exchange.request_body.size == 100_000
        exchange.close()


async def test_an_archive_that_fails_is_told(authority: Authority) -> None:
    def broken(*_: object) -> StoredAnswer:
        raise ZeroDivisionError

    async with replaying(broken, authority) as slot, client_of(slot) as client:
        await client.send(b"GET http://h.example/ HTTP/1.1\r\nHost: h\r\n\r\n")
        assert await client.left()
        with pytest.raises(ZeroDivisionError):
            await slot.end()


def close(exchanges: list[Exchange]) -> None:
    for exchange in exchanges:
        exchange.close()


@pytest.fixture
def no_dialling(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Whatever tries to connect or to resolve from now on is written down and fails."""
    tried: list[object] = []

    def refuse(*what: object, **_: object) -> None:
        tried.append(what)
        raise OSError("nothing is dialled")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "sock_connect", refuse)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "create_connection", refuse)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "getaddrinfo", refuse)
    return tried


def nodes(capture: Capture) -> list[dict[str, object]]:
    assert capture.page is not None
    rows: list[dict[str, object]] = capture.page.nodes.to_pylist()
    return rows


@pytest.mark.parametrize("path", ["/", "/service-worker", "/events", "/redirects/chain/5"])
async def test_a_page_is_the_same_with_its_server_gone(
    make_settings: SettingsMaker,
    shelf: Shelf,
    authority: Authority,
    request: pytest.FixtureRequest,
    path: str,
) -> None:
    settings = make_settings()
    gate = Gate(allow_private=True, resolve=only_here)
    proxy = RecordingProxy(settings, authority, gate=gate)
    with serve() as web:
        url = web.url("gallery", path)
        async with Camera(settings, proxy) as camera:
            first = await camera.capture(Target(url))
        await proxy.close()
    for each in first.exchanges:
        assert each.status is not None
        shelf.put(each.method, each.url, each.body.read(), each.status, each.response_headers)
    tried = request.getfixturevalue("no_dialling")
    replay = Replay(settings, authority, shelf)
    async with Camera(settings, replay) as camera:
        again = await camera.capture(Target(url), clock=first.info.clock)
    await replay.close()
    assert tried == []
    assert [each.error for each in again.exchanges if each.status is None] == []
    with pytest.raises(OSError, match="nothing is dialled"):  # and it would have been seen
        await gate.dial("localhost", web.port)
    assert len(tried) == 1
    assert nodes(again) == nodes(first)
    assert again.info.redirects == first.info.redirects
    for capture in (first, again):
        capture.close()


async def test_nothing_reaches_a_server_that_is_there(
    make_settings: SettingsMaker, shelf: Shelf, authority: Authority
) -> None:
    """The stored page asks for more than is stored; its server would know the rest."""
    settings = make_settings()
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        base = f"http://localhost:{server.server_port}"
        page = b"<!doctype html><p>Stored<img src=/more.png><script src=/more.js></script>"
        shelf.put("GET", f"{base}/", page, headers=((b"Content-Type", b"text/html"),))
        replay = Replay(settings, authority, shelf)
        async with Camera(settings, replay) as camera:
            capture = await camera.capture(Target(f"{base}/"))
            missing = await camera.capture(Target(f"{base}/other"))
        await replay.close()
        server.shutdown()
        thread.join()
    assert capture.ok
    lost = {exchange.url for exchange in capture.exchanges if exchange.status is None}
    assert lost >= {f"{base}/more.png", f"{base}/more.js"}
    assert missing.info.outcome is Outcome.WITHHELD
    assert "is not stored" in missing.info.reason
    assert asked == []
    capture.close()
    missing.close()
