"""The whole way with pages as they are out there: the same site comes of them as of tidy ones."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import BASE, page_html

from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from webgeist.analyses.menus.result import Mined

NAMES = ["", "a/", "b/", "c/"]
METHODS = pytest.mark.parametrize("method", ["template", "paper"])


def only_site(found: Mined) -> tuple[int, list[str]]:
    """The pages of the only site, and the words of its main menu."""
    (site,) = found.sites
    assert site.main_menu is not None
    return len(site.pages), [item.text for item in found.menus[site.main_menu].items]


def linked(*links: str) -> str:
    items = "".join(f'<li><a href="{link}">{n}</a></li>' for n, link in enumerate(links))
    return f"<html><body><div id=m><ul>{items}</ul></div><p>words</p></body></html>"


@METHODS
def test_schemes_slashes_and_first_pages_are_mixed(method: str) -> None:
    forms = [
        [BASE, BASE + "a", BASE + "b/", BASE + "c/index.html"],
        ["https://host.localhost", "/a/", "/b/index.html#top", "https://www.host.localhost/c"],
        ["/index.html", "HTTP://HOST.LOCALHOST/a/", "b", "./c/"],
    ]
    pages = [(BASE + name, linked(*forms[n % 3])) for n, name in enumerate(NAMES)]
    pages[2] = (BASE + "b/", linked(*forms[0]))
    pages[3] = ("https://host.localhost/c/", linked(*forms[1]))
    assert only_site(mine_menus(pages, method=method)) == (4, ["0", "1", "2", "3"])


@METHODS
def test_case_differs(method: str) -> None:
    pages = {BASE + name: linked("/", "/A/", "/b/", "/C/") for name in NAMES}
    assert only_site(mine_menus(pages.items(), method=method)) == (4, ["0", "1", "2", "3"])


@METHODS
def test_a_base_says_where_links_lead(method: str) -> None:
    html = linked("./", "a/", "b/", "c/").replace(
        "<html>", f'<html><head><base href="{BASE}"></head>'
    )
    pages = {BASE + name: html for name in NAMES}
    assert only_site(mine_menus(pages.items(), method=method)) == (4, ["0", "1", "2", "3"])


@METHODS
def test_pages_are_not_utf_8(method: str) -> None:
    html = linked("/", "/a/", "/b/", "/c/").replace(">1<", ">Über<")
    head = '<html><head><meta charset="iso-8859-1"></head>'
    data = html.replace("<html>", head).encode("iso-8859-1")
    found = mine_menus([(BASE + name, data) for name in NAMES], method=method)
    assert only_site(found) == (4, ["0", "Über", "2", "3"])


@METHODS
def test_broken_addresses_are_passed_over(method: str) -> None:
    broken = [
        "http://[",
        "//",
        "http://a b/",
        "javascript:void(0)",
        "mailto:x@y",
        "http://host:99999/",
    ]
    pages = {BASE + name: linked("/", *broken, "/a/", "/b/", "/c/") for name in NAMES}
    size, words = only_site(mine_menus(pages.items(), method=method))
    assert size == 4
    assert {"0", "7", "8", "9"} <= set(words)


def test_frames_lead_to_the_pages_that_they_show() -> None:
    frames = '<frameset><frame src="/toc"><frame src="/a/"></frameset>'
    top = ["/", "/a/", "/b/", "/c/"]
    pages = {BASE + name: linked(*top) for name in NAMES[1:]}
    pages |= {BASE: f"<html>{frames}</html>", BASE + "toc": linked(*top)}
    found = mine_menus(pages.items())
    assert BASE in found.sites[0].pages
    assert not found.unassigned


@METHODS
def test_a_single_page_is_no_site(method: str) -> None:
    found = mine_menus([(BASE, linked("/", "/a/", "/b/"))], method=method)
    assert (found.sites, found.menus, found.unassigned) == ((), (), (BASE,))


def test_a_farm_of_three_hundred_mutual_links() -> None:
    links = [f"/{n}" for n in range(310)]
    pages = {BASE + link[1:]: page_html(("div#x", links)) for link in links}
    found = mine_menus(pages.items())
    assert [len(site.pages) for site in found.sites] == [310]
    assert max(len(menu.items) for menu in found.menus) == 310


@METHODS
def test_noisy_dense_segments_end(method: str) -> None:
    chance = random.Random(3)
    pages = {
        f"{BASE}{p}": page_html(
            *(
                (f"div#s{k}", [f"/{q}" for q in range(40) if chance.random() < 0.8])
                for k in range(3)
            )
        )
        for p in range(40)
    }
    found = mine_menus(pages.items(), method=method)
    told = [url for site in found.sites for url in site.pages] + [*found.unassigned]
    assert sorted(told) == sorted(pages)
