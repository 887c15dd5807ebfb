"""The whole way from HTML to sites and menus, on small hosts that show one difficulty each."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analyses.menus.hosts import BASE, page_html, portal

import webgeist
from webgeist.analyses.menus.mining import mine_menus
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from webgeist.analyses.menus.result import Mined


def mined(pages: dict[str, str], method: str = "template") -> Mined:
    return mine_menus(pages.items(), method=method)


def partition(found: Mined) -> set[frozenset[str]]:
    return {frozenset(site.pages) for site in found.sites}


def by_folder(pages: dict[str, str]) -> set[frozenset[str]]:
    names = {url.split("/")[3] for url in pages}
    return {frozenset(url for url in pages if url.split("/")[3] == name) for name in names}


def main_items(found: Mined) -> list[list[str]]:
    return [
        [item.url for item in found.menus[site.main_menu].items]
        for site in found.sites
        if site.main_menu is not None
    ]


# --- sites -------------------------------------------------------------------------------------


def test_a_footer_that_all_share_bridges_nothing() -> None:
    pages = portal(4)
    found = partition(mined(pages))
    for site in range(4):
        assert {url for url in pages if f"/s{site}/" in url} in found


def test_the_papers_form_is_bridged_by_that_footer() -> None:
    assert len(mined(portal(4), "paper").sites) == 1
    assert len(mined(portal(4, footer=False), "paper").sites) == 4


def test_an_item_of_each_pages_own_in_the_menu_does_no_harm() -> None:
    found = mined(portal(3, extra=True))
    assert len(found.sites) >= 3
    assert [[f"{BASE}s{n}/", f"{BASE}s{n}/a/"] for n in range(3)] == sorted(
        items[:2] for items in main_items(found) if "/s" in items[0]
    )


def test_half_of_the_pages_are_enough() -> None:
    pages = portal(4, pages=20)
    some = random.Random(5).sample(sorted(pages), len(pages) // 2)
    found = partition(mined({url: pages[url] for url in some}))
    for site in range(4):
        assert {url for url in some if f"/s{site}/" in url} in found


def test_menus_whose_targets_were_not_brought_still_make_a_site() -> None:
    lists = ("nav#m", ["/one", "/two", "/three"])
    pages = {f"{BASE}news/{n}": page_html(lists) for n in range(5)}
    found = mined(pages)
    assert partition(found) == {frozenset(pages)}
    assert main_items(found) == [[BASE + "one", BASE + "two", BASE + "three"]]


def test_a_bar_of_the_whole_host_bridges_nothing() -> None:
    bar = page_html(("header#bar", ["/legal/licence", "/legal/contact", "/legal/donate"]))
    inside = bar.split("<body>")[1].split("</body>")[0]
    pages = portal(5)
    pages = {url: html.replace("<body>", f"<body>{inside}") for url, html in pages.items()}
    found = partition(mined(pages))
    assert {url for url in pages if "/s0/" in url} in found


def test_sections_with_menus_of_their_own_stay_in_their_site() -> None:
    pages = portal(1, footer=False)
    found = mined(pages)
    assert partition(found) == {frozenset(pages)}
    assert {section.entry for section in found.sites[0].sections} == {
        f"{BASE}s0/a/",
        f"{BASE}s0/b/",
    }


def test_a_variant_of_the_menu_in_another_place_is_the_same_site() -> None:
    top = ["/", "/a", "/b", "/c"]
    pages = {BASE + n[1:]: page_html(("nav#m", top)) for n in [*top, "/d", "/e"]}
    pages |= {f"{BASE}old/{n}": page_html(("td#left", top[:3])) for n in range(4)}
    assert partition(mined(pages)) == {frozenset(pages)}


def test_previous_next_and_up_are_no_main_menu() -> None:
    pages = {BASE: page_html(("ol#toc", [f"/{n}" for n in range(12)]))}
    for n in range(12):
        steps = [f"/{max(0, n - 1)}", "/", f"/{min(11, n + 1)}"]
        pages[f"{BASE}{n}"] = page_html(("div#nav", steps))
    found = mined(pages)
    assert partition(found) == {frozenset(pages)}
    assert found.sites[0].entry == BASE
    assert found.sites[0].main_menu is None


def test_pages_without_a_menu_are_not_guessed_at() -> None:
    pages = portal(1, footer=False)
    pages |= {BASE + "alone": page_html(("p#x", ["/gone", "/gone2"])), BASE + "empty": ""}
    found = mined(pages)
    assert found.unassigned == (BASE + "alone", BASE + "empty")
    assert found.incomplete == (BASE + "alone",)


# --- menus -------------------------------------------------------------------------------------


def test_menus_have_items_in_order_words_levels_and_parents() -> None:
    found = mined(portal(1, footer=False))
    main, *local = found.menus
    assert [item.text for item in main.items] == ["S0", "S0 A", "S0 B", "S0 Help"]
    assert (main.level, main.parent) == (1, None)
    assert [(menu.level, menu.parent) for menu in local] == [(2, main.id)] * 2
    assert main.path == "html > body > nav#main > ul"
    assert main.wildcards == 0
    assert len(main.pages) == 20
    assert len(main.linked) == 4


def test_a_list_inside_the_main_menu_lies_below_it() -> None:
    top = ["/", "/a", "/b"]
    sub = "<ul class=sub><li><a href=/a/1>1</a></li><li><a href=/a/2>2</a></li></ul>"
    body = f'<nav><ul><li><a href="/">Home</a></li><li><a href="/a">A</a>{sub}</li><li><a href="/b">B</a></li></ul></nav>'
    pages = {BASE + name[1:]: body for name in [*top, "/a/1", "/a/2"]}
    found = mined(pages)
    assert [item.text for item in found.menus[0].items] == ["Home", "A", "B"]
    assert found.menus[1].parent == 0
    assert [item.text for item in found.menus[1].items] == ["1", "2"]


def test_a_menu_split_over_two_lists_is_one() -> None:
    left, right = ["/", "/a", "/b"], ["/c", "/d", "/e"]
    lists = [
        f"<ul id={name}>"
        + "".join(f"<li><a href={link}>x{link}</a></li>" for link in links)
        + "</ul>"
        for name, links in (("l", left), ("r", right))
    ]
    html = f"<body><div><div id=nav>{''.join(lists)}</div></div><p>text</p></body>"
    pages = {BASE + name[1:]: html for name in [*left, *right, "/f", "/g"]}
    found = mined(pages)
    assert len(main_items(found)[0]) == 6
    assert [item.text for item in found.menus[0].items] == [f"x{link}" for link in left + right]


def test_a_menu_that_is_repeated_at_the_bottom_is_told_once() -> None:
    top = ["/", "/a", "/b", "/c"]
    pages = {BASE + name[1:]: page_html(("nav#m", top), ("footer#f", top)) for name in [*top, "/d"]}
    assert len(mined(pages).menus) == 1


def test_a_section_whose_pages_are_its_items_is_a_document() -> None:
    top = ["/", "/x", "/y", "/z"]
    parts = [f"/x/{n}" for n in range(4)]
    pages = {BASE + n[1:]: page_html(("nav#m", top)) for n in [*top, *(f"/p{n}" for n in range(9))]}
    pages |= {BASE + n[1:]: page_html(("nav#m", top), ("div#parts", parts)) for n in parts}
    (section,) = mined(pages).sites[0].sections
    assert section.document
    assert set(section.pages) == {BASE + name[1:] for name in parts}


# --- places ------------------------------------------------------------------------------------


def test_every_page_has_a_place_by_the_menus() -> None:
    found = mined(portal(1, footer=False))
    way = [crumb.url for crumb in found.places[f"{BASE}s0/a/2"]]
    assert way == [f"{BASE}s0/", f"{BASE}s0/a/", f"{BASE}s0/a/2"]
    assert set(found.places) == set(found.sites[0].pages)


def test_a_page_that_an_item_links_to_lies_below_it() -> None:
    top = ["/", "/news", "/about", "/help"]
    pages = {BASE + name[1:]: page_html(("nav#m", top)) for name in [*top, "/n1", "/n2"]}
    pages[BASE + "news"] = page_html(("nav#m", top), ("div#list", ["/n1", "/n2"]))
    found = mined(pages)
    assert [crumb.text for crumb in found.places[BASE + "n1"]] == ["Home", "News", "N1"]


# --- as a library ------------------------------------------------------------------------------


def test_an_arrow_home_is_no_name() -> None:
    menu = [f"/guide/{name}" for name in ("start", "run", "end")]
    html = page_html(("div#up", ["/guide/", "//other.localhost/"]), ("nav#main", menu)).replace(
        ">Guide<", ">&lt;-<"
    )
    more = [f"/guide/page{n}" for n in range(8)]
    found = mined({BASE.rstrip("/") + url: html for url in ["/guide/", *menu, *more]})
    assert {crumbs[0].text for crumbs in found.places.values()} == {"guide"}


def test_it_is_a_function_of_webgeist_with_tables() -> None:
    found = webgeist.mine_menus(iter(portal(2).items()))
    rows = found.to_arrow().to_pylist()
    assert len(rows) == len(portal(2))
    assert {row["site"] for row in rows} >= {0, 1}


def test_the_json_has_the_promised_form() -> None:
    told = mined(portal(2)).to_json()
    assert set(told) >= {"sites", "menus", "unassigned"}
    assert set(told["sites"][0]) >= {"id", "entry", "pages", "main_menu", "sections"}
    assert set(told["menus"][0]) >= {"id", "items", "pages", "parent", "level", "approximate"}
    assert set(told["menus"][0]["items"][0]) == {"text", "url"}


def test_another_method_is_refused() -> None:
    with pytest.raises(UsageError, match="no method"):
        mined({}, "guess")


def test_the_result_does_not_depend_on_anything_else() -> None:
    assert mined(portal(3)).to_json() == mined(portal(3)).to_json()


# --- bad input ---------------------------------------------------------------------------------

BAD = {
    "nothing": {},
    "one page": {BASE: page_html(("nav#m", ["/", "/a", "/b"]))},
    "no links": {f"{BASE}{n}": "<p>words</p>" for n in range(5)},
    "not HTML": {BASE: "\x00\x01", BASE + "a": "%PDF-1.4"},
    "same page": {f"{BASE}{n}": page_html(("nav#m", ["/0", "/1", "/2"])) for n in range(400)},
    "farm": {f"{BASE}{n}": page_html(("p#x", [f"/{m}" for m in range(90)])) for n in range(90)},
    "strange addresses": {"": "<a href=x>", "about:blank": "<a href=y>", "http://[": "<a href=z>"},
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("method", ["template", "paper"])
def test_bad_input_is_answered(name: str, method: str) -> None:
    pages = BAD[name]
    found = mined(pages, method)
    told = [url for site in found.sites for url in site.pages] + list(found.unassigned)
    assert sorted(told) == sorted(pages)


NAMES = st.sampled_from(
    ["/", "/a", "/b", "/c/", "/c/d", "/c/index.html", "http://x.localhost/", "#"]
)
LISTS = st.lists(
    st.tuples(st.sampled_from(["nav#m", "p#x"]), st.lists(NAMES, max_size=5)), max_size=3
)


@given(st.dictionaries(NAMES, LISTS, max_size=7), st.sampled_from(["template", "paper"]))
@settings(max_examples=60)
def test_every_page_is_in_one_site_or_in_none(
    lists: dict[str, list[tuple[str, list[str]]]], method: str
) -> None:
    pages = {BASE + name[1:]: page_html(*each) for name, each in lists.items()}
    found = mined(pages, method)
    told = [url for site in found.sites for url in site.pages] + list(found.unassigned)
    assert sorted(told) == sorted(pages)
    for menu in found.menus:
        assert menu.parent is None or found.menus[menu.parent].level == menu.level - 1
