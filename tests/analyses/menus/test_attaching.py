"""Pages that are a site's by their links alone: joined where all links agree, and marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import BASE, host_of, page_html

from webgeist.analyses.menus.attaching import attach
from webgeist.analyses.menus.borders import Border
from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.result import Mined


def bordered(*groups: set[int]) -> list[Border]:
    return [Border([], set(group)) for group in groups]


def joined(host: Host, borders: list[Border], weak: set[int] | None = None) -> list[set[int]]:
    attach(host, borders, weak or set())
    return [border.pages for border in borders]


def test_a_page_that_a_site_leads_to_and_nobody_else_is_its() -> None:
    host = host_of({0: [("p", [1, 3])], 1: [("p", [0, 3])], 2: [("p", [2, 4])], 3: [], 4: []})
    borders = bordered({0, 1}, {2})
    assert joined(host, borders) == [{0, 1, 3}, {2, 4}]
    assert [border.by_links for border in borders] == [{3}, {4}]


def test_a_page_between_two_sites_is_neithers() -> None:
    host = host_of({0: [("p", [2, 9])], 1: [("p", [2, 9])], 2: [("p", [0, 1])]})
    assert joined(host, bordered({0}, {1})) == [{0}, {1}]


def test_a_page_that_leads_to_a_site_which_does_not_know_it_is_not_its() -> None:
    host = host_of({0: [("p", [1, 9])], 1: [("p", [0, 9])], 2: [("p", [0, 1])]})
    assert joined(host, bordered({0, 1})) == [{0, 1}]


def test_a_page_most_of_whose_links_were_not_brought_is_not_guessed_at() -> None:
    host = host_of({0: [("p", [1, 9])], 1: [("p", [0, 6, 7, 8, 9])]})
    assert joined(host, bordered({0})) == [{0}]


def test_what_was_not_brought_is_of_the_site_that_alone_leads_to_it() -> None:
    """Two pages that lead to the same missing ones are of the same site, if no other does."""
    host = host_of({0: [("p", [1, 8, 9])], 1: [("p", [0, 8, 9])], 2: [("p", [8, 9])]})
    borders = bordered({0, 1})
    assert joined(host, borders) == [{0, 1, 2}]
    assert borders[0].by_links == {2}


def test_what_two_sites_lead_to_is_neithers() -> None:
    host = host_of({0: [("p", [8, 9])], 1: [("p", [8, 9])], 2: [("p", [8, 9])]})
    assert joined(host, bordered({0}, {1})) == [{0}, {1}]


def test_addresses_on_other_hosts_tell_nothing() -> None:
    pages = {0: [("p", [1, 7])], 1: [("p", [0, 7])], 2: [("p", [8, 9])]}
    host = host_of(pages)
    links = [n for n, target in enumerate(host.targets) if n >= len(host)]
    for number in links:
        host.targets[number] = f"http://elsewhere.localhost/{number}"
    assert joined(host, bordered({0, 1})) == [{0, 1}]


def test_pages_are_reached_by_way_of_others() -> None:
    host = host_of({0: [("p", [1, 9])], 1: [("p", [2, 0])], 2: [("p", [3, 1])], 3: [("p", [2, 1])]})
    assert joined(host, bordered({0})) == [{0, 1, 2, 3}]


def test_only_what_is_weak_is_joined_to_another_site() -> None:
    pages = {0: [("p", [1, 2, 3])], 1: [("p", [0, 2])], 2: [("p", [3, 9])], 3: [("p", [2, 9])]}
    assert joined(host_of(pages), bordered({0, 1}, {2, 3})) == [{0, 1}, {2, 3}]
    assert joined(host_of(pages), bordered({0, 1}, {2, 3}), {1}) == [{0, 1, 2, 3}, set()]


def test_a_stray_link_joins_no_group() -> None:
    group = {n: [("p", [m for m in range(2, 10) if m != n])] for n in range(2, 10)}
    host = host_of({0: [("p", [1, 2])], 1: [("p", [0, 9])], **group})
    assert joined(host, bordered({0}, set(group)), {1})[1] == set(group)


# --- from HTML ---------------------------------------------------------------------------------


def sites_with_sources() -> Mined:
    """Two sites; each page of the first leads to a listing, and listings lead to each other."""
    pages = {}
    for site in "st":
        top = [f"/{site}/{n}" for n in range(4)]
        for name in [*top, f"/{site}/more"]:
            source = name.replace("/s/", "/src/")
            more = [("div#source", [source, "/x/gone"])] if site == "s" else []
            pages[BASE + name[1:]] = page_html(("nav#m", top), *more)
            if site == "s":
                pages[BASE + source[1:]] = page_html(("div#code", ["/src/0", "/src/more"]))
    return mine_menus(pages.items())


def test_listings_of_source_code_are_their_sites_and_told_apart() -> None:
    found = sites_with_sources()
    first = next(site for site in found.sites if f"{BASE}s/0" in site.pages)
    assert {url for url in first.pages if "/src/" in url} == set(first.by_links) != set()
    assert not [site for site in found.sites if f"{BASE}t/0" in site.pages and site.by_links]


def test_the_main_menu_is_that_of_the_pages_that_have_one() -> None:
    found = sites_with_sources()
    first = next(site for site in found.sites if f"{BASE}s/0" in site.pages)
    assert first.main_menu is not None
    assert len(found.menus[first.main_menu].items) == 4


def test_it_is_told_as_json() -> None:
    told = sites_with_sources().to_json()["sites"]
    assert [len(site["by_links"]) > 0 for site in told].count(True) == 1
