"""Hosts that are made up: what they say of their menus is on their pages, and mining finds it."""

from __future__ import annotations

import pytest
from benchmarks.menus_made import judge
from benchmarks.menus_worlds import (
    FORMS,
    HOST,
    PLACES,
    SELVES,
    Known,
    Style,
    World,
    without,
    world,
)

from webgeist.analyses.menus.parse import parse_html


def test_the_same_number_gives_the_same_host() -> None:
    assert world(7).pages == world(7).pages != world(8).pages


def test_every_page_has_the_items_of_its_menus() -> None:
    made = world(5, sites=6)
    for known in made.menus:
        for url in known.pages:
            shown = {link.url for link in parse_html(url, made.pages[url]).links.values()}
            assert set(known.items) - {url} <= shown


def test_what_is_missing_is_missing_everywhere() -> None:
    made = without(world(5), 0.5)
    assert len(made.pages) == round(len(world(5).pages) / 2)
    assert all(known.pages <= set(made.pages) for known in made.menus)
    assert all(url.startswith(HOST) for url in made.pages)


# What unfolds in a menu of two lists may be in both: then it is not found as one.
KINDS = [
    (form, place) for form in FORMS for place in PLACES if (form, place) != ("groups", "among")
]


@pytest.mark.parametrize(("form", "place"), KINDS)
def test_menus_of_every_form_are_found_exactly(form: str, place: str) -> None:
    for seed, current in enumerate(SELVES):
        judged = judge(world(seed, sites=4, style=Style(form, place, current, frozenset())))
        assert all(judged["right"].values())
        assert judged["extra"] <= 1  # the footer is the menu of the pages that it leads to


def test_in_all_kinds_of_trouble_nearly_all_menus_are_right() -> None:
    judged = [judge(world(seed)) for seed in range(2_000, 2_004)]
    right = [right for each in judged for right in each["right"].values()]
    assert sum(right) >= 0.95 * len(right)


def test_sites_that_lead_to_each_other_keep_their_menus() -> None:
    crossed = world(3, sites=6, crossed=True)
    assert f"{HOST}/" in crossed.pages
    assert set(crossed.pages) - set(world(3, sites=6).pages) == {f"{HOST}/"}
    judged = judge(crossed)
    assert sum(judged["right"].values()) >= 0.9 * len(judged["right"])
    assert judged["adjusted"] >= 0.9


def test_a_menu_in_another_order_is_not_right() -> None:
    made = world(1, sites=3, style=Style("list", "aside", "link", frozenset()))
    assert all(judge(made)["right"].values())
    turned = [Known(k.site, k.items[::-1], k.pages, main=k.main) for k in made.menus]
    assert not any(judge(World(made.pages, made.site_of, turned, made.styles))["right"].values())
