"""The register: lists are complete in every way of walking them, also by postbacks."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import sync_playwright

from webgeist.samples import app
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
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERYTHING = organisations()
PATHS = [entry.path for entry in EVERYTHING]
GRID = "ctl00$Main$Grid"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


def start() -> Iterator[SampleServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SITES", ("directory",))
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


def ask(
    server: SampleServer, path: str, fields: dict[str, str] | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    """A GET, or with fields a POST as a browser's form sends it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"host": "directory.localhost"}
    body = None
    if fields is not None:
        headers["content-type"] = "application/x-www-form-urlencoded"
        body = urlencode(fields)
    try:
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def page(server: SampleServer, path: str, fields: dict[str, str] | None = None) -> str:
    answer, body = ask(server, path, fields)
    assert answer.status == 200, path
    return body.decode()


def links(text: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'<a [^>]*?href="([^"]*)"', text)]


def records(text: str) -> list[str]:
    return re.findall(r'<h2><a href="(/organisations/[^"]*)"', text)


def walk(server: SampleServer, path: str) -> list[list[str]]:
    """The records of each page, following the links that say rel=next."""
    found = []
    while True:
        text = page(server, path)
        found.append(records(text))
        following = re.search(r'<a class="next" rel="next" href="([^"]*)"', text)
        if following is None:
            return found
        path = unescape(following[1])


def test_the_register_is_as_large_as_it_says() -> None:
    assert len(EVERYTHING) == COUNT == len(set(PATHS)) == len({e.number for e in EVERYTHING})
    assert [entry.name for entry in EVERYTHING] == sorted(entry.name for entry in EVERYTHING)
    assert {entry.region for entry in EVERYTHING} == set(REGIONS)


def test_six_pages_of_twenty_show_everybody_once(server: SampleServer) -> None:
    found = walk(server, "/organisations")
    assert [len(part) for part in found] == [SIZE] * 6
    assert list(chain(*found)) == PATHS


def test_the_pagination_names_every_page_and_marks_its_own(server: SampleServer) -> None:
    text = page(server, "/organisations?page=3")
    nav = re.search(r'<nav class="pagination".*?</nav>', text, re.DOTALL)
    assert nav is not None
    wanted = ["/organisations?page=2", "/organisations", "/organisations?page=2"]
    wanted += [f"/organisations?page={n}" for n in (4, 5, 6, 4)]
    assert links(nav[0]) == wanted
    assert '<span aria-current="page">3</span>' in nav[0]


@pytest.mark.parametrize("page_number", ["0", "7", "-1", "x", ""])
def test_a_page_that_does_not_exist_is_404(server: SampleServer, page_number: str) -> None:
    assert ask(server, f"/organisations?page={page_number}")[0].status == 404


def test_letters_together_show_everybody(server: SampleServer) -> None:
    home = page(server, "/")
    letters = [link for link in links(home) if "letter=" in link]
    found = [path for letter in letters for part in walk(server, letter) for path in part]
    assert found == PATHS


def test_regions_together_show_everybody(server: SampleServer) -> None:
    parts = [walk(server, f"/organisations?region={region}") for region in REGIONS]
    assert any(len(part) > 1 for part in parts), "no region needs a second page"
    assert sorted(path for part in parts for records in part for path in records) == PATHS


def test_filters_stay_when_the_page_or_letter_changes(server: SampleServer) -> None:
    text = page(server, "/organisations?region=Midlands")
    assert "/organisations?region=Midlands&page=2" in links(text)
    assert any(re.fullmatch(r"/organisations\?region=Midlands&letter=\w", x) for x in links(text))


def test_a_search_by_name_finds_only_those(server: SampleServer) -> None:
    found = list(chain(*walk(server, "/organisations?q=ROWING")))
    assert found == [entry.path for entry in EVERYTHING if "Rowing" in entry.name]
    assert found


def test_nothing_found_is_a_page_and_not_an_error(server: SampleServer) -> None:
    text = page(server, "/organisations?q=%3Cb%3E")
    assert "No organisation matches" in text
    assert 'value="&lt;b&gt;"' in text


def test_a_detail_page_tells_everything(server: SampleServer) -> None:
    entry = EVERYTHING[17]
    text = unescape(page(server, entry.path))
    for fact in (entry.name, entry.number, entry.form, entry.place, f"£{entry.income:,}"):
        assert fact in text
    officers = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(\d+)</td></tr>", text)
    assert officers == [(o.name, o.post, str(o.since)) for o in entry.officers]


def test_the_map_is_a_picture_of_the_size_the_page_says(server: SampleServer) -> None:
    entry = EVERYTHING[0]
    address = re.search(
        r'<img src="(/map/[^"]*)".*?width="(\d+)" height="(\d+)"', page(server, entry.path)
    )
    assert address is not None
    answer, body = ask(server, address[1])
    assert answer.headers["content-type"] == "image/png"
    size = int.from_bytes(body[16:20]), int.from_bytes(body[20:24])
    assert size == (int(address[2]), int(address[3]))


def test_the_contact_form_asks_for_what_is_missing(server: SampleServer) -> None:
    path = f"{PATHS[0]}/contact"
    whole = {"name": "Ada <Marsh>", "email": "ada@example.org", "message": "Hello"}
    assert "Thank you, Ada &lt;Marsh&gt;" in page(server, path, whole)
    answer, body = ask(server, path, {**whole, "email": ""})
    assert answer.status == 422
    assert body.count(b'class="error"') == 1


@pytest.mark.parametrize("path", ["/organisations/nobody", "/map/nobody.png", "/nothing"])
def test_what_does_not_exist_is_404(server: SampleServer, path: str) -> None:
    assert ask(server, path)[0].status == 404


def hidden(text: str) -> dict[str, str]:
    fields = re.findall(r'<input type="hidden" name="([^"]*)" id="[^"]*" value="([^"]*)"', text)
    return {name: unescape(value) for name, value in fields}


def click(server: SampleServer, text: str, target: str, argument: str) -> str:
    """What __doPostBack does: the form as it stands, and who was clicked."""
    assert f"__doPostBack('{target}','{argument}')" in unescape(text), argument
    fields = hidden(text) | {"__EVENTTARGET": target, "__EVENTARGUMENT": argument}
    return page(server, "/search.aspx", fields)


def rows(text: str) -> list[str]:
    return re.findall(r'<td><a href="(/organisations/[^"]*)"', text)


def test_postbacks_walk_through_all_pages(server: SampleServer) -> None:
    text = page(server, "/search.aspx")
    found = rows(text)
    for number in range(2, COUNT // 10 + 1):
        text = click(server, text, GRID, f"Page${number}")
        assert f"page {number} of 12" in text
        found += rows(text)
    assert found == PATHS
    assert "Page$13" not in text


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_the_script_in_the_page_posts_back(server: SampleServer) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page()
        tab.goto(server.url("directory", "/search.aspx"))
        for text in ("2", "...", "7"):
            with tab.expect_navigation():
                tab.click(f".pager a >> text={text}")
        assert "page 7 of 12" in tab.inner_text("#ctl00_Main_Count")
        assert urlsplit(tab.url).path == "/search.aspx"
        browser.close()


def test_the_search_button_keeps_its_words_over_postbacks(server: SampleServer) -> None:
    fields = hidden(page(server, "/search.aspx"))
    fields |= {
        "ctl00$Main$Words": "",
        "ctl00$Main$Region": "Midlands",
        "ctl00$Main$Search": "Search",
    }
    text = page(server, "/search.aspx", fields)
    found = rows(text) + rows(click(server, text, GRID, "Page$2"))
    wanted = [entry.path for entry in EVERYTHING if entry.region == "Midlands"]
    assert found == wanted[:20]


def test_a_column_head_sorts_and_goes_back_to_the_first_page(server: SampleServer) -> None:
    text = click(server, page(server, "/search.aspx"), GRID, "Page$2")
    text = click(server, text, GRID, "Sort$Members")
    by_members = sorted(EVERYTHING, key=lambda entry: (-entry.members, entry.name))
    assert rows(text) == [entry.path for entry in by_members[:10]]


def test_a_forged_view_state_is_refused(server: SampleServer) -> None:
    answer, body = ask(server, "/search.aspx", {"__VIEWSTATE": "AAAA"})
    assert answer.status == 500
    assert b"viewstate failed" in body


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


def test_every_link_of_a_bounded_crawl_answers(server: SampleServer) -> None:
    waiting, seen = ["/"], set[str]()
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen or path.startswith("javascript:"):
            continue
        seen.add(path)
        answer, body = ask(server, path)
        assert answer.status < 400, path
        if answer.headers["content-type"].startswith("text/html"):
            found = (urlsplit(urljoin(path, link)) for link in links(body.decode()))
            waiting += [f"{x.path}?{x.query}".rstrip("?") for x in found if not x.scheme]
    assert len(seen) == 150


def test_robots_and_sitemap(server: SampleServer) -> None:
    assert "Sitemap: http://directory.localhost/sitemap.xml" in page(server, "/robots.txt")
    tree = ET.fromstring(page(server, "/sitemap.xml"))
    places = [urlsplit(str(loc.text)).path for loc in tree.iter() if loc.tag.endswith("loc")]
    assert set(PATHS) < set(places)
    assert len(places) == len(set(places))


def test_the_captured_pages_answer_and_are_the_same_for_the_same_clock(
    server: SampleServer, twin: SampleServer
) -> None:
    (site,) = server.web.sites
    assert len(site.pages) >= 8
    for path in site.pages:
        assert page(server, path) == page(twin, path)
