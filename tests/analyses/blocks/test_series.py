"""Arithmetic with addresses."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.series import find_series

HOST = "https://example.org"


def steps(
    here: str, targets: list[str], texts: list[int | None] | None = None
) -> list[float | None]:
    numbers = {k: [v] for k, v in enumerate(texts or []) if v is not None}
    links = {
        k: target if "script:" in target else HOST + target for k, target in enumerate(targets)
    }
    found = find_series(links, numbers, HOST + here)
    return [found.of[k].step(k) if k in found.of else None for k in links]


@pytest.mark.parametrize(
    ("here", "targets", "texts", "expected"),
    [
        ("/list", ["/list?page=2", "/list?page=3"], [2, 3], [1, 2]),
        ("/list?page=2", ["/list?page=1", "/list?page=3"], [1, 3], [-1, 1]),
        ("/list?page=1", ["/list?page=0", "/list?page=2"], [1, 3], [-1, 1]),
        ("/list?q=a", ["/list?q=a&start=20", "/list?q=a&start=40"], [2, 3], [1, 2]),
        ("/list?start=20&q=a", ["/list?q=a&start=0", "/list?q=a&start=40"], [1, 3], [-1, 1]),
        ("/list/", ["/list/page/2/", "/list/page/3/"], [2, 3], [1, 2]),
        ("/list/page/7/", ["/list/page/6/", "/list/page/8/"], [None, None], [-1, 1]),
        ("/list.html", ["/list-2.html", "/list-3.html"], [2, 3], [1, 2]),
        ("/Pokedex", ["/Pokedex-2", "/Pokedex-3"], [2, 3], [1, 2]),
        ("/f26.html", ["/f26-25.html", "/f26-50.html"], [2, 3], [1, 2]),
        ("/board", ["/board?page=1"], [None], [1]),
        ("/list?offset=40", ["/list?offset=20", "/list?offset=60"], [None, None], [-1, 1]),
        ("/list/page/2/", ["/list/", "/list/page/3/"], [None, None], [-1, 1]),
        ("/list?paged=3", ["/list", "/other"], [None, None], [-2, None]),
        # pagers that drop a parameter of this page's address
        ("/list?page=5&from=mail", ["/list?page=4", "/list?page=6"], [4, 6], [-1, 1]),
        # the first page has numbers of its own
        ("/cat_103.html?p=9", ["/cat_103.html", "/cat_103.html?p=10"], [None, 10], [-8, 1]),
        ("/list?start=40", ["/list", "/list?start=20"], [1, 2], [-2, -1]),
    ],
)
def test_steps_from_here(
    here: str, targets: list[str], texts: list[int | None], expected: list[float]
) -> None:
    assert steps(here, targets, texts) == expected


def test_another_list_is_not_near() -> None:
    links = {0: f"{HOST}/thread/9?page=2", 1: f"{HOST}/thread/9?page=3"}
    found = find_series(links, {0: [2], 1: [3]}, f"{HOST}/forum")
    assert not found.of[0].near
    assert found.of[0].agreeing == {0, 1}
    assert found.of[0].step(0) is None


def test_scripts_are_addresses_too() -> None:
    links = {k: f"script:goPage({k + 1})" for k in range(3)}
    found = find_series(links, {k: [k + 1] for k in range(3)}, f"{HOST}/list")
    assert found.of[2].agreeing == {0, 1, 2}


def test_links_to_the_page_itself() -> None:
    links = {0: f"{HOST}/list#top", 1: f"{HOST}/list/", 2: f"{HOST}/other"}
    assert find_series(links, {}, f"{HOST}/list").same == {0, 1}


def test_days_are_no_pages() -> None:
    links = {k: f"{HOST}/2016/01/{k:02}" for k in range(1, 9)}
    found = find_series(links, {k: [k] for k in links}, f"{HOST}/2016/01")
    assert found.of[3].word == "date"
    links = {k: f"{HOST}/?m=2016030{k}" for k in range(1, 9)}
    found = find_series(links, {k: [k] for k in links}, f"{HOST}/")
    assert not found.of[3].agreeing


def test_addresses_without_numbers_and_wrong_ones() -> None:
    links = {
        0: f"{HOST}/a",
        1: "mailto:x@example.org",
        2: "http://[",
        3: "https://example.org/?" + "1" * 3000,
    }
    assert find_series({k: v for k, v in links.items() if k != 2}, {}, f"{HOST}/").of.keys() <= {
        0,
        1,
        3,
    }


def test_large_numbers_that_nobody_says_are_things_and_no_pages() -> None:
    posts = find_series({0: f"{HOST}/?p=128290", 1: f"{HOST}/?p=128301"}, {}, f"{HOST}/?cat=1")
    assert not posts.of[0].names_pages
    pages = find_series({0: f"{HOST}/?p=2", 1: f"{HOST}/?p=3"}, {}, f"{HOST}/")
    assert pages.of[0].names_pages


def test_what_says_another_number_is_not_the_first_page() -> None:
    here, targets = "/list?limit=15&p=3", ["/list?limit=15", "/list?limit=15&p=2"]
    assert steps(here, targets, [1, 2]) == [-2, -1]
    assert steps(here, targets, [15, 2])[0] != -2
