"""Rows of a page that grows are given once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.scrape.program.following import overlap


@pytest.mark.parametrize(
    ("before", "now", "known"),
    [("", "ab", 0), ("ab", "abc", 2), ("abc", "bcd", 2), ("ab", "xy", 0), ("aa", "aaa", 2)],
)
def test_overlap(before: str, now: str, known: int) -> None:
    assert overlap(before, now) == known


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_a_page_that_only_grew_gives_what_is_new(before: list[int], new: list[int]) -> None:
    assert [*before, *new][overlap(before, [*before, *new]) :] == new
