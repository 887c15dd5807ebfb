"""Links between articles have labels of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.analyses.blocks.test_pagination import found
from tests.analyses.blocks.test_sequence import link

from webgeist.analyses.blocks.articles import article_label
from webgeist.analyses.blocks.sequence import check

if TYPE_CHECKING:
    from webgeist.analyses.blocks.link import Link


def neighbour(text: str, *notes: str, **known: object) -> Link:
    given = {"page_word": False, "agrees": False, "near": False, "step": None, "number": None}
    return link(7, "none", text=text, notes=notes, **(given | known))


@pytest.mark.parametrize(
    ("text", "notes", "label"),
    [
        ("Next post", ("NEXT", "ITEM"), "next-article"),
        ("Previous article", ("PREVIOUS", "ITEM"), "previous-article"),
        ("How big is green? »", ("ARROW_BESIDE", "OWN_NEXT"), "next-article"),
        ("« A day at the sea", ("ARROW_BESIDE", "OWN_PREVIOUS"), "previous-article"),
    ],
)
def test_by_a_word_or_a_title(text: str, notes: tuple[str, ...], label: str) -> None:
    assert article_label(neighbour(text, *notes), numbered=False) == label


@pytest.mark.parametrize(
    ("text", "notes", "known"),
    [
        ("Next", ("NEXT", "NEXT_ONLY"), {}),
        ("The calm before the storm", ("NEXT", "NEXT_AMID"), {"path": "other"}),
        ("Next page", ("NEXT", "PAGE", "NEXT_ONLY"), {}),
        ("Next month", ("NEXT", "ITEM", "TIME"), {}),
        ("Next post", ("NEXT", "ITEM"), {"target": None}),
        ("Next post", ("NEXT", "ITEM"), {"near": True, "page_word": True, "step": 1.0}),
        ("Read all of this »", ("ARROW_BESIDE",), {}),
        ("A title of an article", ("ITEM",), {}),
    ],
)
def test_anything_else_is_none(text: str, notes: tuple[str, ...], known: dict[str, object]) -> None:
    assert article_label(neighbour(text, *notes, **known), numbered=False) is None


@pytest.mark.parametrize(
    ("known", "label"),
    [
        ({"path": "other", "target": "https://example.org/guide/setup.html"}, "next-article"),
        ({"path": "other", "target": "https://example.org/list?after=x"}, None),
        ({"path": "near", "target": "https://example.org/list/older"}, None),
        ({"path": "near", "word": "ch", "step": 1.0}, "next-article"),
        ({"near": True, "numbered": True, "word": "ch", "step": 1.0}, "next-article"),
        ({"near": True, "numbered": True, "word": "list", "step": 1.0}, None),
        ({"near": True, "numbered": True, "word": "list", "step": -1.0}, "next-article"),
        ({"path": "near", "word": "s", "frame": "//a.example/ch28s{}.html?"}, "next-article"),
        ({"path": "near", "word": "x", "frame": "//a.example/x{}.html?"}, "next-article"),
        ({"path": "near", "word": "p", "frame": "//a.example/p{}.html?"}, None),
        ({"path": "other", "notes": ("NEXT", "LABEL_PAGE")}, "next-article"),  # in a title
        ({"path": "near", "notes": ("NEXT", "LABEL_PAGE")}, None),
        ({"path": "near", "word": "ch", "step": 5.0}, None),
        (
            {"near": True, "page_word": True, "step": -29.0, "notes": ("NEXT", "ITEM")},
            "next-article",
        ),  # the number of an article
        (
            {"near": True, "word": "nr", "step": 1.0, "notes": ("NEXT", "ITEM", "RESULTS")},
            "next-article",
        ),  # articles are counted, and said to be results elsewhere
    ],
)
def test_by_where_it_leads(known: dict[str, Any], label: str | None) -> None:
    given: dict[str, Any] = {"target": "https://example.org/guide/setup.html"} | known
    notes = given.pop("notes", ("NEXT", "NEXT_ONLY"))
    assert article_label(neighbour("Next", *notes, **given), numbered=False) == label


def test_among_page_numbers_only_its_words_make_it_an_article() -> None:
    title = neighbour("How big is green? »", "ARROW_BESIDE", "OWN_NEXT")
    assert article_label(title, numbered=True) is None
    assert article_label(neighbour("Next thread", "NEXT", "ITEM"), numbered=True) == "next-article"


def test_an_articles_neighbours_are_listed_and_not_followed() -> None:
    answer = found([("« Previous article", "/2026/old-ways"), ("Next article »", "/2026/new-ways")])
    assert [each.label for each in answer.links] == ["previous-article", "next-article"]
    assert not any(each.immediate for each in answer.links)
    assert answer.next is None


def test_beside_a_lists_own_pager_it_stays_a_list() -> None:
    pages = [(str(k), f"?page={k}") for k in range(2, 5)]
    answer = found([*pages, ("Next", "?page=2")])
    assert [each.label for each in answer.links] == ["page", "page", "page", "next"]


def test_a_number_that_counts_something_else_does_not_make_them_pages() -> None:
    comments = link(6, "none", target=None, current=True)
    newer = neighbour("", "OWN_NEXT", target="https://example.org/2026/snow.html", path="other")
    found = check([comments, replace(newer, run=comments.run, signs=(("next", 3.0),))])
    assert [each.label for each in found] == ["none", "next-article"]


def test_a_title_whose_address_has_a_number_is_an_article() -> None:
    notes = ("ARROW_BESIDE", "OWN_NEXT")
    counted = {"near": True, "page_word": True}
    title = neighbour("How big is green? »", *notes, **counted, step=31.0)
    assert article_label(title, numbered=False) == "next-article"
    assert article_label(replace(title, step=1.0), numbered=False) is None
