"""Numbers in all forms that pagers use."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.annotators.numbers import numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("[ 12 ]", 12),
        ("٣", 3),
        ("१२", 12),
        ("３", 3),
        ("③", 3),
        ("⑩", 10),
        ("2k", 2000),
        ("1,234", 1234),
        ("two", 2),
        ("drei", 3),
        ("IV", 4),
        ("xii", 12),
        ("二十三", 23),
        ("第3页", 3),
        ("2nd", 2),
        ("11-20", 11),
        ("11 – 20", 11),
        ("3 of 9", 3),
    ],
)
def test_a_number_is_read(text: str, value: float) -> None:
    assert value in [number.value for number in numbers(text)]


@pytest.mark.parametrize(
    "text", ["", "Next", "A", "I", "V", "page one more", "12:30", "3 days ago", "x" * 500, "²" * 80]
)
def test_anything_else_is_none(text: str) -> None:
    assert numbers(text) == ()


def test_what_can_be_read_in_two_ways_is_read_in_both() -> None:
    assert {number.value for number in numbers("1.234")} == {1234, 1.234}


def test_a_range_has_its_end() -> None:
    (number,) = numbers("21-40")
    assert (number.value, number.last, number.form) == (21, 40, "range")


def test_numbers_beyond_all_pages_are_none() -> None:
    assert numbers("9" * 20) == ()
