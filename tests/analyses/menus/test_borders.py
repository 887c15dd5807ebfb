"""Which lists make a site and which are bridges between several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import BASE, host_of, page_html

from webgeist.analyses.menus.borders import Borders
from webgeist.analyses.menus.host import Gathering
from webgeist.analyses.menus.lists import find_lists
from webgeist.analyses.menus.parse import parse_html

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webgeist.analyses.menus.host import Host

Lists = list[tuple[str, "Sequence[int]"]]


def borders(host: Host) -> list[set[int]]:
    """The sites, by the numbers in their pages' names."""
    found = Borders(host, find_lists(host)).run()
    return sorted(({*map(int, _names(host, each.pages))} for each in found if each.pages), key=min)


def _names(host: Host, pages: set[int]) -> list[str]:
    return [host.urls[page].rpartition("/")[2] for page in pages]


def named(pages: Mapping[str, Sequence[tuple[str, Sequence[str]]]]) -> Host:
    gathering = Gathering()
    for name, lists in pages.items():
        gathering.add(parse_html(BASE + name, page_html(*lists)))
    return gathering.host()


def test_pages_with_the_same_menu_are_a_site() -> None:
    pages = {n: [("nav#a", [0, 1, 2])] for n in range(5)}
    pages |= {n: [("nav#a", [10, 11, 12])] for n in range(10, 15)}
    assert borders(host_of(pages)) == [set(range(5)), set(range(10, 15))]


def test_a_menu_whose_pages_all_are_missing_makes_a_site() -> None:
    assert borders(host_of({n: [("nav#a", [90, 91, 92])] for n in range(5)})) == [set(range(5))]


def book(folder: Sequence[str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Chapters of ten pages; all lead home at the foot, and up to their chapter."""
    pages: dict[str, list[tuple[str, list[str]]]] = {}
    for chapter, where in enumerate(folder):
        for n in range(10):
            up = f"/{where}{chapter * 10}"
            pages[f"{where}{chapter * 10 + n}"] = [
                ("div#up", [up, up]),
                ("div#home", ["/99", "/98"]),
            ]
    return pages


def test_chapters_in_one_folder_are_one_book_though_its_first_page_is_missing() -> None:
    assert borders(named(book(["", "", ""]))) == [set(range(30))]


def test_books_in_folders_of_their_own_below_a_missing_portal_are_apart() -> None:
    found = borders(named(book(["a/", "b/", "c/"])))
    assert found == [set(range(start, start + 10)) for start in (0, 10, 20)]


def test_books_that_refer_to_each_other_are_one_site() -> None:
    pages = book(["a/", "b/", "c/"])
    for n, (name, lists) in enumerate(pages.items()):
        other = list(pages)[(n + 10) % 30]
        lists.insert(1, ("p#text", [f"/{other}", f"/{name}?print"]))
    assert borders(named(pages)) == [set(range(30))]


def test_a_page_that_lists_all_sites_joins_none_of_them() -> None:
    pages: dict[int, Lists] = {}
    for site in range(3):
        menu = [site * 10 + n for n in range(4)]
        for n in range(9):
            pages[site * 10 + n] = [("nav#a", menu), ("footer#f", [99])]
    pages[99] = [("div#list", [0, 10, 20])]
    host = host_of(pages)
    found = borders(host)
    assert [each - {99} for each in found if each != {99}] == [
        set(range(start, start + 9)) for start in (0, 10, 20)
    ]


def test_a_bridge_is_remembered() -> None:
    pages: dict[int, Lists] = {}
    for site in range(3):
        menu = [site * 10 + n for n in range(4)]
        for n in range(9):
            pages[site * 10 + n] = [("nav#a", menu), ("footer#f", [97, 98, 99])]
    for n in (97, 98, 99):
        pages[n] = [("footer#f", [97, 98, 99])]
    host = host_of(pages)
    found = Borders(host, find_lists(host))
    found.run()
    (bridge,) = found.bridges
    assert {host.targets[item].rpartition("/")[2] for item in bridge.items} == {"97", "98", "99"}


def test_sections_that_lead_up_before_the_menu_are_one_site() -> None:
    """As a blog and a manual do that have nothing of their own but the way back."""
    menu = ["/start/5", "/blog/10", "/manual/30", "/get/6"]
    away = [f"https://other.example/{name}" for name in ("home", "licence", "thanks")]
    pages = {
        f"{part}/{n}": [("div#bar", [f"/{part}/{first}", *away]), ("nav#a", menu)]
        for part, first in (("blog", 10), ("manual", 30))
        for n in range(first, first + 15)
    }
    pages |= {name: [("div#bar", away), ("nav#a", menu)] for name in ("start/5", "get/6")}
    assert borders(named(pages)) == [{5, 6, *range(10, 25), *range(30, 45)}]
