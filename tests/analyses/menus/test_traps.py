"""What real hosts do that joins sites or hides their menus, one thing at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import BASE, page_html

from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.menus.result import Menu, Mined

SITES = ("red", "green", "blue", "grey")
Lists = list[tuple[str, "Sequence[str]"]]


def top(site: str) -> list[str]:
    return [f"/{site}/", f"/{site}/news", f"/{site}/guide", f"/{site}/help"]


def names(site: str, pages: int = 8) -> list[str]:
    return [*top(site), *(f"/{site}/p{n}" for n in range(pages))]


def plain_host() -> dict[str, Lists]:
    """Four sites with a main menu each; pages by name."""
    return {name: [("nav#main", top(site))] for site in SITES for name in names(site)}


def mined(host: dict[str, Lists]) -> Mined:
    return mine_menus((BASE + name[1:], page_html(*lists)) for name, lists in host.items())


def site_sets(found: Mined) -> set[frozenset[str]]:
    """The sites as the first parts of their pages' names, by which they are known."""
    return {frozenset(url.removeprefix(BASE).split("/")[0] for url in s.pages) for s in found.sites}


def apart(found: Mined) -> bool:
    together = site_sets(found)
    return all(frozenset({site}) in together for site in SITES)


def main_of(found: Mined, site: str) -> Menu:
    (of,) = [s for s in found.sites if f"{BASE}{site}/p0" in s.pages]
    assert of.main_menu is not None
    return found.menus[of.main_menu]


def addresses(menu: Menu) -> list[str]:
    return ["/" + item.url.removeprefix(BASE) for item in menu.items]


def all_main_menus_are_right(found: Mined) -> bool:
    return all(addresses(main_of(found, site)) == top(site) for site in SITES)


def test_without_trouble_sites_and_menus_are_right() -> None:
    found = mined(plain_host())
    assert apart(found)
    assert all_main_menus_are_right(found)


@pytest.mark.parametrize("brought", [True, False])
def test_a_link_to_the_page_that_lists_all_sites_joins_none(*, brought: bool) -> None:
    host = plain_host()
    for lists in host.values():
        lists.append(("footer#host", ["/", "/"]))
    if brought:
        host["/"] = [("div#sites", [top(site)[0] for site in SITES])]
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_footers_that_name_other_sites_join_none() -> None:
    host = plain_host()
    for at, site in enumerate(SITES):
        others = [top(SITES[(at + step) % len(SITES)])[0] for step in (1, 2)]
        for name in names(site):
            host[name].append(("footer#friends", ["/", *others]))
    host["/"] = [("div#sites", [top(site)[0] for site in SITES])]
    assert apart(mined(host))


def test_links_in_texts_that_lead_to_other_sites_join_none() -> None:
    host = plain_host()
    for at, site in enumerate(SITES):
        for n in range(0, 8, 4):
            other = SITES[(at + 1 + n) % len(SITES)]
            host[f"/{site}/p{n}"].append(("p#text", [f"/{other}/p{n}", f"/{site}/p{n + 1}"]))
    assert apart(mined(host))


def test_a_list_of_languages_that_leads_to_first_pages_alone_joins_no_editions() -> None:
    host = plain_host()
    for lists in host.values():
        lists.append(("div#languages", [top(site)[0] for site in SITES[:2]]))
    found = mined(host)
    assert frozenset({"blue"}) in site_sets(found)
    assert frozenset({"grey"}) in site_sets(found)


def test_items_that_are_not_linked_back_are_items() -> None:
    """No clique forms where a page of the menu lacks it."""
    host = plain_host()
    for site in SITES:
        for name in top(site)[1:]:
            host[name] = [("div#else", [f"/{site}/p0", f"/{site}/p1", f"/{site}/p2"])]
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_a_local_menu_copied_from_another_site_joins_nothing() -> None:
    host = plain_host()
    local = [f"/red/p{n}" for n in range(4)]
    for name in [*local, *(f"/green/p{n}" for n in range(4))]:
        host[name].append(("div#local", local))
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)
    assert local in [addresses(menu) for menu in found.menus if menu.parent is not None]


def test_previous_next_and_up_are_no_menus() -> None:
    host = plain_host()
    for site in SITES:
        pages = names(site)
        for at, name in enumerate(pages):
            steps = [pages[at - 1], f"/{site}/", pages[(at + 1) % len(pages)]]
            host[name].insert(0, ("div#steps", steps))
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)
    assert len(found.menus) == len(SITES)


def test_a_menu_split_over_lists_is_one() -> None:
    host = plain_host()
    for name, lists in host.items():
        site = name.split("/")[1]
        lists[0] = ("nav#main", top(site)[:2])
        lists.insert(1, ("nav#main", top(site)[2:]))
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_a_section_with_a_variant_of_the_menu_stays_in_its_site() -> None:
    host = plain_host()
    for site in SITES:
        for n in range(4, 8):
            host[f"/{site}/p{n}"] = [("div#small", [*top(site)[:3], f"/{site}/p4"])]
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_a_section_without_the_menu_that_its_site_leads_to_is_its() -> None:
    host = plain_host()
    for site in SITES:
        host[f"/{site}/guide"].append(("div#pages", [f"/{site}/p{n}" for n in range(5, 8)]))
        for n in range(5, 8):
            host[f"/{site}/p{n}"] = [("p#back", [f"/{site}/guide", f"/{site}/p4"])]
    assert apart(mined(host))


def test_menus_of_sections_have_their_place_and_order() -> None:
    host = plain_host()
    local = {site: [f"/{site}/p{n}" for n in (2, 0, 3, 1)] for site in SITES}
    for site in SITES:
        for name in [f"/{site}/guide", *local[site]]:
            host[name].append(("div#local", local[site]))
    found = mined(host)
    for site in SITES:
        (menu,) = [menu for menu in found.menus if addresses(menu) == local[site]]
        assert menu.parent == main_of(found, site).id
        assert menu.level == 2


def test_a_bar_that_lists_all_sites_joins_none() -> None:
    """Their templates tell them apart: each has its menu in a place of its own."""
    host = plain_host()
    for name, lists in host.items():
        site = name.split("/")[1]
        lists[0] = (f"div#{site}", top(site))
        lists.insert(0, ("header#sites", [top(each)[0] for each in SITES]))
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def barred_host() -> dict[str, Lists]:
    """All sites by one template: a bar on top lists them, and logos lead to their first pages."""
    host = plain_host()
    for name, lists in host.items():
        site = name.split("/")[1]
        lists.insert(0, ("div#logo", [f"/{site}/", f"/{site}/"]))
        lists.insert(0, ("header#sites", [top(each)[0] for each in SITES]))
    return host


def test_a_bar_that_lists_all_sites_of_one_template_joins_none() -> None:
    """Each has a link to its own first page besides its menu."""
    found = mined(barred_host())
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_a_bar_that_lists_some_of_the_sites_joins_none() -> None:
    host = barred_host()
    for lists in host.values():
        lists[0] = ("header#sites", [*(top(each)[0] for each in SITES[:3]), "/red/help"])
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_a_bar_that_lists_books_without_a_menu_too_joins_none() -> None:
    """Nearly half of the pages are chapters that lead home and to the next one alone."""
    books = ("atlas", "diary")
    bar = [top(each)[0] for each in SITES] + [f"/{book}/" for book in books]
    host = barred_host()
    for book in books:
        for n in range(22):
            on = [f"/{book}/", f"/{book}/ch{n + 1}"]
            host[f"/{book}/ch{n}"] = [("header", bar), ("p#on", on), ("p#text", [f"/{book}/n{n}"])]
        host[f"/{book}/"] = [("header", bar), ("p#on", [f"/{book}/ch0", f"/{book}/ch1"])]
    for lists in host.values():
        lists[0] = ("header#sites", bar)
    assert apart(mined(host))


def test_a_main_menu_whose_sections_all_have_menus_makes_one_site() -> None:
    """Sections repeat nothing of their own but their menus."""
    host = plain_host()
    for lists in host.values():
        lists.insert(0, ("div#logo", ["/", "/"]))
        lists.insert(0, ("header#sections", ["/", *(top(each)[0] for each in SITES)]))
    host["/"] = [("header#sections", ["/", *(top(each)[0] for each in SITES)])]
    found = mined(host)
    (site,) = found.sites
    assert site.main_menu is not None
    assert len(found.menus[site.main_menu].items) == len(SITES) + 1
    assert len(found.menus) == len(SITES) + 1


def test_one_link_by_chance_from_each_site_to_another_joins_none() -> None:
    """Pages have hardly a link of their own, so that one is much; it leads on to the next site."""
    host = barred_host()
    for at, site in enumerate(SITES):
        host[f"/{site}/p3"].append(("p#text", [f"/{SITES[(at + 1) % len(SITES)]}/p5"]))
    assert apart(mined(host))


def test_what_a_bar_leads_to_makes_no_footer_a_menu() -> None:
    """By the bar all first pages lead to each other, also those that some footers name."""
    host = barred_host()
    for name, lists in host.items():
        if name.split("/")[1] in SITES[:2]:
            lists.append(("footer#big", ["/blue/", "/grey/", "/green/"]))
    found = mined(host)
    assert apart(found)
    assert all_main_menus_are_right(found)


def test_an_item_of_two_menus_in_the_same_place_belongs_to_both() -> None:
    """Where a section's menu replaces the main one, its first page stands in both."""
    host: dict[str, Lists] = {
        name: [("nav#main", top(site))] for site in SITES for name in names(site, 20)
    }
    local = {site: [f"/{site}/guide", *(f"/{site}/p{n}" for n in range(4))] for site in SITES}
    for site in SITES:
        for n in range(14):
            host[f"/{site}/p{n}"] = [("nav#main", local[site])]
        for n in range(14, 20):  # the home page stands in no list of the section
            host[f"/{site}/p{n}"] = [("nav#main", top(site)), ("p#also", [f"/{site}/p{n - 14}"])]
    menus = [addresses(menu) for menu in mined(host).menus]
    for site in SITES:
        assert top(site) in menus
        assert local[site] in menus


@pytest.mark.parametrize("place", ["table#days", "nav#main"])
def test_a_calendar_before_the_main_menu_is_none_nor_a_part_of_it(place: str) -> None:
    host = plain_host()
    for name, lists in host.items():
        site = name.split("/")[1]
        lists.insert(0, (place, [f"/{site}/?day={n}" for n in range(1, 9)]))
    assert all_main_menus_are_right(mined(host))


def test_a_logo_that_leads_to_a_page_nobody_brought_joins_no_sites() -> None:
    """The front page of a host to which all its sites lead, for example."""
    host: dict[str, Lists] = {
        name: [("div#logo", ["/"]), *lists, ("div#text", [f"{name}/a", f"{name}/b"])]
        for name, lists in plain_host().items()
    }
    assert apart(mined(host))
