"""The design studio: pages are as wide, large, layered and restless as they are meant to be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples.portfolio import PAGES
from webgeist.samples.portfolio.projects import PROJECTS
from webgeist.samples.portfolio.views import PLAIN

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.samples.conftest import Visitor

SITE = "portfolio"
MENU = [path for path in PLAIN if path != "/"]


def links(text: str) -> list[str]:
    return re.findall(r'<a [^>]*?href="([^"]*)"', text)


def test_every_page_is_linked_and_every_link_is_a_page(visitor: Visitor) -> None:
    waiting, found = ["/"], set[str]()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        assert len(found) < 60, "the crawl does not end"
        found.add(path)
        targets = (urlsplit(urljoin(path, link)) for link in links(visitor.page(path)))
        waiting += [target.path for target in targets if not target.netloc]
    tree = ET.fromstring(visitor.page("/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert sorted(places) == sorted(found)
    assert set(PAGES) <= found


def test_the_menu_is_the_same_everywhere_but_on_the_search_page(visitor: Visitor) -> None:
    for path in PAGES:
        nav = re.search(r'<nav aria-label="Main".*?</nav>', visitor.page(path), re.DOTALL)
        assert (links(nav[0]) if nav else None) == (None if path == "/find" else MENU), path


def test_projects_lead_round_in_a_ring(visitor: Visitor) -> None:
    for place, project in enumerate(PROJECTS):
        following = re.findall(r'href="([^"]*)" rel="next"', visitor.page(project.path))
        assert following == [PROJECTS[(place + 1) % len(PROJECTS)].path]


def test_links_to_other_sites_use_the_port_of_the_request(visitor: Visitor) -> None:
    outside = [
        link
        for project in PROJECTS
        for link in links(visitor.page(project.path))
        if link.startswith("http")
    ]
    sites = [project.site for project in PROJECTS if project.site]
    assert outside == [f"http://{site}.localhost:{visitor.server.port}/" for site in sites]


def test_the_search_page_has_one_field_and_finds(visitor: Visitor) -> None:
    text = visitor.page("/find")
    assert text.count('<input name="q" type="text"') == 1
    assert "<li>" not in text
    assert links(visitor.page("/find?q=HARBOUR")).count("/work/tidewater") == 1
    assert "0 results" in visitor.page("/find?q=nothing+like+it")


@pytest.mark.parametrize("path", ["/work/nothing", "/nothing"])
def test_what_does_not_exist_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_robots_names_the_sitemap(visitor: Visitor) -> None:
    assert f"Sitemap: {visitor.url('/sitemap.xml')}" in visitor.page("/robots.txt")


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
def test_a_page_looks_as_it_should(tab: Page, visitor: Visitor, path: str, fact: str) -> None:
    tab.goto(visitor.url(path))
    assert tab.evaluate(fact)


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/reel"])
def test_nothing_is_wider_than_a_telephone(tab: Page, visitor: Visitor, path: str) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(visitor.url(path))
    assert tab.evaluate("document.documentElement.scrollWidth") == 390


def test_the_canvas_follows_from_the_time_stamp(tab: Page, visitor: Visitor) -> None:
    """With the frames' clock in our hands, the same time gives the same picture."""
    tab.add_init_script("window.requestAnimationFrame = (work) => { window.frame = work; };")
    tab.goto(visitor.url("/canvas"))
    draw = "(time) => { frame(time); return document.getElementById('field').toDataURL(); }"
    first, second, again = (tab.evaluate(draw, time) for time in (1000, 2500, 1000))
    assert first == again
    assert first != second
