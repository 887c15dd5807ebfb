"""What is the same key, what is another one, and what is none."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.errors import UsageError
from webgeist.scrape.keys import check_name, make_key, normalised

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A  name\n of\tthree ", "A name of three"),
        ("caf\u00e9", "cafe\u0301"),
        (3, 3.0),
        (0.0, -0.0),
        ((1, "a"), [1, "a"]),
        ({"a": 1, "b": [2.0]}, {"b": (2,), "a": 1}),
        ("\u00a0padded\u2003", "padded"),
        (dt.date(2026, 3, 2), "2026-03-02"),
    ],
)
def test_the_same(one: object, other: object) -> None:
    assert make_key("B", [one]) == make_key("B", [other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["a"], ["A"]),
        ([3], ["3"]),
        ([1], [True]),
        ([0], [False]),
        ([None], [""]),
        ([None], ["null"]),
        (["a", "b"], ["b", "a"]),
        (["a", "b"], ["ab"]),
        (["a", "b"], [["a", "b"]]),
        ([{}], [[]]),
        ([0.1], [0.2]),
        (["a"], ["a", None]),
    ],
)
def test_not_the_same(one: list[object], other: list[object]) -> None:
    assert make_key("B", one).digest != make_key("B", other).digest


def test_ancestors_are_part_of_a_key() -> None:
    ada, bob = make_key("Author", ["Ada"]), make_key("Author", ["Bob"])
    alone = make_key("Paper", ["On keys"])
    keys = {alone.digest, *(make_key("Paper", ["On keys"], [each]).digest for each in (ada, bob))}
    assert len(keys) == 3


def test_ancestors_count_with_theirs_and_in_any_order() -> None:
    city, country = make_key("City", ["Ulm"]), make_key("Country", ["DE"])
    there = make_key("Place", ["x"], [make_key("City", ["Ulm"], [country])])
    assert there != make_key("Place", ["x"], [city])
    both = make_key("Place", ["x"], [city, country])
    assert both == make_key("Place", ["x"], [country, city])
    assert json.loads(both.parts) == {
        "key": ["x"],
        "within": {"City": {"key": ["Ulm"]}, "Country": {"key": ["DE"]}},
    }


@given(JSON)
def test_normalising_twice_changes_nothing(value: Any) -> None:
    once = normalised(value)
    assert normalised(once) == once
    assert json.loads(json.dumps(once)) == once


@given(JSON, JSON)
def test_keys_agree_exactly_where_normal_forms_do(one: Any, other: Any) -> None:
    same = json.dumps(normalised(one), sort_keys=True) == json.dumps(
        normalised(other), sort_keys=True
    )
    assert (make_key("B", [one]).digest == make_key("B", [other]).digest) == same


ITSELF: list[object] = []
ITSELF.append(ITSELF)


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, b"bytes", float("nan"), float("inf"), {1: 2}, ITSELF, "\ud800", lambda: 1],
    ids=lambda value: type(value).__name__,
)
def test_no_key(value: object) -> None:
    with pytest.raises(UsageError, match="cannot be part of a key") as caught:
        make_key("B", [value])
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201, 7, None, "\x1b[2J"])
def test_no_name(name: object) -> None:
    with pytest.raises(UsageError, match="name of a block"):
        check_name("block", name)


@pytest.mark.parametrize("name", ["Author", "Größe 2", "作者", "x" * 200])
def test_a_name(name: str) -> None:
    assert check_name("block", name) == name
