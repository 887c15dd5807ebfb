"""The magazine, over a real socket: lists end, stories change on the days the README says."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples.clock import START
from webgeist.samples.magazine import bodies, months, stories
from webgeist.samples.magazine.stories import SECTIONS, story

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.samples.conftest import Visitor

SITE = "magazine"
GROWN_OR_DONE = """before => document.querySelectorAll(".stream li").length > before
    || !sentinel.textContent.includes("Loading")"""


def words(visitor: Visitor, number: int) -> list[str]:
    """The words of a story: paragraphs, headings, captions and quotes."""
    text = visitor.page(story(number).path).split('<div class="body">')[1]
    return re.findall(
        r"<(?:p|h2|figcaption|cite)(?: class=\"correction\")?>(.*?)</",
        text.split('<ul class="tags">')[0],
    )


def link(text: str, label: str) -> str | None:
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{label}</a>', text)
    return unescape(found[1]) if found else None


def headlines(text: str) -> list[str]:
    return re.findall(r'<h3><a href="(/\d{4}/[^"]+)"', text)


@pytest.mark.parametrize("section", SECTIONS)
def test_older_posts_lead_through_every_story_of_a_section(visitor: Visitor, section: str) -> None:
    path: str | None = f"/section/{section}"
    found: list[str] = []
    while path:
        text = visitor.page(path)
        found += headlines(text)
        path = link(text, "&larr; Older posts")
    wanted = [one.path for one in stories.visible(START) if one.section == section]
    assert found == wanted
    assert len(wanted) == 20
    assert link(text, "Newer posts &rarr;") == f"/section/{section}/page/2"


def test_tags_and_authors_have_pages_too(visitor: Visitor) -> None:
    for start, wanted in [
        ("/tag/rivers", [one.path for one in stories.visible(START) if "rivers" in one.tags]),
        (f"/author/{stories.slugify(stories.AUTHORS[0])}", [one.path for one in stories.visible(START) if one.author == stories.AUTHORS[0]]),
    ]:  # fmt: skip
        found, following = list[str](), "?page=1"
        while following:
            text = visitor.page(start + following)
            found += headlines(text)
            following = link(text, "Next page") or ""
        assert found == wanted
        assert len(wanted) > 8


@pytest.mark.parametrize(("name", "size"), [("stream", 60), ("briefs", 48)])
def test_growing_lists_are_finite(visitor: Visitor, name: str, size: int) -> None:
    number, items = 1, list[str]()
    while number:
        page = json.loads(visitor.page(f"/api/{name}?page={number}"))
        items += [json.dumps(item) for item in page["items"]]
        number = page["next"]
    assert len(items) == len(set(items)) == size == page["total"]
    assert json.loads(visitor.page(f"/api/{name}?page=99")) == {
        "total": size,
        "items": [],
        "next": None,
    }
    assert visitor.ask(f"/api/{name}?page=x").status == 404


def test_a_story_of_three_pages(visitor: Visitor) -> None:
    path: str | None = story(115).path
    paragraphs: list[str] = []
    visited = 0
    while path:
        text = visitor.page(path)
        visited += 1
        paragraphs += re.findall(
            r"^  <p>(.*?)</p>", text.split('<div class="body">')[1], re.MULTILINE
        )
        path = link(text, "Next")
    assert visited == 3
    assert visitor.ask(f"{story(115).path}?page=4").status == 404
    assert f'<link rel="prev" href="{visitor.url(story(115).path)}?page=2">' in text
    parts = [part for page in bodies.pages(story(115), START) for part in page]
    assert len([part for part in parts if part.kind == "paragraph"]) == 24


def test_a_story_says_what_it_is(visitor: Visitor) -> None:
    one = story(114)
    text = visitor.page(one.path)
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert found
    data = json.loads(found[1])
    assert (data["@type"], data["headline"], data["author"]["name"]) == (
        "NewsArticle",
        one.title,
        one.author,
    )
    assert f'<link rel="canonical" href="{visitor.url(one.path)}">' in text
    assert f'hreflang="en-US" href="{visitor.url("/us" + one.path)}"' in text
    assert '<html lang="en-US">' in visitor.page(f"/us{one.path}")
    assert '<meta property="og:type" content="article">' in text
    assert f'<meta name="description" content="{one.summary}">' in text
    assert 'loading="lazy"' in text
    assert f'<a href="{story(113).path}"><small>Previous story' in text
    assert f'href="{story(115).path}"><small>Next story' in text


def test_comments_are_threaded(visitor: Visitor) -> None:
    number = next(
        n for n in range(1, 120) if any(c.replies for c in bodies.comments(story(n), START))
    )
    text = visitor.page(story(number).path)
    assert text.count('<article class="comment">') == bodies.count(
        bodies.comments(story(number), START)
    )
    assert text.count('<ol class="thread">') > 1


def test_the_same_clock_gives_the_same_bytes(traveller: Visitor) -> None:
    pages = traveller.pages
    first = [traveller.ask(path).body for path in pages]
    moved = [traveller.at(1 / 24).ask(path).body for path in pages]
    assert all(one != other for one, other in zip(first, moved, strict=True))
    story.cache_clear()
    traveller.at(0)
    assert [traveller.ask(path).body for path in pages] == first


def test_two_stories_a_day_at_the_head(traveller: Visitor) -> None:
    def newest() -> list[str]:
        return [item["path"] for item in json.loads(traveller.page("/api/stream"))["items"]]

    before = newest()
    traveller.at(20.5 / 24)
    assert newest()[1:] == before[:-1]
    traveller.at(1)
    assert newest()[2:] == before[:-2]
    assert newest()[0] == story(122).path
    assert f'<h2><a href="{story(122).path}">' in traveller.page("/")
    assert traveller.at(0).ask(story(121).path).status == 404


def test_day_3_corrections(traveller: Visitor) -> None:
    before, after = words(traveller.at(2.9), 120), words(traveller.at(3), 120)
    assert len(before) > 8
    assert after[0] == before[0]
    assert after[1].startswith("New since this story first appeared")
    assert after[-1].startswith("Correction, 5 March 2026")
    assert after[2:-1] == before[1:]
    assert words(traveller.at(2), 117) == words(traveller.at(9), 117)


def test_day_4_comments(traveller: Visitor) -> None:
    def comments(days: float, number: int) -> int:
        return traveller.at(days).page(story(number).path).count('<article class="comment">')

    assert comments(4, 116) > comments(3.9, 116)
    assert comments(4, 117) == comments(3.9, 117)


def test_day_5_amount(traveller: Visitor) -> None:
    before, after = words(traveller.at(4.9), 114), words(traveller.at(5), 114)
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert len(changed) == 1
    assert [re.sub(r"\d+", "N", text) for text in changed[0]] == [
        "The council puts the cost at N million euros."
    ] * 2


def test_day_10_redesign_changes_no_word(traveller: Visitor) -> None:
    old, old_words = traveller.at(9.99).page(story(117).path), words(traveller, 117)
    new, new_words = traveller.at(10).page(story(117).path), words(traveller, 117)
    assert old_words == new_words
    assert ('class="masthead"' in old, 'class="topbar"' in old, "look-1.css" in old) == (
        True,
        False,
        True,
    )
    assert ('class="masthead"' in new, 'class="topbar"' in new, "look-2.css" in new) == (
        False,
        True,
        True,
    )


def test_counters_and_advertisements_move(traveller: Visitor) -> None:
    def seen(days: float, pattern: str) -> str:
        return str(re.findall(pattern, traveller.at(days).page(story(118).path)))

    for pattern in (r"([\d,]+) views", r"Updated [^<]+ ago"):
        assert seen(0, pattern) != seen(2 / 24, pattern) != "[]"
    assert len({seen(days, r'data-ad="inline".*\n.*\n(.*)') for days in range(5)}) == 5
    assert seen(0.5, r'data-ad="inline".*\n.*\n(.*)') == seen(0, r'data-ad="inline".*\n.*\n(.*)')


def test_briefs_move_on_by_one_each_day(traveller: Visitor) -> None:
    def numbers() -> list[str]:
        return re.findall(r'id="brief-(\d+)"', traveller.page("/briefs"))

    before = numbers()
    traveller.at(1)
    assert numbers() == [str(int(before[0]) + 1), *before[:-1]]


def test_the_archive_has_every_story_under_its_month_and_day(visitor: Visitor) -> None:
    every = stories.visible(START)
    found = [
        path
        for year, month in months.months(every)
        for path in re.findall(
            r'</time> <a href="([^"]+)"', visitor.page(f"/archive/{year}/{month:02}")
        )
    ]
    assert found == [one.path for one in every]
    days = re.findall(r'href="(/archive/\d+/\d+/\d+)"', visitor.page("/archive"))
    assert len(days) == len({one.published.date() for one in every})
    assert headlines(visitor.page(days[0]))
    assert visitor.ask("/archive/2020/01").status == 404


def test_the_feed_and_the_sitemap(visitor: Visitor) -> None:
    feed = ET.fromstring(visitor.page("/feed.xml"))
    links = [item.findtext("link") for item in feed.iter("item")]
    assert links == [visitor.url(one.path) for one in stories.visible(START)[:20]]
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.page("/sitemap.xml"))
    assert {visitor.url(one.path) for one in stories.visible(START)} <= set(listed)
    assert not [path for path in listed if "/private/" in path]


def test_robots_are_kept_from_a_page_that_exists_and_is_linked(visitor: Visitor) -> None:
    assert "Disallow: /private/\n" in visitor.page("/robots.txt")
    assert 'href="/private/"' in visitor.page("/")
    assert "Staff only" in visitor.page("/private/")


@pytest.mark.parametrize(
    "path", ["/section/none", "/section/world/page/9", "/tag/none", "/author/none", "/2026/03/none-1", "/2020/01/none-x", "/2026/03/x-0"]
)  # fmt: skip
def test_what_is_not_there_is_not_found(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_a_story_has_only_one_address(visitor: Visitor) -> None:
    assert visitor.ask(story(120).path.replace("/2026/03/", "/2026/02/")).status == 404


def test_no_link_of_a_bounded_crawl_is_dead(visitor: Visitor) -> None:
    start = visitor.url()
    seen, waiting = {start}, [start]
    for _ in range(250):
        address = waiting.pop(0)
        parts = urlsplit(address)
        answer = visitor.ask(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        assert answer.status < 400, address
        if "html" not in answer.headers["content-type"]:
            continue
        for target in re.findall(r'(?:href|src)="([^"#]+)"', answer.text):
            whole = urljoin(address, unescape(target))
            if whole.startswith(start) and whole not in seen:
                seen.add(whole)
                waiting.append(whole)


def test_scrolling_grows_the_stream_to_its_end(visitor: Visitor, tab: Page) -> None:
    tab.goto(visitor.url("/stream"))
    while "Loading" in tab.inner_text("#sentinel"):
        shown = tab.locator(".stream li").count()
        tab.evaluate("scrollTo(0, document.body.scrollHeight)")
        tab.wait_for_function(GROWN_OR_DONE, arg=shown)
    assert tab.locator(".stream li").count() == 60


def test_the_button_loads_all_briefs(visitor: Visitor, tab: Page) -> None:
    tab.goto(visitor.url("/briefs"))
    while tab.locator("#load-more").count():
        shown = tab.locator(".briefs li").count()
        tab.click("#load-more")
        tab.wait_for_function(f"document.querySelectorAll('.briefs li').length > {shown}")
    assert tab.locator(".briefs li").count() == 48
