"""The register: lists are complete in every way of walking them, also by postbacks."""

from __future__ import annotations

import re
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples.directory.lists import SIZE, Filter, cut
from webgeist.samples.directory.organisations import COUNT, REGIONS, organisations
from webgeist.samples.directory.viewstate import (
    BadStateError,
    State,
    pager,
    post_back,
    read_state,
    write_state,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.samples.conftest import Visitor

SITE = "directory"
EVERYTHING = organisations()
PATHS = [entry.path for entry in EVERYTHING]
GRID = "ctl00$Main$Grid"


def links(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a [^>]*?href="([^"]*)"', text)]


def records(text: str) -> list[str]:
    return re.findall(r'<h2><a href="(/organisations/[^"]*)"', text)


def walk(visitor: Visitor, path: str) -> list[list[str]]:
    """The records of each page, following the links that say rel=next."""
    found = []
    while True:
        text = visitor.page(path)
        found.append(records(text))
        following = re.search(r'<a class="next" rel="next" href="([^"]*)"', text)
        if following is None:
            return found
        path = unescape(following[1])


def test_the_register_is_as_large_as_it_says() -> None:
    assert len(EVERYTHING) == COUNT == len(set(PATHS)) == len({e.number for e in EVERYTHING})
    assert [entry.name for entry in EVERYTHING] == sorted(entry.name for entry in EVERYTHING)
    assert {entry.region for entry in EVERYTHING} == set(REGIONS)


def test_six_pages_of_twenty_show_everybody_once(visitor: Visitor) -> None:
    found = walk(visitor, "/organisations")
    assert [len(part) for part in found] == [SIZE] * 6
    assert list(chain(*found)) == PATHS


def test_the_pagination_names_every_page_and_marks_its_own(visitor: Visitor) -> None:
    text = visitor.page("/organisations?page=3")
    nav = re.search(r'<nav class="pagination".*?</nav>', text, re.DOTALL)
    assert nav is not None
    wanted = ["/organisations?page=2", "/organisations", "/organisations?page=2"]
    wanted += [f"/organisations?page={n}" for n in (4, 5, 6, 4)]
    assert links(nav[0]) == wanted
    assert '<span aria-current="page">3</span>' in nav[0]


@pytest.mark.parametrize("page_number", ["0", "7", "-1", "x", ""])
def test_a_page_that_does_not_exist_is_404(visitor: Visitor, page_number: str) -> None:
    assert visitor.ask(f"/organisations?page={page_number}").status == 404


def test_letters_together_show_everybody(visitor: Visitor) -> None:
    home = visitor.page("/")
    letters = [link for link in links(home) if "letter=" in link]
    found = [path for letter in letters for part in walk(visitor, letter) for path in part]
    assert found == PATHS


def test_regions_together_show_everybody(visitor: Visitor) -> None:
    parts = [walk(visitor, f"/organisations?region={region}") for region in REGIONS]
    assert any(len(part) > 1 for part in parts), "no region needs a second page"
    assert sorted(path for part in parts for records in part for path in records) == PATHS


def test_filters_stay_when_the_page_or_letter_changes(visitor: Visitor) -> None:
    text = visitor.page("/organisations?region=Midlands")
    assert "/organisations?region=Midlands&page=2" in links(text)
    assert any(re.fullmatch(r"/organisations\?region=Midlands&letter=\w", x) for x in links(text))


def test_a_search_by_name_finds_only_those(visitor: Visitor) -> None:
    found = list(chain(*walk(visitor, "/organisations?q=ROWING")))
    assert found == [entry.path for entry in EVERYTHING if "Rowing" in entry.name]
    assert found


def test_nothing_found_is_a_page_and_not_an_error(visitor: Visitor) -> None:
    text = visitor.page("/organisations?q=%3Cb%3E")
    assert "No organisation matches" in text
    assert 'value="&lt;b&gt;"' in text


def test_a_detail_page_tells_everything(visitor: Visitor) -> None:
    entry = EVERYTHING[17]
    text = unescape(visitor.page(entry.path))
    for fact in (entry.name, entry.number, entry.form, entry.place, f"£{entry.income:,}"):
        assert fact in text
    officers = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(\d+)</td></tr>", text)
    assert officers == [(o.name, o.post, str(o.since)) for o in entry.officers]


def test_the_map_is_a_picture_of_the_size_the_page_says(visitor: Visitor) -> None:
    entry = EVERYTHING[0]
    address = re.search(
        r'<img src="(/map/[^"]*)".*?width="(\d+)" height="(\d+)"', visitor.page(entry.path)
    )
    assert address is not None
    answer = visitor.ask(address[1])
    assert answer.headers["content-type"] == "image/png"
    size = int.from_bytes(answer.body[16:20]), int.from_bytes(answer.body[20:24])
    assert size == (int(address[2]), int(address[3]))


def test_the_contact_form_asks_for_what_is_missing(visitor: Visitor) -> None:
    path = f"{PATHS[0]}/contact"
    whole = {"name": "Ada <Marsh>", "email": "ada@example.org", "message": "Hello"}
    assert "Thank you, Ada &lt;Marsh&gt;" in visitor.page(path, whole)
    answer = visitor.ask(path, {**whole, "email": ""})
    assert answer.status == 422
    assert answer.text.count('class="error"') == 1


@pytest.mark.parametrize("path", ["/organisations/nobody", "/map/nobody.png", "/nothing"])
def test_what_does_not_exist_is_404(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def hidden(text: str) -> dict[str, str]:
    fields = re.findall(r'<input type="hidden" name="([^"]*)" id="[^"]*" value="([^"]*)"', text)
    return {name: unescape(value) for name, value in fields}


def click(visitor: Visitor, text: str, target: str, argument: str) -> str:
    """What __doPostBack does: the form as it stands, and who was clicked."""
    assert f"__doPostBack('{target}','{argument}')" in unescape(text), argument
    fields = hidden(text) | {"__EVENTTARGET": target, "__EVENTARGUMENT": argument}
    return visitor.page("/search.aspx", fields)


def rows(text: str) -> list[str]:
    return re.findall(r'<td><a href="(/organisations/[^"]*)"', text)


def test_postbacks_walk_through_all_pages(visitor: Visitor) -> None:
    text = visitor.page("/search.aspx")
    found = rows(text)
    for number in range(2, COUNT // 10 + 1):
        text = click(visitor, text, GRID, f"Page${number}")
        assert f"page {number} of 12" in text
        found += rows(text)
    assert found == PATHS
    assert "Page$13" not in text


def test_the_script_in_the_page_posts_back(visitor: Visitor, tab: Page) -> None:
    tab.goto(visitor.url("/search.aspx"))
    for text in ("2", "...", "7"):
        with tab.expect_navigation():
            tab.click(f".pager a >> text={text}")
    assert "page 7 of 12" in tab.inner_text("#ctl00_Main_Count")
    assert urlsplit(tab.url).path == "/search.aspx"


def test_the_search_button_keeps_its_words_over_postbacks(visitor: Visitor) -> None:
    fields = hidden(visitor.page("/search.aspx"))
    fields |= {
        "ctl00$Main$Words": "",
        "ctl00$Main$Region": "Midlands",
        "ctl00$Main$Search": "Search",
    }
    text = visitor.page("/search.aspx", fields)
    found = rows(text) + rows(click(visitor, text, GRID, "Page$2"))
    wanted = [entry.path for entry in EVERYTHING if entry.region == "Midlands"]
    assert found == wanted[:20]


def test_a_column_head_sorts_and_goes_back_to_the_first_page(visitor: Visitor) -> None:
    text = click(visitor, visitor.page("/search.aspx"), GRID, "Page$2")
    text = click(visitor, text, GRID, "Sort$Members")
    by_members = sorted(EVERYTHING, key=lambda entry: (-entry.members, entry.name))
    assert rows(text) == [entry.path for entry in by_members[:10]]


def test_a_forged_view_state_is_refused(visitor: Visitor) -> None:
    answer = visitor.ask("/search.aspx", {"__VIEWSTATE": "AAAA"})
    assert answer.status == 500
    assert "viewstate failed" in answer.text


@pytest.mark.parametrize("field", ["", "AAAA", "not base64", write_state(State())[:-4] + "AAAA"])
def test_only_our_own_state_can_be_read(field: str) -> None:
    with pytest.raises(BadStateError):
        read_state(field)


def test_a_state_survives_its_way_through_the_form() -> None:
    state = State("café & bar", "North", "Place", 7)
    assert read_state(write_state(state)) == state
    assert write_state(State()).startswith("/wEP")


def test_a_postback_that_nobody_sends_changes_nothing() -> None:
    state = State(page=3)
    form = {"__VIEWSTATE": write_state(state), "__EVENTTARGET": GRID}
    for argument in ("Page$x", "Sort$Income", "", "Page$"):
        assert post_back(form | {"__EVENTARGUMENT": argument}) == state


@pytest.mark.parametrize(
    ("page_number", "pages", "texts", "leads"),
    [
        (1, 12, "1 2 3 4 5 ...", [None, 2, 3, 4, 5, 6]),
        (6, 12, "... 6 7 8 9 10 ...", [5, None, 7, 8, 9, 10, 11]),
        (12, 12, "... 11 12", [10, 11, None]),
        (1, 1, "1", [None]),
    ],
)
def test_the_grid_pager_shows_five_numbers_and_dots(
    page_number: int, pages: int, texts: str, leads: list[int | None]
) -> None:
    entries = pager(page_number, pages)
    assert " ".join(text for text, _ in entries) == texts
    assert [leads_to for _, leads_to in entries] == leads


def test_an_empty_list_has_one_empty_page() -> None:
    part = cut([], 1)
    assert part is not None
    assert (part.entries, part.pages, part.total) == ([], 1, 0)
    assert cut([], 2) is None


def test_a_link_names_only_what_is_set() -> None:
    assert Filter().link("/x") == "/x"
    assert Filter("a b", "North", "K").link("/x", 2) == "/x?q=a+b&region=North&letter=K&page=2"


def test_every_link_of_a_bounded_crawl_answers(visitor: Visitor) -> None:
    waiting, seen = ["/"], set[str]()
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen or path.startswith("javascript:"):
            continue
        seen.add(path)
        answer = visitor.ask(path)
        assert answer.status < 400, path
        if answer.headers["content-type"].startswith("text/html"):
            found = (urlsplit(urljoin(path, link)) for link in links(answer.text))
            waiting += [f"{x.path}?{x.query}".rstrip("?") for x in found if not x.scheme]
    assert len(seen) == 150


def test_robots_and_sitemap(visitor: Visitor) -> None:
    assert f"Sitemap: {visitor.url('/sitemap.xml')}" in visitor.page("/robots.txt")
    tree = ET.fromstring(visitor.page("/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert set(PATHS) < set(places)
    assert len(places) == len(set(places))
