"""The design studio: pages are as wide, large, layered and restless as they are meant to be."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from webgeist.samples import app
from webgeist.samples.portfolio import PAGES
from webgeist.samples.portfolio.projects import PROJECTS
from webgeist.samples.portfolio.views import PLAIN
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
MENU = [path for path in PLAIN if path != "/"]


def start() -> Iterator[SampleServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SITES", ("portfolio",))
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


def ask(server: SampleServer, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("GET", path, headers={"host": f"portfolio.localhost:{server.port}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def page(server: SampleServer, path: str) -> str:
    answer, body = ask(server, path)
    assert answer.status == 200, path
    return body.decode()


def links(text: str) -> list[str]:
    return re.findall(r'<a [^>]*?href="([^"]*)"', text)


def test_every_page_is_linked_and_every_link_is_a_page(server: SampleServer) -> None:
    waiting, found = ["/"], set[str]()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        assert len(found) < 60, "the crawl does not end"
        found.add(path)
        targets = (urlsplit(urljoin(path, link)) for link in links(page(server, path)))
        waiting += [target.path for target in targets if not target.netloc]
    tree = ET.fromstring(page(server, "/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert sorted(places) == sorted(found)
    assert set(PAGES) <= found


def test_the_menu_is_the_same_everywhere_but_on_the_search_page(server: SampleServer) -> None:
    for path in PAGES:
        nav = re.search(r'<nav aria-label="Main".*?</nav>', page(server, path), re.DOTALL)
        assert (links(nav[0]) if nav else None) == (None if path == "/find" else MENU), path


def test_projects_lead_round_in_a_ring(server: SampleServer) -> None:
    for place, project in enumerate(PROJECTS):
        following = re.findall(r'href="([^"]*)" rel="next"', page(server, project.path))
        assert following == [PROJECTS[(place + 1) % len(PROJECTS)].path]


def test_links_to_other_sites_use_the_port_of_the_request(server: SampleServer) -> None:
    outside = [
        link
        for project in PROJECTS
        for link in links(page(server, project.path))
        if link.startswith("http")
    ]
    sites = [project.site for project in PROJECTS if project.site]
    assert outside == [f"http://{site}.localhost:{server.port}/" for site in sites]


def test_the_search_page_has_one_field_and_finds(server: SampleServer) -> None:
    text = page(server, "/find")
    assert text.count('<input name="q" type="text"') == 1
    assert "<li>" not in text
    assert links(page(server, "/find?q=HARBOUR")).count("/work/tidewater") == 1
    assert "0 results" in page(server, "/find?q=nothing+like+it")


@pytest.mark.parametrize("path", ["/work/nothing", "/nothing"])
def test_what_does_not_exist_is_404(server: SampleServer, path: str) -> None:
    assert ask(server, path)[0].status == 404


def test_robots_names_the_sitemap(server: SampleServer) -> None:
    assert f"Sitemap: http://portfolio.localhost:{server.port}/sitemap.xml" in page(
        server, "/robots.txt"
    )


def test_same_clock_same_bytes(server: SampleServer, twin: SampleServer) -> None:
    for path in PAGES:
        ours, theirs = page(server, path), page(twin, path)
        assert ours.replace(str(server.port), "PORT") == theirs.replace(str(twin.port), "PORT")


@needs_chromium
@pytest.mark.parametrize(
    ("path", "fact"),
    [
        (
            "/reel",
            "document.documentElement.scrollWidth / document.documentElement.scrollHeight > 10",
        ),
        ("/night", "getComputedStyle(document.querySelector('h1')).fontSize === '120px'"),
        ("/night", "getComputedStyle(document.body).backgroundColor === 'rgb(0, 0, 0)'"),
        (
            "/",
            "getComputedStyle(document.querySelector('.side-note')).backgroundColor === 'rgba(255, 255, 255, 0.18)'",
        ),
        ("/atlas", "document.querySelector('header').offsetHeight >= 720"),
        (
            "/motion",
            "document.getAnimations().some(a => a.effect.getTiming().iterations === Infinity)",
        ),
        ("/motion", "document.getAnimations().some(a => a.effect.getTiming().iterations === 1)"),
        (
            "/grid",
            "new Set([...document.querySelectorAll('.blends span')].map(e => getComputedStyle(e).mixBlendMode)).size === 6",
        ),
        (
            "/grid",
            "[...document.querySelectorAll('.cuts img')].every(e => getComputedStyle(e).clipPath !== 'none')",
        ),
        ("/depth", "getComputedStyle(document.querySelector('.slab h2')).position === 'sticky'"),
        ("/depth", "getComputedStyle(document.querySelector('.fixed-badge')).position === 'fixed'"),
        (
            "/cursors",
            "new Set([...document.querySelectorAll('.cursor-grid li')].map(e => getComputedStyle(e).cursor)).size >= 28",
        ),
        (
            "/find",
            "Math.abs(document.querySelector('input').getBoundingClientRect().left + document.querySelector('input').offsetWidth / 2 - 640) < 2",
        ),
    ],
)
def test_a_page_looks_as_it_should(tab: Page, server: SampleServer, path: str, fact: str) -> None:
    tab.goto(server.url("portfolio", path))
    assert tab.evaluate(fact)


@needs_chromium
@pytest.mark.parametrize("path", [path for path in PAGES if path != "/reel"])
def test_nothing_is_wider_than_a_telephone(tab: Page, server: SampleServer, path: str) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(server.url("portfolio", path))
    assert tab.evaluate("document.documentElement.scrollWidth") == 390


@needs_chromium
def test_the_canvas_follows_from_the_time_stamp(tab: Page, server: SampleServer) -> None:
    """With the frames' clock in our hands, the same time gives the same picture."""
    tab.add_init_script("window.requestAnimationFrame = (work) => { window.frame = work; };")
    tab.goto(server.url("portfolio", "/canvas"))
    draw = "(time) => { frame(time); return document.getElementById('field').toDataURL(); }"
    first, second, again = (tab.evaluate(draw, time) for time in (1000, 2500, 1000))
    assert first == again
    assert first != second
