"""Page numbers whose addresses say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.blocks.test_sequence import link

from webgeist.analyses.blocks.opaque import opaque_pages

if TYPE_CHECKING:
    from webgeist.analyses.blocks.link import Link


def run(*numbers: int, **known: object) -> list[Link]:
    given = {"agrees": False, "page_word": False, "near": False, "step": None}
    pages = [
        link(n, "none", **({"target": f"https://example.org/list-{n * 7919:x}"} | given | known))
        for n in numbers
    ]
    return [*pages, link(99, "none", text="»", notes={"ARROW"}, number=None, **given)]


def test_numbers_that_go_up_around_the_current_page() -> None:
    assert [each.number for each in opaque_pages(run(1, 7, 8, 10, 11))] == [1, 7, 8, 10, 11]


def test_without_a_gap_or_an_arrow_they_may_be_anything() -> None:
    assert opaque_pages(run(1, 2, 3, 4, 5)) == []
    assert opaque_pages(run(1, 7, 8, 10, 11)[:-1]) == []


def test_years_and_what_stands_aside_are_none() -> None:
    assert opaque_pages(run(2001, 2002, 2003, 2005)) == []
    assert opaque_pages(run(1, 7, 8, 10, 11, notes={"NUMBER", "HELD_ASIDE"})) == []


def test_few_numbers_or_one_place_for_all_are_none() -> None:
    assert opaque_pages(run(1, 2, 4)) == []
    assert opaque_pages(run(1, 7, 8, 10, 11, target="https://example.org/list")) == []
