"""A real Chromium through the recorder: all that servers were asked for is recorded, as it was."""

from __future__ import annotations

import asyncio
import hashlib
import socket
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from tests.capture.conftest import only_here

from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca, leaf
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.recorder.upstream import verifying_context
from webgeist.capture.target import Target, parse_target
from webgeist.errors import StorageError
from webgeist.samples.app import SampleWeb
from webgeist.samples.museum.servers import closed_port, nasty

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from starlette.requests import Request
    from starlette.types import Message, Receive, Scope, Send
    from starlette.websockets import WebSocket
    from tests.conftest import SettingsMaker

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.model import Capture

LAB = """<!doctype html><title>working</title><link rel=stylesheet href=/redirect?style>
<link rel=prefetch href=/echo?prefetch><img src="/echo?img"><img src="/until-done"><iframe src="/echo?frame"></iframe><script>
const other = location.origin.replace("lab.", "other.");
const heard = (target, name) => new Promise(go => target.addEventListener(name, go, {once: true}));
(async () => {
  await fetch("/echo?post", {method: "POST", body: "x".repeat(100_000)});
  await fetch("/echo?form", {method: "POST", body: new URLSearchParams({a: "b"})});
  await fetch(other + "/echo?put", {method: "PUT", headers: {"x-custom": "1"}, body: "put"});
  await fetch("/echo?range", {headers: {range: "bytes=10-19"}});
  await fetch("/redirect?one").then(answer => answer.text());
  await fetch("/nothing"); await fetch("/missing"); await fetch("/echo?head", {method: "HEAD"});
  const stop = new AbortController();
  const endless = await fetch("/endless", {signal: stop.signal});
  await endless.body.getReader().read(); stop.abort();
  await heard(new EventSource("/events"), "goodbye");
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/socket");
  await heard(socket, "open"); socket.send("hello"); await heard(socket, "message");
  await heard(new Worker("/worker.js"), "message");
  await navigator.serviceWorker.register("/service.js"); await navigator.serviceWorker.ready;
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n => fetch("/echo?many=" + n)));
  navigator.sendBeacon("/echo?beacon", "b");
  document.title = "done"; await fetch("/done");
})();
</script>"""
WORKER = "fetch('/echo?worker').then(answer => answer.text()).then(postMessage)"
SERVICE = "oninstall = event => event.waitUntil(fetch('/echo?service').then(a => a.text()))"
OPEN = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "*"}
OPEN["Access-Control-Allow-Headers"] = "*"


async def echo(request: Request) -> Response:
    """What it was sent and what for; long enough for two pieces."""
    body = await request.body()
    said = f"{request.method} {request.url.path} {request.url.query} ".encode() * 10_000 + body
    return Response(said, headers={**OPEN, "Content-Type": "text/plain", "Vary": "Cookie"})


async def endless(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"on and on ", "more_body": True})
    await receive()
    while (await receive())["type"] != "http.disconnect":
        pass


async def socket_(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(await websocket.receive_text())
    await websocket.receive()


def lab() -> Starlette:
    script, events = "text/javascript", "event: news\ndata: 1\n\nevent: goodbye\ndata: 2\n\n"
    methods = ["GET", "POST", "PUT", "OPTIONS"]
    done = asyncio.Event()

    async def until_done(_: Request) -> Response:
        """Keeps the page from coming to rest before its script is through."""
        await done.wait()
        return Response(status_code=204)

    async def set_done(_: Request) -> Response:
        done.set()
        return Response(status_code=204)

    return Starlette(
        routes=[
            Route("/", lambda _: HTMLResponse(LAB)),
            Route("/echo", echo, methods=methods),
            Route("/redirect", lambda r: RedirectResponse(f"/echo?after-{r.url.query}", 307)),
            Route("/until-done", until_done),
            Route("/done", set_done),
            Route("/nothing", lambda _: Response(status_code=204)),
            Route("/events", lambda _: PlainTextResponse(events, media_type="text/event-stream")),
            Route("/worker.js", lambda _: PlainTextResponse(WORKER, media_type=script)),
            Route("/service.js", lambda _: PlainTextResponse(SERVICE, media_type=script)),
            WebSocketRoute("/socket", socket_),
        ]
    )


@dataclass
class Seen:
    """One request as a server saw it, and the answer that it gave."""

    method: str
    url: str
    status: int = 0
    asked: Any = field(default_factory=hashlib.sha256)
    said: Any = field(default_factory=hashlib.sha256)

    @property
    def facts(self) -> tuple[str, str, int, str, str]:
        return self.method, self.url, self.status, self.asked.hexdigest(), self.said.hexdigest()


class Witness:
    """The sample web and the lab, as NAME.web.localhost; writes down every byte of every body."""

    def __init__(self, base: str) -> None:
        self.log: list[Seen] = []
        self._base = base  # scheme://%s:port
        self._apps: dict[str, Any] = {site.name: site.app for site in SampleWeb().sites}
        self._apps |= dict.fromkeys(("lab", "other"), lab())

    def url(self, site: str, path: str) -> str:
        return self._base % f"{site}.web.localhost" + path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        site = dict(scope["headers"])[b"host"].decode().partition(".")[0]
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        seen = Seen(
            scope.get("method", "GET"), self.url(site, (scope["raw_path"] + query).decode())
        )
        self.log.append(seen)

        async def hearing() -> Message:
            message = await receive()
            seen.asked.update(message.get("body") or b"")
            return message

        async def saying(message: Message) -> None:
            seen.status = message.get(
                "status", 101 if scope["type"] == "websocket" else seen.status
            )
            if scope["type"] == "http" and seen.method != "HEAD":
                seen.said.update(message.get("body") or b"")
            await send(message)

        app = endless if scope["path"] == "/endless" else self._apps[site]
        await app(scope, hearing, saying)


@contextmanager
def witness(files: dict[str, str] | None = None) -> Iterator[Witness]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = Witness(f"http{'s' if files else ''}://%s:{port}")
        config = uvicorn.Config(
            app, log_level="error", lifespan="off", ws="websockets-sansio",
            timeout_graceful_shutdown=1, **(files or {}),  # type: ignore[arg-type]  # two options
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield app
        server.should_exit = True
        thread.join()


@dataclass
class Studio:
    """A camera that records, and a server that knows what it was asked."""

    camera: Camera
    proxy: RecordingProxy
    web: Witness
    captures: list[Capture] = field(default_factory=list)

    async def shoot(self, url: str) -> Capture:
        """A capture; closed with the test."""
        self.captures.append(await self.camera.capture(Target(url)))
        return self.captures[-1]

    async def close(self) -> None:
        await self.proxy.close()
        for capture in self.captures:
            capture.close()


@pytest.fixture(params=["http", "https"])
async def studio(
    request: pytest.FixtureRequest, make_settings: SettingsMaker, tmp_path: Path
) -> AsyncIterator[Studio]:
    trust, files = verifying_context(), None
    if request.param == "https":
        now = datetime.now(UTC)
        authority = ca("authority of the test", now)
        site = leaf(authority, "*.web.localhost", now)
        (tmp_path / "site.pem").write_text(site.chain_pem + site.key_pem)
        trust.load_verify_locations(cadata=authority.pem)
        files = {"ssl_certfile": str(tmp_path / "site.pem")}
    settings = make_settings(recorder={"idle_seconds": 20})
    proxy = RecordingProxy(
        settings,
        Authority.of_folder(tmp_path / "authority"),
        gate=Gate(allow_private=True, resolve=only_here),
        tls=trust,
    )
    with witness(files) as web:
        async with Camera(settings, proxy) as camera:
            studio = Studio(camera, proxy, web)
            yield studio
        await studio.close()


def facts(exchange: Exchange) -> tuple[str, str, int | None, str, str]:
    asked, said = exchange.request_body.sha256, exchange.body.sha256
    return exchange.method, exchange.url, exchange.status, asked, said


def recorded(*captures: Capture) -> Counter[tuple[str, str, int | None, str, str]]:
    return Counter(facts(exchange) for capture in captures for exchange in capture.exchanges)


def seen(web: Witness) -> Counter[tuple[str, str, int | None, str, str]]:
    return Counter(each.facts for each in web.log)


async def test_nothing_is_missing_and_every_byte_is_right(studio: Studio) -> None:
    capture = await studio.shoot(studio.web.url("lab", "/"))
    assert capture.info.metadata is not None
    assert capture.info.metadata.title == "done"
    assert recorded(capture) == seen(studio.web)
    by_path = {exchange.url.rpartition("/")[2]: exchange for exchange in capture.exchanges}
    for path in ("echo?worker", "echo?service", "echo?prefetch", "echo?after-style", "echo?beacon"):
        assert path in by_path
    assert by_path["endless"].truncated == "disconnect"
    assert by_path["socket"].status == 101
    assert "OPTIONS" in {exchange.method for exchange in capture.exchanges}
    others = [each for each in capture.exchanges if each.url != by_path["endless"].url]
    assert {(each.error, each.truncated) for each in others} == {("", "")}
    assert len(capture.exchanges) >= 30


async def test_each_request_of_the_page_knows_its_exchange(studio: Studio) -> None:
    capture = await studio.shoot(studio.web.url("lab", "/"))
    rows = capture.requests.to_pylist()
    linked = Counter(row["exchange"] for row in rows)
    assert linked[None] == 0
    assert set(linked) == {exchange.number for exchange in capture.exchanges}
    for row in rows:
        exchange = capture.exchanges[row["exchange"]]
        assert exchange.method == row["method"]
        assert exchange.url.partition("://")[2] == row["url"].partition("://")[2]


PAGES = ("/", "/service-worker", "/worker", "/events", "/redirects/chain/5", "/xhtml")


async def test_four_tabs_at_once_are_told_apart(studio: Studio) -> None:
    """What a page asks for alone is what it asks for among others, and all of it is its own."""
    alone = {}
    for path in PAGES:
        capture = await studio.shoot(studio.web.url("gallery", path))
        assert capture.ok, capture.info.reason
        alone[path] = recorded(capture)
    assert sum(alone.values(), Counter()) == seen(studio.web)
    studio.web.log.clear()

    async def tab(paths: tuple[str, ...]) -> list[Capture]:
        return [await studio.shoot(studio.web.url("gallery", path)) for path in paths]

    tabs = [PAGES[number:] + PAGES[:number] for number in range(4)]
    captures = await asyncio.gather(*map(tab, tabs))
    for paths, found in zip(tabs, captures, strict=True):
        for path, capture in zip(paths, found, strict=True):
            assert recorded(capture) == alone[path], path
    everything = [capture for found in captures for capture in found]
    assert recorded(*everything) == seen(studio.web)


@pytest.fixture
async def closed_studio(make_settings: SettingsMaker, tmp_path: Path) -> AsyncIterator[Studio]:
    """The gate is shut, as it is by default."""
    settings = make_settings(recorder={"idle_seconds": 20})
    proxy = RecordingProxy(settings, Authority.of_folder(tmp_path), gate=Gate(resolve=only_here))
    with witness() as web:
        async with Camera(settings, proxy) as camera:
            studio = Studio(camera, proxy, web)
            yield studio
        await studio.close()


async def test_a_page_that_may_not_be_reached_is_withheld(closed_studio: Studio) -> None:
    capture = await closed_studio.shoot(closed_studio.web.url("lab", "/"))
    assert capture.info.outcome is Outcome.WITHHELD
    assert "lab.web.localhost is 127.0.0.1, which is no public address" in capture.info.reason
    assert (capture.info.status, capture.page) == (None, None)
    assert capture.exchanges[0].refused
    assert closed_studio.web.log == []


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("garbage", Outcome.BAD_RESPONSE),
        ("endless-headers", Outcome.BAD_RESPONSE),
        ("reset-after-request", Outcome.CONNECTION),
        ("closed", Outcome.CONNECTION),
        ("tls-self-signed", Outcome.CERTIFICATE),
        ("tls-expired", Outcome.CERTIFICATE),
        ("tls-garbage", Outcome.CERTIFICATE),
        ("length-too-long", Outcome.TRUNCATED),
        ("reset-in-body", Outcome.TRUNCATED),
        ("unfinished-chunks", Outcome.TRUNCATED),
        ("latin-header", Outcome.OK),
    ],
)
async def test_outcomes_are_what_they_would_be_without_a_recorder(
    make_settings: SettingsMaker, tmp_path: Path, name: str, outcome: Outcome
) -> None:
    settings = make_settings()
    gate = Gate(allow_private=True, resolve=only_here)
    proxy = RecordingProxy(settings, Authority.of_folder(tmp_path), gate=gate)
    with nasty(name) as address:
        async with Camera(settings, proxy) as camera:
            capture = await camera.capture(Target(address.url))
        await proxy.close()
    assert capture.info.outcome is outcome, capture.info.reason
    assert capture.exchanges
    assert capture.exchanges[0].url == address.url
    capture.close()


async def test_unknown_and_closed_hosts_are_told_apart(
    make_settings: SettingsMaker, tmp_path: Path
) -> None:
    settings = make_settings()
    gate = Gate(allow_private=True, resolve=only_here)
    proxy = RecordingProxy(settings, Authority.of_folder(tmp_path), gate=gate)
    with closed_port() as port:
        async with Camera(settings, proxy) as camera:
            for url, outcome in (
                ("http://nosuch.example/", Outcome.UNKNOWN_HOST),
                ("https://nosuch.example/", Outcome.UNKNOWN_HOST),
                (f"http://localhost:{port}/", Outcome.REFUSED),
                (f"https://localhost:{port}/", Outcome.REFUSED),
            ):
                capture = await camera.capture(Target(url))
                assert (capture.info.outcome, capture.info.status) == (outcome, None)
                capture.close()
        await proxy.close()


async def test_without_a_recorder_there_are_no_exchanges(make_settings: SettingsMaker) -> None:
    with witness() as web:
        async with Camera(make_settings()) as camera:
            capture = await camera.capture(Target(web.url("gallery", "/xhtml")))
    assert capture.exchanges == ()
    assert set(capture.requests.column("exchange").to_pylist()) == {None}


async def test_a_saved_page_needs_no_way_out(make_settings: SettingsMaker, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Saved<img src=http://h.localhost/x.png>")
    settings = make_settings()
    proxy = RecordingProxy(settings, Authority.of_folder(tmp_path))
    async with Camera(settings, proxy) as camera:
        capture = await camera.capture(parse_target(str(tmp_path / "page.html")))
    await proxy.close()
    assert (capture.ok, capture.exchanges) == (True, ())


async def test_a_recorder_that_fails_fails_the_capture(
    make_settings: SettingsMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page with half of its bodies would look like one that is whole."""
    settings = make_settings()
    gate = Gate(allow_private=True, resolve=only_here)
    proxy = RecordingProxy(settings, Authority.of_folder(tmp_path), gate=gate)

    def full(*_: object) -> int:
        raise StorageError("the disk is full")

    with witness() as web:
        async with Camera(settings, proxy) as camera:
            monkeypatch.setattr("webgeist.capture.exchange.Spool.append", full)
            with pytest.raises(StorageError):
                await camera.capture(Target(web.url("gallery", "/xhtml")))
            monkeypatch.undo()
            capture = await camera.capture(Target(web.url("gallery", "/xhtml")))
            assert capture.ok
            assert capture.exchanges
            capture.close()
        await proxy.close()
