"""The gallery: every exhibit answers as its label says, and does in Chromium what it shows."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import unicodedata
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from playwright.sync_api import Browser, Dialog, Page, sync_playwright
from websockets.sync.client import connect

from webgeist.samples import app
from webgeist.samples.gallery.exhibits import Exhibit, read_rooms
from webgeist.samples.gallery.redirects import CHAIN, STATUSES
from webgeist.samples.gallery.stored import GIF_FRAMES, moving_picture
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
EXHIBITS = [exhibit for room in read_rooms() for exhibit in room.exhibits]
LISTED = [exhibit for room in read_rooms() for exhibit in room.listed]


def start() -> Iterator[SampleServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SITES", ("gallery",))
        with serve() as running:
            wait_until_listening(running.port)
            yield running


server = pytest.fixture(scope="module")(start)
twin = pytest.fixture(scope="module", name="twin")(start)


def wait_until_listening(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=30).close()
        except ConnectionRefusedError:
            continue
        return


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def ask(
    server: SampleServer, path: str, host: str = "gallery", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers["host"] = f"{host}.localhost:{server.port}"
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def page(server: SampleServer, path: str) -> str:
    answer, body = ask(server, path)
    assert answer.status == 200, path
    return body.decode()


def links(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a [^>]*?href="([^"]*)"', text)]


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.path)
def test_an_exhibit_answers_in_its_language_and_direction(
    server: SampleServer, exhibit: Exhibit
) -> None:
    answer, body = ask(server, exhibit.path)
    assert answer.status == 200
    kind = "application/xhtml+xml" if exhibit.path == "/xhtml" else "text/html; charset=utf-8"
    assert answer.headers["content-type"] == kind
    start = re.search(r"<html[^>]*>", body.decode())
    assert start is not None
    assert f'lang="{exhibit.lang}"' in start[0]
    assert ('dir="rtl"' in start[0]) == (exhibit.dir == "rtl")


def test_the_two_semitic_scripts_run_from_right_to_left() -> None:
    backwards = [exhibit.path for exhibit in EXHIBITS if exhibit.dir == "rtl"]
    assert backwards == ["/scripts/arabic", "/scripts/hebrew"]


@pytest.mark.parametrize(
    ("path", "script"),
    [
        ("greek-cyrillic", "GREEK"),
        ("greek-cyrillic", "CYRILLIC"),
        ("arabic", "ARABIC"),
        ("hebrew", "HEBREW"),
        ("devanagari", "DEVANAGARI"),
        ("chinese-japanese", "CJK"),
        ("chinese-japanese", "HIRAGANA"),
    ],
)
def test_a_script_is_really_on_its_page(server: SampleServer, path: str, script: str) -> None:
    text = page(server, f"/scripts/{path}")
    assert sum(unicodedata.name(letter, "").startswith(script) for letter in text) > 90


def test_home_lists_every_exhibit_with_its_sentence(server: SampleServer) -> None:
    home = unescape(page(server, "/"))
    assert [link for link in links(home) if link.startswith("/")] == [e.path for e in LISTED]
    assert all(f"<p>{exhibit.sentence}</p>" in home for exhibit in LISTED)
    (site,) = server.web.sites
    assert site.pages == ("/", *(exhibit.path for exhibit in LISTED))


def test_every_link_of_the_gallery_answers(server: SampleServer) -> None:
    waiting, seen = ["/"], set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        assert len(seen) < 150, "the crawl does not end"
        seen.add(path)
        answer, body = ask(server, path)
        assert answer.status < 400, path
        text = body.decode()
        base = re.search(r'<base href="([^"]*)"', text)
        found = [urljoin(urljoin(path, base[1]) if base else path, link) for link in links(text)]
        found += [urljoin(path, x) for x in re.findall(r'<i?frame [^>]*src="(/[^"]*)"', text)]
        places = (urlsplit(link) for link in found)
        waiting += [f"{x.path}?{x.query}".rstrip("?") for x in places if not x.netloc]
    assert {exhibit.path for exhibit in EXHIBITS} <= {path.split("?")[0] for path in seen}


def follow(server: SampleServer, path: str) -> list[str]:
    """The addresses on the way, from the first to the one that answers."""
    way = [path]
    while True:
        answer, _ = ask(server, way[-1])
        if answer.status == 200:
            return way
        way.append(answer.headers["location"])
        assert len(way) < 20


@pytest.mark.parametrize("status", STATUSES)
def test_a_redirect_has_its_status_and_arrives(server: SampleServer, status: int) -> None:
    assert ask(server, f"/redirects/{status}")[0].status == status
    assert follow(server, f"/redirects/{status}")[1:] == [f"/redirects/arrived?by={status}"]


def test_the_chain_has_five_redirects(server: SampleServer) -> None:
    way = follow(server, f"/redirects/chain/{CHAIN}")
    assert len(way) - 1 == CHAIN == 5
    assert way[-1] == "/redirects/arrived?by=chain"


@pytest.mark.parametrize(
    "path", ["/redirects/200", "/redirects/chain/0", "/redirects/chain/6", "/x"]
)
def test_what_does_not_exist_is_404(server: SampleServer, path: str) -> None:
    assert ask(server, path)[0].status == 404


def test_the_socket_echoes_in_order_until_it_is_closed(server: SampleServer) -> None:
    address = f"ws://gallery.localhost:{server.port}/websocket/echo"
    with (
        socket.create_connection(("127.0.0.1", server.port)) as raw,
        connect(address, sock=raw, proxy=None) as echo,
    ):
        for word in ("one", "zwei", "三"):
            echo.send(word)
        assert [echo.recv(timeout=30) for _ in range(3)] == ["echo: one", "echo: zwei", "echo: 三"]


def test_the_event_stream_ends_with_goodbye(server: SampleServer) -> None:
    answer, body = ask(server, "/events/stream")
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = re.findall(r"event: (\w+)", body.decode())
    assert events == ["news"] * 5 + ["goodbye"]


def test_the_immutable_sheet_is_shared_by_two_pages(server: SampleServer) -> None:
    sheets = [
        re.findall(r'href="(/cache/[^"]*css)"', page(server, f"/cache/{n}")) for n in ("one", "two")
    ]
    assert sheets[0] == sheets[1]
    answer, _ = ask(server, sheets[0][0])
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


def test_the_tagged_script_is_sent_once(server: SampleServer) -> None:
    answer, body = ask(server, "/cache/tagged.js")
    again, nothing = ask(server, "/cache/tagged.js", **{"if-none-match": answer.headers["etag"]})
    assert (answer.status, again.status) == (200, 304)
    assert body
    assert not nothing
    assert ask(server, "/cache/unstored.js")[0].headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/static/lazy.js",
        "/static/modules/start.js",
        "/static/worker.js",
        "/service-worker/worker.js",
        "/cache/tagged.js",
        "/cache/unstored.js",
    ],
)
def test_scripts_are_sent_as_scripts(server: SampleServer, path: str) -> None:
    assert ask(server, path)[0].headers["content-type"].split(";")[0] == "text/javascript"


def test_the_moving_picture_moves() -> None:
    with Image.open(BytesIO(moving_picture())) as image:
        frames = []
        for number in range(GIF_FRAMES):
            image.seek(number)
            frames.append(image.convert("RGB").tobytes())
        assert image.info["loop"] == 0
    assert len(set(frames)) == GIF_FRAMES


def test_the_xhtml_page_is_well_formed(server: SampleServer) -> None:
    assert ET.fromstring(page(server, "/xhtml")).tag == "{http://www.w3.org/1999/xhtml}html"


def test_metadata_can_be_read(server: SampleServer) -> None:
    text = page(server, "/metadata")
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    assert [thing["@type"] for thing in json.loads(data[1])["@graph"]] == [
        "Article",
        "BreadcrumbList",
    ]
    assert text.count("hreflang=") == 5
    assert f'rel="canonical" href="http://gallery.localhost:{server.port}/metadata"' in text


def test_frames_show_another_site_at_the_same_port(server: SampleServer) -> None:
    other = f"http://frames.localhost:{server.port}/frames/inner?here=cross"
    assert other in page(server, "/frames")
    _, body = ask(server, "/frames/inner?here=cross", host="frames")
    assert b"<code>frames.localhost</code>" in body


def test_robots_and_sitemap(server: SampleServer) -> None:
    assert "Disallow: /data/" in page(server, "/robots.txt")
    tree = ET.fromstring(page(server, "/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert places == ["/", *(exhibit.path for exhibit in LISTED)]


def test_same_clock_same_bytes(server: SampleServer, twin: SampleServer) -> None:
    for path in ("/data/news.json", "/animations/dot.gif", "/", *(e.path for e in EXHIBITS)):
        ours, theirs = ask(server, path)[1], ask(twin, path)[1]
        port, other = str(server.port).encode(), str(twin.port).encode()
        assert ours.replace(port, b"PORT") == theirs.replace(other, b"PORT"), path


@needs_chromium
@pytest.mark.parametrize(
    ("path", "place", "text"),
    [
        ("/websocket", "#echoes", "echo: first\necho: second\necho: third"),
        ("/websocket", "#state", "Closed with 1000."),
        ("/events", "#state", "Goodbye: that was all."),
        ("/service-worker/", "#answered", "service worker: The server never heard of it."),
        ("/worker", "#sum", "The worker fetched 20 numbers"),
        ("/module", "#dynamic", "The dynamic import ran"),
        ("/late-font", "#state", "Fonts that arrived: 1"),
        ("/delayed", "#timer", "after 300 milliseconds"),
        ("/delayed", "#news h3 >> nth=2", ""),
        ("/shadow", "#open b", "In the open root"),
        ("/shadow", "#declarative h3", "Written in the HTML itself"),
        ("/elements", "day-count", "297"),
        ("/xhtml", "#made", "application/xhtml+xml"),
        ("/cache/one", "#tagged", "loaded"),
        ("/errors", "#after", "ran."),
        ("/responsive", ".which", "This is the wide layout."),
        ("/redirects/meta", ".label p", "You came by meta."),
        ("/redirects/script", ".label p", "You came by script."),
    ],
)
def test_an_exhibit_works(
    tab: Page, server: SampleServer, path: str, place: str, text: str
) -> None:
    tab.goto(server.url("gallery", path))
    tab.wait_for_function(
        "([found, text]) => found && found.innerText.includes(text)",
        arg=[tab.wait_for_selector(place, timeout=15_000), text],
        timeout=15_000,
    )


@needs_chromium
def test_scrolling_is_noticed_after_a_pause(tab: Page, server: SampleServer) -> None:
    tab.goto(server.url("gallery", "/delayed"))
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.wait_for_function(
        "document.getElementById('scrolled').textContent === 'scrolled to 100 percent'"
    )


@needs_chromium
def test_pictures_wait_until_they_are_near(tab: Page, server: SampleServer) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(urlsplit(request.url).path))
    tab.goto(server.url("gallery", "/lazy"))
    last = "/assets/photo/portrait-script-9/800x450.jpg"
    assert last not in asked
    with tab.expect_response(lambda answer: last in answer.url):
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")


@needs_chromium
def test_dialogs_hold_the_page_up(tab: Page, server: SampleServer) -> None:
    kinds: list[str] = []

    def answer(dialog: Dialog) -> None:
        kinds.append(dialog.type)
        dialog.accept("Ada")

    tab.on("dialog", answer)
    tab.goto(server.url("gallery", "/dialogs"))
    assert kinds == ["alert", "confirm", "prompt"]
    assert tab.inner_text("#prompt") == "Ada"


@needs_chromium
def test_errors_are_heard(tab: Page, server: SampleServer) -> None:
    heard: list[str] = []
    tab.on("pageerror", lambda error: heard.append(error.message))
    tab.goto(server.url("gallery", "/errors"))
    tab.wait_for_function("document.readyState === 'complete'")
    assert {"an uncaught exception", "nobody caught this promise"} <= set(heard)


@needs_chromium
def test_frames_are_where_they_say(tab: Page, server: SampleServer) -> None:
    tab.goto(server.url("gallery", "/frames/frameset"))
    hosts = sorted(str(urlsplit(frame.url).hostname) for frame in tab.frames[1:])
    assert hosts == ["frames.localhost", "gallery.localhost", "gallery.localhost"]


@needs_chromium
@pytest.mark.parametrize(
    "path", [e.path for e in LISTED if e.path not in ("/dialogs", "/errors", "/frames/frameset")]
)
def test_an_exhibit_fits_a_telephone_and_throws_nothing(
    tab: Page, server: SampleServer, path: str
) -> None:
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(error.message))
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(server.url("gallery", path))
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert not errors
