"""Hosts that are large or wild in one way each: they are answered, and the answer is right."""

from __future__ import annotations

import random

import pytest
from tests.analyses.menus.hosts import BASE, host_of, page_html

from webgeist.analyses.menus.cliques import Finder
from webgeist.analyses.menus.mining import mine_menus


@pytest.mark.slow
def test_ten_thousand_pages_that_are_the_same() -> None:
    html = page_html(("nav#m", [f"/{n}" for n in range(10)]), ("footer#f", ["/x", "/y"]))
    pages = {f"{BASE}{n}": html for n in range(10_000)}
    mined = mine_menus(pages.items())
    assert [len(site.pages) for site in mined.sites] == [10_000]
    assert len(mined.menus[0].items) == 10


@pytest.mark.slow
def test_a_farm_of_pages_that_all_link_each_other() -> None:
    links = [f"/{n}" for n in range(400)]
    pages = {BASE + link[1:]: page_html(("p#x", links)) for link in links}
    for method in ("template", "paper"):
        mined = mine_menus(pages.items(), method=method)
        assert [len(site.pages) for site in mined.sites] == [400]


def test_dense_noise_is_bounded() -> None:
    chance = random.Random(11)
    pages = {
        p: [("p", [q for q in range(40) if chance.random() < 0.8]) for _ in range(3)]
        for p in range(40)
    }
    host = host_of(pages)
    for clique in Finder(host).run():
        for page, segment in clique.members.items():
            targets = host.segments[segment].targets
            assert all(other in targets for other in clique.members if other != page)
