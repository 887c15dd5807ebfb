from __future__ import annotations

from benchmarks.menus_campus import plain
from benchmarks.menus_campus_pages import campus
from benchmarks.menus_campus_sites import LOCALS, SITES

from webgeist.analyses.menus.parse import parse_html


def test_a_campus_has_so_many_menus_and_its_number_says_all() -> None:
    one, same, other = campus(7), campus(7), campus(8)
    assert one.pages == same.pages != other.pages
    assert len({*one.site_of.values()}) == SITES
    assert sum(known.main for known in one.menus) == SITES
    assert len(one.menus) == SITES + LOCALS


def test_pages_of_a_main_menu_show_its_items() -> None:
    made = campus(7, shared="nothing")
    for known in made.menus:
        if known.main and "variant" not in made.troubles[known.site]:
            page = known.pages[-1]
            links = {
                plain(a.url) for a in parse_html(page, made.pages[page]).links.values() if a.url
            }
            assert sum(plain(item) not in links for item in known.items) <= 1  # its own is plain


def test_missing_pages_are_no_pages_of_menus_either() -> None:
    made = campus(7, missing=0.5)
    assert made.pages.keys() == made.site_of.keys()
    assert all(made.pages.keys() >= {*known.pages} for known in made.menus)
