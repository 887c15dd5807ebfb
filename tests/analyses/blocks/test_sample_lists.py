"""`webgeist.paginate` walks every list of the sample web to its end, each thing exactly once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright
from tests.analyses.blocks.test_turning import QUIET

import webgeist
from webgeist.capture.find import find_browser
from webgeist.samples.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from webgeist.samples.server import SampleServer

GROWING = {"load-more", "scroll"}  # ways that keep what was there before


@pytest.fixture(scope="module")
def web() -> Iterator[SampleServer]:
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        executable = str(find_browser(environ=os.environ).path)
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        yield browser.new_page()
        browser.close()


def walked(page: Page, url: str, things: str) -> tuple[list[str], list[str]]:
    """The ways taken, and all things in the order met."""
    page.goto(url)
    ways: list[str] = []
    seen: list[str] = []
    for turn in webgeist.paginate(page, most=40):
        ways.append(turn.way)
        shown = page.locator(things).evaluate_all("all => all.map(each => each.outerHTML)")
        seen = shown if turn.way in GROWING else [*seen, *shown]
    return ways, seen


@pytest.mark.parametrize(
    ("site", "path", "things", "way", "count"),
    [
        ("shop", "/c/lighting", "main a[href^='/p/']", "link", 41),
        ("magazine", "/section/culture", ".teaser", "link", 20),
        ("magazine", "/tag/harbours", ".teaser", "link", 17),
        ("magazine", "/author/leo-park", ".teaser", "link", 15),
        ("magazine", "/stream", "#stream > *", "scroll", 60),
        ("magazine", "/briefs", "#briefs > *", "load-more", 48),
        ("directory", "/organisations", ".record h2", "link", 120),
        ("directory", "/search.aspx", "tr.row, tr.alternating", "button", 120),
        ("boards", "/ads", "body > ul > li", "link", 120),
        ("boards", "/rides", "body > ul > li", "link", 120),
        ("boards", "/feed", "body > ul > li", "link", 300),
        ("boards", "/foundations", "body > ul > li", "link", 90),
        ("boards", "/restaurants", ".item", "link", 36),
    ],
)
def test_to_the_end_and_each_thing_once(  # noqa: PLR0917 - a row of the table
    web: SampleServer, page: Page, site: str, path: str, things: str, way: str, count: int
) -> None:
    ways, seen = walked(page, web.url(site, path), things)
    assert set(ways[1:]) == {way}
    assert len(seen) == len(set(seen)) == count
