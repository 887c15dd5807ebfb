"""Links beside page numbers, told by their addresses alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.analyses.blocks.test_sequence import link

from webgeist.analyses.blocks.beside import beside_pages

UNKNOWN: dict[str, Any] = {"notes": set(), "agrees": False, "run": None}
BEFORE = link(9, "none", **UNKNOWN, step=-1.0)
AFTER = link(10, "none", **UNKNOWN, step=1.0)
PAGES = [link(1, step=-1.0), link(3, step=1.0)]


def labels(*links: Any) -> dict[int, str]:
    return {node: each.label for node, each in beside_pages(links).items()}


def test_before_and_after() -> None:
    assert labels(BEFORE, *PAGES, AFTER) == {9: "previous", 10: "next"}


def test_each_direction_has_its_side() -> None:
    assert labels(AFTER, *PAGES, BEFORE) == {}


def test_behind_another_of_the_series_it_is_still_beside() -> None:
    last = link(20, "none", **UNKNOWN, step=9.0)
    assert labels(*PAGES, last, AFTER) == {10: "next"}


def test_what_is_of_another_series_ends_it() -> None:
    other = link(20, "none", **UNKNOWN, step=None, frame="g")
    assert labels(*PAGES, other, AFTER) == {}
    assert labels(*PAGES, replace(AFTER, frame="g")) == {}


def test_what_was_decided_stays() -> None:
    assert labels(*PAGES, replace(AFTER, current=True)) == {}
    assert labels(*PAGES, replace(AFTER, label="last")) == {}
    assert labels(*PAGES, AFTER.now("page", "x").now("none", "it is no page")) == {}


def test_without_page_numbers_there_is_nothing_to_stand_beside() -> None:
    assert labels(BEFORE, AFTER) == {}
    assert labels(replace(PAGES[0], label="none"), AFTER) == {}
    assert labels(replace(PAGES[0], near=False), AFTER) == {}
