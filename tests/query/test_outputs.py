"""Counts and aggregates: a row that stands for several counts as often."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any

import pytest
from tests.query.naive import World

from webgeist.query.ask import ask, explain

if TYPE_CHECKING:
    from webgeist.repository.release import Release


@pytest.fixture(scope="module")
def styles(release: Release) -> list[dict[str, Any]]:
    return World.of(release).rows["@styles"]


def _one(release: Release, **said: Any) -> Any:
    query = {"$from": "@styles"} | {f"${key}": value for key, value in said.items()}
    (row,) = ask(release, query).rows()
    (value,) = row.values()
    return value


def _numbers(styles: list[dict[str, Any]]) -> list[float]:
    return [row["opacity_value"] for row in styles if row["opacity_value"] is not None]


def test_styles_are_counted_by_their_nodes_without_reading_those(
    release: Release, styles: list[dict[str, Any]]
) -> None:
    assert _one(release, count=1) == len(styles)
    assert _one(release, count="cursor") == sum(row["cursor"] is not None for row in styles)
    query = {"$from": "@styles", "$where": {"cursor": "auto"}, "$count": 1}
    assert "nodes" not in explain(release, query).tables
    (row,) = ask(release, query).rows()
    assert row["count"] == sum(row["cursor"] == "auto" for row in styles)


@pytest.mark.parametrize(
    ("name", "compute"), [("avg", statistics.fmean), ("sum", math.fsum), ("min", min), ("max", max)]
)
def test_aggregates_weigh_what_stands_for_several(
    release: Release, styles: list[dict[str, Any]], name: str, compute: Any
) -> None:
    assert _one(release, **{name: "opacity_value"}) == pytest.approx(compute(_numbers(styles)))


def test_quantiles_are_of_rows(release: Release, styles: list[dict[str, Any]]) -> None:
    found = _one(release, quantile={"of": "opacity_value", "q": 0.5})
    assert found == pytest.approx(statistics.median(_numbers(styles)))


def test_of_nothing_there_is_no_average_and_no_one(release: Release) -> None:
    nothing = {"cursor": "no such cursor"}
    assert _one(release, where=nothing, count=1) == 0
    assert _one(release, where=nothing, count="cursor") == 0
    assert _one(release, where=nothing, avg="opacity_value") is None
    assert _one(release, where=nothing, max="opacity_value") is None


def test_groups_of_styles(release: Release, styles: list[dict[str, Any]]) -> None:
    query = {"$from": "@styles", "$group": ["cursor"], "$select": [{"$count": 1}]}
    found = {row["cursor"]: row["count"] for row in ask(release, query).rows()}
    assert sum(found.values()) == len(styles)
    for cursor, count in found.items():
        assert count == sum(row["cursor"] == cursor for row in styles)
