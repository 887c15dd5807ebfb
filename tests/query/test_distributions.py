"""Distributions in one step and in two are the same, and say what their columns are."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask, explain

if TYPE_CHECKING:
    from webgeist.repository.release import Release

SOME = {"$from": "@dom", "$where": {"depth": {"$gte": 0}}}


@pytest.mark.parametrize(
    ("result", "columns"),
    [
        ({"$top": "name"}, ["value", "count", "share"]),
        ({"$cdf": "name"}, ["value", "count", "share", "cumulated"]),
        ({"$histogram": "depth"}, ["low", "high", "count", "share"]),
        ({"$histogram": {"of": "depth", "width": 2}}, ["low", "high", "count", "share"]),
        ({"$top": "@styles.cursor"}, ["value", "count", "share"]),
    ],
)
def test_beside_everything_it_is_the_same(
    release: Release, result: dict[str, Any], columns: list[str]
) -> None:
    """What is compared takes another way: its own columns must not differ."""
    alone = ask(release, SOME | result).table
    beside = ask(release, SOME | result | {"$compare": True}).table
    assert alone.column_names == columns
    assert beside.column_names == [*columns, "count_all", "share_all"]
    assert beside.select(columns).to_pylist() == alone.to_pylist()
    assert beside["count"].to_pylist() == beside["count_all"].to_pylist()


def test_the_steps_of_a_histogram_touch(release: Release) -> None:
    for options in ({"width": 0.1}, {"bins": 7, "range": [0, 1]}, {"bins": 30}):
        query = {"$from": "@visual", "$histogram": {"of": "aspectRatio"} | options}
        rows = list(ask(release, query).rows())
        assert len(rows) > 1
        for one, following in pairwise(rows):
            assert one["low"] < one["high"] <= following["low"] + 1e-12


@pytest.mark.parametrize("result", [{"$top": "name"}, {"$histogram": {"of": "x", "width": 5}}])
def test_one_step_has_no_table_of_its_own(release: Release, result: dict[str, Any]) -> None:
    assert "WITH" not in explain(release, SOME | result).sql
    assert "WITH" in explain(release, SOME | result | {"$compare": True}).sql


def test_a_limit_is_of_the_rows_and_not_of_the_shares(release: Release) -> None:
    whole = list(ask(release, SOME | {"$cdf": "name"}).rows())
    cut = list(ask(release, SOME | {"$cdf": {"of": "name", "limit": 2}}).rows())
    assert cut == whole[:2]
    assert whole[-1]["cumulated"] == pytest.approx(1)


def test_another_order(release: Release) -> None:
    rows = list(ask(release, SOME | {"$top": "name", "$order": ["count", "value"]}).rows())
    assert rows == sorted(rows, key=lambda row: (row["count"], row["value"]))


def test_nothing_has_no_distribution(release: Release) -> None:
    none = {"$from": "@dom", "$where": {"depth": -1}}
    for result in (
        {"$top": "name"},
        {"$cdf": "x"},
        {"$histogram": "x"},
        {"$histogram": {"of": "x", "width": 1}},
    ):
        assert len(ask(release, none | result)) == 0


@pytest.mark.parametrize("by", ["low", "high"])
def test_steps_can_be_ordered_by_either_end(release: Release, by: str) -> None:
    query = {"$from": "@dom", "$histogram": {"of": "x", "width": 7.5}}
    plain = list(ask(release, query).rows())
    assert list(plain[0]) == ["low", "high", "count", "share"]
    assert all(row["high"] - row["low"] == pytest.approx(7.5) for row in plain)
    turned = list(ask(release, query | {"$order": f"-{by}", "$limit": 2}).rows())
    assert turned == plain[::-1][:2]


def test_steps_of_a_range_begin_where_it_does(release: Release) -> None:
    query = {"$from": "@dom", "$histogram": {"of": "x", "bins": 3, "range": [5, 20]}}
    for row in ask(release, query).rows():
        assert row["low"] in (5, 10, 15)
        assert row["high"] == row["low"] + 5
    assert ask(release, query | {"$where": {"node": -1}}).table.column_names == [
        *("low", "high"),
        *("count", "share"),
    ]
