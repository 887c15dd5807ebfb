"""The documentation site: every link leads somewhere, and each menu is where it should be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples.manual import PAGES
from webgeist.samples.manual.chapters import Listing, write
from webgeist.samples.manual.outline import Manual, read_manuals, slug

if TYPE_CHECKING:
    from tests.samples.conftest import Visitor

SITE = "manual"
MANUALS = read_manuals()
GLOBAL = ["/engine/", "/toolkit/", "/cookbook/", "/about", "/licence"]


def links(text: str) -> list[str]:
    return re.findall(r'<a [^>]*?href="([^"]*)"', text)


def menu(text: str, name: str) -> list[str] | None:
    """Where the menu with this class leads, or None if the page has none."""
    found = re.search(rf'<nav class="{name}".*?</nav>', text, re.DOTALL)
    return links(found[0]) if found else None


@pytest.fixture(scope="module")
def pages(visitor: Visitor) -> dict[str, str]:
    """Every page that can be reached from the home page by links."""
    found: dict[str, str] = {}
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        assert len(found) < 200, "the crawl does not end"
        found[path] = visitor.page(path)
        waiting += [urlsplit(urljoin(path, link)).path for link in links(found[path])]
    return found


def test_every_page_is_linked_and_every_link_is_a_page(
    visitor: Visitor, pages: dict[str, str]
) -> None:
    tree = ET.fromstring(visitor.page("/sitemap.xml"))
    places = {urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")}
    assert set(pages) == places
    assert set(PAGES) <= places


@pytest.mark.parametrize("manual", MANUALS, ids=lambda manual: manual.slug)
def test_a_manual_has_fifteen_to_twenty_five_pages(manual: Manual) -> None:
    assert 15 <= len(manual.paths) <= 25
    assert len(set(manual.paths)) == len(manual.paths)


def test_the_global_menu_is_the_same_on_every_page(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        assert menu(text, "global-menu") == GLOBAL, path


@pytest.mark.parametrize("manual", MANUALS, ids=lambda manual: manual.slug)
def test_the_main_menu_is_on_all_pages_of_its_manual(manual: Manual, pages: dict[str, str]) -> None:
    wanted = [section.path for section in manual.sections] + [f"{manual.path}index"]
    holders = {path for path, text in pages.items() if menu(text, "main-menu") == wanted}
    assert holders == set(manual.paths)


def test_pages_of_no_manual_have_only_the_global_menu(pages: dict[str, str]) -> None:
    for path in ("/", "/about", "/licence"):
        assert menu(pages[path], "main-menu") is None
        assert menu(pages[path], "section-menu") is None


@pytest.mark.parametrize("manual", MANUALS, ids=lambda manual: manual.slug)
def test_the_section_menu_is_on_the_section_and_its_chapters(
    manual: Manual, pages: dict[str, str]
) -> None:
    for section in manual.sections:
        wanted = [section.path] + [chapter.path for chapter in section.chapters]
        holders = {path for path, text in pages.items() if menu(text, "section-menu") == wanted}
        assert holders == set(wanted)


@pytest.mark.parametrize("manual", MANUALS, ids=lambda manual: manual.slug)
def test_next_leads_through_all_chapters_and_previous_back(
    manual: Manual, pages: dict[str, str]
) -> None:
    paths = [chapter.path for chapter in manual.chapters]
    for place, path in enumerate(paths):
        around = dict(re.findall(r'rel="(prev|next)" href="([^"]*)"', pages[path]))
        wanted = {"prev": paths[place - 1] if place else None}
        wanted["next"] = paths[place + 1] if place + 1 < len(paths) else None
        assert around == {key: value for key, value in wanted.items() if value}


def test_breadcrumbs_lead_up(pages: dict[str, str]) -> None:
    chapter = MANUALS[1].chapters[4]
    up = ["/", "/toolkit/", "/toolkit/testing/"]
    assert menu(pages[chapter.path], "breadcrumbs") == up
    assert menu(pages["/toolkit/testing/"], "breadcrumbs") == up[:2]


def test_every_anchor_that_is_linked_exists(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        for link in links(text):
            target = urlsplit(urljoin(path, link))
            if target.fragment:
                assert f'id="{target.fragment}"' in pages[target.path], f"{link} on {path}"


def test_the_index_has_an_entry_for_every_topic(pages: dict[str, str]) -> None:
    for manual in MANUALS:
        entries = set(links(pages[f"{manual.path}index"]))
        for chapter in manual.chapters:
            assert {f"{chapter.path}#{slug(topic)}" for topic in chapter.topics} <= entries


def test_chapters_have_listings_tables_and_definitions(pages: dict[str, str]) -> None:
    chapters = [pages[chapter.path] for manual in MANUALS for chapter in manual.chapters]
    for tag in ("<pre><code>", "<table>", "<dl>", '<aside class="note">', '<ol class="steps">'):
        assert sum(tag in text for text in chapters) >= len(chapters) // 3, tag


def test_a_listing_is_coloured_without_losing_a_character() -> None:
    code = 'def f():  # "no" string\n    return "a < b" or 12\n'
    html = Listing("python", "x", code).html
    assert html.striptags() != ""
    assert re.sub(r"</?span[^>]*>", "", html).replace("&lt;", "<").replace("&#34;", '"') == code
    assert '<span class="c"># &#34;no&#34; string</span>' in html
    assert '<span class="k">def</span>' in html
    assert '<span class="n">12</span>' in html


def test_a_chapter_reads_the_same_each_time() -> None:
    first, second = (write(MANUALS[0].chapters[0]) for _ in range(2))
    assert first == second
    assert first != write(MANUALS[0].chapters[1])


def test_search_finds_chapters_and_says_when_there_is_none(visitor: Visitor) -> None:
    assert "/cookbook/cleaning/removing-duplicates" in visitor.page("/search?q=DUPLICATES")
    assert "Nothing found" in visitor.page("/search?q=no+such+word")


def test_search_escapes_what_was_asked(visitor: Visitor) -> None:
    text = visitor.page("/search?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    "path", ["/nothing", "/nothing/", "/nothing/index", "/engine/nothing/", "/engine/start/nothing"]
)
def test_what_does_not_exist_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_robots_names_the_sitemap_and_the_search(visitor: Visitor) -> None:
    text = visitor.page("/robots.txt")
    assert "Disallow: /search" in text
    assert f"Sitemap: {visitor.url('/sitemap.xml')}" in text


def test_style_sheets_and_pictures_of_the_pages_exist(
    visitor: Visitor, pages: dict[str, str]
) -> None:
    wanted = {
        address
        for path in PAGES
        for address in re.findall(r'<(?:link|img)[^>]* (?:href|src)="([^"]*)"', pages[path])
    }
    assert len(wanted) > 5
    for address in wanted:
        assert visitor.ask(address).status == 200, address
