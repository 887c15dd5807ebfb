"""Tabs that are kept for more pages of their site: they share a cache, and nothing else."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture import places as places_module
from webgeist.capture.camera import Camera
from webgeist.capture.recorder.forms import make_recorder
from webgeist.capture.target import Target

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker

    from webgeist.capture.model import Capture

KEPT_FOR_LONG = {"cache-control": "max-age=1000"}
PAGE = """<!doctype html><title>-</title><link rel=stylesheet href=/style.css>
<p>words</p><img src=/moved><img src=/tagged.svg><iframe src=/frame></iframe><script>
  const had = [localStorage.length, sessionStorage.length, document.cookie, window.name];
  localStorage.x = sessionStorage.x = 1; document.cookie = "x=1"; window.name = "x";
  navigator.serviceWorker.register("/worker.js");
  onbeforeunload = event => event.preventDefault();
  onpagehide = () => navigator.sendBeacon("/left");
  fetch("http://localhost:PORT/asked", {headers: {"X-Ask": "1"}}).then(a => a.text())
    .then(text => document.title = JSON.stringify([...had, text, history.length]));
</script>"""
HEAVY = 20_000_000
HEAVY_PAGE = f"""<!doctype html><link rel=stylesheet href=/style.css><p>words<script>
  window.held = Array.from({{length: {HEAVY // 20}}}, (_, number) => [number]);
</script>"""
PAINTED = """<!doctype html><body style="margin: 0; height: 3000px"><canvas width=100 height=100>
</canvas><img src=/picture.svg width=100 height=100><script>
  const pen = document.querySelector("canvas").getContext("2d");
  pen.fillStyle = "teal"; pen.fillRect(0, 0, 100, 100);
</script>"""
SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
PICTURE = {"content-type": "image/svg+xml"}
FILES = {
    "/style.css": ("p { color: red }", {"content-type": "text/css", **KEPT_FOR_LONG}),
    "/moved": ("", {"location": "/picture.svg", **KEPT_FOR_LONG}),
    "/picture.svg": (SVG, PICTURE | KEPT_FOR_LONG),
    "/tagged.svg": (SVG, PICTURE | {"etag": '"1"', "cache-control": "no-cache"}),
    "/worker.js": ("onfetch = () => {}", {"content-type": "text/javascript"}),
    "/asked": ("answer", {"content-type": "text/plain", "cache-control": "no-store"}),
    "/document.pdf": ("%PDF", {"content-type": "application/pdf"}),
    "/heavy": (HEAVY_PAGE, {"content-type": "text/html"}),
    "/painted": (PAINTED, {"content-type": "text/html"}),
    "/frame": ("<p>frame", {"content-type": "text/html"}),
}


@dataclass
class Shop:
    port: int
    log: list[str] = field(default_factory=list)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@contextmanager
def open_shop() -> Iterator[Shop]:
    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            self.say(204, "", {"access-control-max-age": "600"})

        def do_POST(self) -> None:
            self.say(204, "", {})

        def do_GET(self) -> None:
            page = PAGE.replace("PORT", str(shop.port)), {"content-type": "text/html"}
            body, headers = FILES.get(self.path, page)
            status = 301 if "location" in headers else 200
            if "if-none-match" in self.headers:
                status, body = 304, ""
            self.say(status, body, headers)

        def say(self, status: int, body: str, headers: dict[str, str]) -> None:
            shop.log.append(f"{self.command} {self.path}")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("access-control-allow-origin", "*")
            self.send_header("access-control-allow-headers", "X-Ask")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            """The shop has a log of its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    shop = Shop(server.server_port)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield shop
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(name="shop")
def _shop() -> Iterator[Shop]:
    with open_shop() as opened:
        yield opened


@asynccontextmanager
async def camera_with(
    make_settings: SettingsMaker, tmp_path: Path, *, kept: int = 2, **more: Any
) -> AsyncIterator[Camera]:
    settings = make_settings(**more)
    recorder = make_recorder(settings, tmp_path)
    try:
        async with Camera(settings, recorder, kept=kept) as camera:
            yield camera
    finally:
        await recorder.close()


async def shoot(camera: Camera, url: str, **more: Any) -> Capture:
    capture = await camera.capture(Target(url), **more)
    assert capture.ok, capture.info.reason
    return capture


async def test_pages_share_a_cache_and_nothing_else(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        captures = [await shoot(camera, shop.url(path)) for path in ("/1", "/2", "/3")]
        (place,) = camera.places._waiting
        assert place.pages == 3
    titles = [each.info.metadata and each.info.metadata.title for each in captures]
    assert titles == ['[0,0,"","","answer",2]'] * 3
    asked = Counter(shop.log)
    assert asked["GET /style.css"] == asked["GET /moved"] == asked["GET /picture.svg"] == 1
    assert asked["GET /tagged.svg"] == 3
    assert asked["OPTIONS /asked"] == 1
    assert asked["GET /worker.js"] == 3
    assert "POST /left" not in asked
    for capture in captures:
        capture.close()


async def test_each_capture_is_whole_by_itself(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        first = await shoot(camera, shop.url("/1"))
        second = await shoot(camera, shop.url("/2"))

    def answers(capture: Capture) -> Counter[tuple[str, str, int | None, bytes]]:
        return Counter(
            (each.method, each.url, each.status, each.body.read())
            for each in capture.exchanges
            if each.status != 304 and not each.url.endswith(("/1", "/2"))
        )

    assert answers(first) == answers(second)
    assert [each.number for each in second.exchanges] == list(range(len(second.exchanges)))
    exchanges = {each.number: each for each in second.exchanges}
    for row in second.requests.to_pylist():
        found = exchanges[row["exchange"]]
        assert found.status == 200
        assert found.url == row["url"].replace("/moved", "/picture.svg")  # told as one request
    assert {row["cache"] for row in second.requests.to_pylist()} > {None}
    assert sum(each.cached for each in first.exchanges) == 0
    for capture in (first, second):
        capture.close()


async def test_other_sites_and_viewports_have_other_tabs(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        for url, viewport in (
            (shop.url("/1"), "desktop"),
            (shop.url("/1"), "mobile"),
            (shop.url("/1", "localhost"), "desktop"),
            (shop.url("/2"), "mobile"),
        ):
            (await shoot(camera, url, viewport=viewport)).close()
        waiting = camera.places._waiting
        assert [(place.use and place.use[1].name, place.pages) for place in waiting] == [
            ("desktop", 1),  # the one that waited longest had to go
            ("mobile", 2),
        ]
    assert Counter(shop.log)["GET /style.css"] == 3


async def test_a_tab_that_had_no_page_is_not_kept(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        (await shoot(camera, shop.url("/1"))).close()
        capture = await camera.capture(Target(shop.url("/document.pdf")))
        assert not capture.ok
        capture.close()
        assert camera.places._waiting == []


async def test_a_tab_is_worn_after_so_many_pages(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places_module, "_MOST_PAGES", 2)
    async with camera_with(make_settings, tmp_path) as camera:
        for path in ("/1", "/2", "/3"):
            (await shoot(camera, shop.url(path))).close()
        assert [place.pages for place in camera.places._waiting] == [1]


async def test_tabs_of_a_dead_browser_are_forgotten(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        (await shoot(camera, shop.url("/1"))).close()
        assert camera.places.browser is not None
        os.killpg(camera.places.browser.pid, signal.SIGKILL)
        await camera.places.browser._running.connection.closed
        (await shoot(camera, shop.url("/2"))).close()
        assert [place.pages for place in camera.places._waiting] == [1]


async def test_tabs_of_a_browser_that_grew_are_left(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        (await shoot(camera, shop.url("/1"))).close()
        first = camera.places.browser
        monkeypatch.setattr(places_module, "tree_bytes", lambda _: 1 << 60)
        monkeypatch.setattr(places_module, "_MEASURE_SECONDS", 0.0)
        (await shoot(camera, shop.url("/2"))).close()
        assert first is not None
        assert camera.places.browser is not first
        assert not first.alive


async def test_a_browser_that_grows_gives_up_tabs_that_wait(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with camera_with(make_settings, tmp_path, kept=5) as camera:
        for width in (500, 600, 700):
            (await shoot(camera, shop.url("/1"), viewport=f"{width}x500")).close()
        first = camera.places.browser
        size = camera.settings.browser.memory_bytes * 0.8
        monkeypatch.setattr(places_module, "tree_bytes", lambda _: size)
        monkeypatch.setattr(places_module, "_MEASURE_SECONDS", 0.0)
        (await shoot(camera, shop.url("/1"), viewport="500x500")).close()
        assert len(camera.places._waiting) == 3  # it was told to clear up, which did not help
        (await shoot(camera, shop.url("/2"), viewport="500x500")).close()
        waiting = camera.places._waiting
        assert [(place.use and place.use[1].width, place.pages) for place in waiting] == [(500, 3)]
        assert camera.places.browser is first


async def test_a_browser_that_has_grown_clears_up(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with camera_with(make_settings, tmp_path, kept=5) as camera:
        (await shoot(camera, shop.url("/heavy"))).close()
        (place,) = camera.places._waiting
        size = camera.settings.browser.memory_bytes * 0.5
        monkeypatch.setattr(places_module, "tree_bytes", lambda _: size)
        monkeypatch.setattr(places_module, "_MEASURE_SECONDS", 0.0)
        (await shoot(camera, shop.url("/1"), viewport="500x500")).close()
        assert place.tidy
        heap = await place.tab.send("Runtime.getHeapUsage")
        assert heap["usedSize"] < HEAVY / 2
        capture = await shoot(camera, shop.url("/2"))
        capture.close()
        assert any(each.cached for each in capture.exchanges)
        last = camera.places._waiting[-1]
        assert last is place  # it was kept, and had another page
        assert not last.tidy


async def test_a_tab_that_had_a_page_meanwhile_clears_up_later(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with camera_with(make_settings, tmp_path, kept=5) as camera:
        size = camera.settings.browser.memory_bytes * 0.5
        monkeypatch.setattr(places_module, "tree_bytes", lambda _: size)
        others: list[asyncio.Task[Capture]] = []

        def begin_another(stage: str) -> None:
            if stage == "snapshot":
                monkeypatch.setattr(places_module, "_MEASURE_SECONDS", 0.0)
                other = shoot(camera, shop.url("/1"), viewport="500x500")
                others.append(asyncio.create_task(other))

        (await shoot(camera, shop.url("/heavy"), on_stage=begin_another)).close()
        (await others[0]).close()
        place = next(
            each for each in camera.places._waiting if each.use and each.use[1].width > 500
        )
        heap = await place.tab.send("Runtime.getHeapUsage")
        assert heap["usedSize"] < HEAVY / 2


async def test_what_a_page_shows_stays_when_memory_is_given_back(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path, capture={"screenshot": "png"}) as camera:
        browser = camera.places.browser
        assert browser is not None
        given: list[asyncio.Task[bool]] = []

        def give_back(_: str) -> None:
            given.append(asyncio.create_task(browser.give_back()))

        captures = [
            await shoot(camera, shop.url("/painted"), on_stage=listener)
            for listener in (lambda _: None, give_back)
        ]
        assert all(await asyncio.gather(*given))
        os.killpg(browser.pid, signal.SIGKILL)
        await browser._running.connection.closed
        assert not await browser.give_back()
    left, right = (capture.screenshot for capture in captures)
    assert left is not None
    assert right is not None
    assert left.tiles == right.tiles
    assert len({left.image().getpixel(at) for at in ((20, 20), (150, 20))}) == 2  # it has painted
    for capture in captures:
        capture.close()


async def test_the_clock_of_a_kept_tab_goes_on(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop
) -> None:
    async with camera_with(make_settings, tmp_path) as camera:
        for hour in (3, 4):
            clock = datetime(2024, 2, 29, hour, tzinfo=UTC)
            capture = await shoot(camera, shop.url(f"/{hour}"), clock=clock)
            assert capture.info.clock == clock
            capture.close()
        (place,) = camera.places._waiting
        told = await place.tab.send("Runtime.evaluate", {"expression": "new Date().getUTCHours()"})
        assert told["result"]["value"] == 4


async def test_several_at_once_never_share_a_tab(
    make_settings: SettingsMaker, tmp_path: Path, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tabs are given up, taken and put back all the time; each page still has its own exchanges."""
    monkeypatch.setattr(places_module, "_MEASURE_SECONDS", 0.0)
    async with camera_with(make_settings, tmp_path, kept=2) as camera:
        size = camera.settings.browser.memory_bytes * 0.8
        monkeypatch.setattr(places_module, "tree_bytes", lambda _: size)
        urls = [shop.url(f"/{number}") for number in range(12)]
        captures = await asyncio.gather(*(shoot(camera, url) for url in urls))
    for url, capture in zip(urls, captures, strict=True):
        pages = [each.url for each in capture.exchanges if each.url in urls]
        assert pages == [url]
        capture.close()
