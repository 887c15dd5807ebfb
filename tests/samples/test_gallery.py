"""The gallery: every exhibit answers as its label says, and does in Chromium what it shows."""

from __future__ import annotations

import json
import re
import socket
import unicodedata
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from websockets.sync.client import connect

from webgeist.samples.gallery.exhibits import Exhibit, read_rooms
from webgeist.samples.gallery.redirects import CHAIN, STATUSES
from webgeist.samples.gallery.stored import GIF_FRAMES, moving_picture

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page
    from tests.samples.conftest import Visitor

SITE = "gallery"
EXHIBITS = [exhibit for room in read_rooms() for exhibit in room.exhibits]
LISTED = [exhibit for room in read_rooms() for exhibit in room.listed]


def links(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a [^>]*?href="([^"]*)"', text)]


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda exhibit: exhibit.path)
def test_an_exhibit_answers_in_its_language_and_direction(
    visitor: Visitor, exhibit: Exhibit
) -> None:
    answer = visitor.ask(exhibit.path)
    assert answer.status == 200
    kind = "application/xhtml+xml" if exhibit.path == "/xhtml" else "text/html; charset=utf-8"
    assert answer.headers["content-type"] == kind
    start = re.search(r"<html[^>]*>", answer.text)
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
def test_a_script_is_really_on_its_page(visitor: Visitor, path: str, script: str) -> None:
    text = visitor.page(f"/scripts/{path}")
    assert sum(unicodedata.name(letter, "").startswith(script) for letter in text) > 90


def test_home_lists_every_exhibit_with_its_sentence(visitor: Visitor) -> None:
    home = unescape(visitor.page("/"))
    assert [link for link in links(home) if link.startswith("/")] == [e.path for e in LISTED]
    assert all(f"<p>{exhibit.sentence}</p>" in home for exhibit in LISTED)
    assert visitor.pages == ("/", *(exhibit.path for exhibit in LISTED))


def test_every_link_of_the_gallery_answers(visitor: Visitor) -> None:
    waiting, seen = ["/"], set[str]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        assert len(seen) < 150, "the crawl does not end"
        seen.add(path)
        answer = visitor.ask(path)
        assert answer.status < 400, path
        text = answer.text
        base = re.search(r'<base href="([^"]*)"', text)
        found = [urljoin(urljoin(path, base[1]) if base else path, link) for link in links(text)]
        found += [urljoin(path, x) for x in re.findall(r'<i?frame [^>]*src="(/[^"]*)"', text)]
        places = (urlsplit(link) for link in found)
        waiting += [f"{x.path}?{x.query}".rstrip("?") for x in places if not x.netloc]
    assert {exhibit.path for exhibit in EXHIBITS} <= {path.split("?")[0] for path in seen}


def follow(visitor: Visitor, path: str) -> list[str]:
    """The addresses on the way, from the first to the one that answers."""
    way = [path]
    while True:
        answer = visitor.ask(way[-1])
        if answer.status == 200:
            return way
        way.append(answer.headers["location"])
        assert len(way) < 20


@pytest.mark.parametrize("status", STATUSES)
def test_a_redirect_has_its_status_and_arrives(visitor: Visitor, status: int) -> None:
    assert visitor.ask(f"/redirects/{status}").status == status
    assert follow(visitor, f"/redirects/{status}")[1:] == [f"/redirects/arrived?by={status}"]


def test_the_chain_has_five_redirects(visitor: Visitor) -> None:
    way = follow(visitor, f"/redirects/chain/{CHAIN}")
    assert len(way) - 1 == CHAIN == 5
    assert way[-1] == "/redirects/arrived?by=chain"


@pytest.mark.parametrize(
    "path", ["/redirects/200", "/redirects/chain/0", "/redirects/chain/6", "/x"]
)
def test_what_does_not_exist_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_the_socket_echoes_in_order_until_it_is_closed(visitor: Visitor) -> None:
    address = f"ws://gallery.localhost:{visitor.server.port}/websocket/echo"
    with (
        socket.create_connection(("127.0.0.1", visitor.server.port)) as raw,
        connect(address, sock=raw, proxy=None) as echo,
    ):
        for word in ("one", "zwei", "三"):
            echo.send(word)
        assert [echo.recv(timeout=30) for _ in range(3)] == ["echo: one", "echo: zwei", "echo: 三"]


def test_the_event_stream_ends_with_goodbye(visitor: Visitor) -> None:
    answer = visitor.ask("/events/stream")
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = re.findall(r"event: (\w+)", answer.text)
    assert events == ["news"] * 5 + ["goodbye"]


def test_the_immutable_sheet_is_shared_by_two_pages(visitor: Visitor) -> None:
    sheets = [
        re.findall(r'href="(/cache/[^"]*css)"', visitor.page(f"/cache/{n}")) for n in ("one", "two")
    ]
    assert sheets[0] == sheets[1]
    answer = visitor.ask(sheets[0][0])
    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


def test_the_tagged_script_is_sent_once(visitor: Visitor) -> None:
    answer = visitor.ask("/cache/tagged.js")
    again = visitor.ask("/cache/tagged.js", if_none_match=answer.headers["etag"])
    assert (answer.status, again.status) == (200, 304)
    assert answer.body
    assert not again.body
    assert visitor.ask("/cache/unstored.js").headers["cache-control"] == "no-store"


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
def test_scripts_are_sent_as_scripts(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).headers["content-type"].split(";")[0] == "text/javascript"


def test_the_moving_picture_moves() -> None:
    with Image.open(BytesIO(moving_picture())) as image:
        frames = []
        for number in range(GIF_FRAMES):
            image.seek(number)
            frames.append(image.convert("RGB").tobytes())
        assert image.info["loop"] == 0
    assert len(set(frames)) == GIF_FRAMES


def test_the_xhtml_page_is_well_formed(visitor: Visitor) -> None:
    assert ET.fromstring(visitor.page("/xhtml")).tag == "{http://www.w3.org/1999/xhtml}html"


def test_metadata_can_be_read(visitor: Visitor) -> None:
    text = visitor.page("/metadata")
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    assert [thing["@type"] for thing in json.loads(data[1])["@graph"]] == [
        "Article",
        "BreadcrumbList",
    ]
    assert text.count("hreflang=") == 5
    assert f'rel="canonical" href="{visitor.url("/metadata")}"' in text


def test_frames_show_another_site_at_the_same_port(visitor: Visitor) -> None:
    other = f"http://frames.localhost:{visitor.server.port}/frames/inner?here=cross"
    assert other in visitor.page("/frames")
    answer = visitor.ask("/frames/inner?here=cross", site="frames")
    assert "<code>frames.localhost</code>" in answer.text


def test_robots_and_sitemap(visitor: Visitor) -> None:
    assert "Disallow: /data/" in visitor.page("/robots.txt")
    tree = ET.fromstring(visitor.page("/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert places == ["/", *(exhibit.path for exhibit in LISTED)]


def test_what_pages_load_is_the_same_for_the_same_clock(
    visitor: Visitor, traveller: Visitor
) -> None:
    unlisted = [exhibit.path for exhibit in EXHIBITS if exhibit not in LISTED]
    for path in ("/data/news.json", "/animations/dot.gif", *unlisted):
        ours, theirs = visitor.ask(path).body, traveller.ask(path).body
        port, other = (str(one.server.port).encode() for one in (visitor, traveller))
        assert ours.replace(port, b"PORT") == theirs.replace(other, b"PORT"), path


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
def test_an_exhibit_works(tab: Page, visitor: Visitor, path: str, place: str, text: str) -> None:
    tab.goto(visitor.url(path))
    tab.wait_for_function(
        "([found, text]) => found && found.innerText.includes(text)",
        arg=[tab.wait_for_selector(place, timeout=15_000), text],
        timeout=15_000,
    )


def test_scrolling_is_noticed_after_a_pause(tab: Page, visitor: Visitor) -> None:
    tab.goto(visitor.url("/delayed"))
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.wait_for_function(
        "document.getElementById('scrolled').textContent === 'scrolled to 100 percent'"
    )


def test_pictures_wait_until_they_are_near(tab: Page, visitor: Visitor) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(urlsplit(request.url).path))
    tab.goto(visitor.url("/lazy"))
    last = "/assets/photo/portrait-script-9/800x450.jpg"
    assert last not in asked
    with tab.expect_response(lambda answer: last in answer.url):
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")


def test_dialogs_hold_the_page_up(tab: Page, visitor: Visitor) -> None:
    kinds: list[str] = []

    def answer(dialog: Dialog) -> None:
        kinds.append(dialog.type)
        dialog.accept("Ada")

    tab.on("dialog", answer)
    tab.goto(visitor.url("/dialogs"))
    assert kinds == ["alert", "confirm", "prompt"]
    assert tab.inner_text("#prompt") == "Ada"


def test_errors_are_heard(tab: Page, visitor: Visitor) -> None:
    heard: list[str] = []
    tab.on("pageerror", lambda error: heard.append(error.message))
    tab.goto(visitor.url("/errors"))
    tab.wait_for_function("document.readyState === 'complete'")
    assert {"an uncaught exception", "nobody caught this promise"} <= set(heard)


def test_frames_are_where_they_say(tab: Page, visitor: Visitor) -> None:
    tab.goto(visitor.url("/frames/frameset"))
    hosts = sorted(str(urlsplit(frame.url).hostname) for frame in tab.frames[1:])
    assert hosts == ["frames.localhost", "gallery.localhost", "gallery.localhost"]


@pytest.mark.parametrize(
    "path", [e.path for e in LISTED if e.path not in ("/dialogs", "/errors", "/frames/frameset")]
)
def test_an_exhibit_fits_a_telephone_and_throws_nothing(
    tab: Page, visitor: Visitor, path: str
) -> None:
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(error.message))
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(visitor.url(path))
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert not errors
