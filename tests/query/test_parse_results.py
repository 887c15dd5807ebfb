"""What a query wants of its rows, and what cannot be wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.parse import parse
from webgeist.query.schema import schema
from webgeist.query.tree import Distribution, Heatmap, Rows

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def _result(release: Release, **parts: Any) -> Any:
    query = {"$from": "@visual"} | {f"${name}": value for name, value in parts.items()}
    return parse(schema(release), query).result


@pytest.mark.parametrize(
    ("select", "names"),
    [
        (["x", "kind"], ["x", "kind"]),
        ({"x": 1, "kind": 1}, ["x", "kind"]),
        ([{"x": 1}, {"left": "x"}], ["x", "left"]),
        (["page_id"], ["page_id"]),
        ([{"$avg": "x"}, {"wide": {"$max": "width"}}], ["avg_x", "wide"]),
        ([{"$count": 1}, {"$count": "font"}], ["count", "count_font"]),
        ([{"@dom": ["name", "x"]}, "x"], ["name", "@dom.x", "@visual.x"]),
    ],
)
def test_names_of_columns(release: Release, select: Any, names: list[str]) -> None:
    found = _result(release, select=select)
    assert [output.name for output in found.outputs] == names


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({}, Rows),
        ({"count": 1}, Rows),
        ({"top": "kind"}, Distribution),
        ({"histogram": {"of": "x", "bins": 3}}, Distribution),
        ({"select": [{"$cdf": "x"}]}, Distribution),
        ({"heatmap": 1}, Heatmap),
    ],
)
def test_kinds_of_results(release: Release, parts: dict[str, Any], kind: type) -> None:
    assert isinstance(_result(release, **parts), kind)


@pytest.mark.parametrize(
    ("parts", "place", "words"),
    [
        ({"select": []}, "$select", "empty"),
        ({"select": [{"n": {"$count": "@dom"}}]}, "$select[0].n.$count", "is no column"),
        ({"select": [1]}, "$select[0]", "a column's name"),
        ({"select": [{}]}, "$select[0]", "a column's name"),
        ({"select": ["x", "x"]}, "$select", "two columns"),
        ({"select": ["x", {"$count": 1}]}, "$select", "neither in"),
        ({"select": [{"$top": "kind"}, "x"]}, "$select[0]", "stands alone"),
        ({"select": [{"x": {"$gt": 1}}]}, "$select[0].x.$gt", "an aggregate is needed"),
        ({"select": [{"x": 2}]}, "$select[0].x", "1 is needed"),
        ({"select": ["widht"]}, "$select[0]", "no column"),
        ({"select": [{"c": {"$avg": "x"}}] * 201}, "$select", "at most 200"),
        ({"distinct": []}, "$distinct", "empty"),
        ({"avg": "kind"}, "$avg", "is for numbers"),
        ({"max": "also"}, "$max", "lists and maps"),
        ({"quantile": {"of": "x", "q": 2}}, "$quantile.q", "from 0 to 1"),
        ({"quantile": {"q": 0.5}}, "$quantile", "needs"),
        ({"top": {"limit": 3}}, "$top.of", "needs"),
        ({"top": {"of": "x", "bins": 3}}, "$top.bins", "has no bins"),
        ({"top": "also"}, "$top", "lists or maps"),
        ({"top": {"of": "x", "limit": 0}}, "$top.limit", "from 1"),
        ({"histogram": "kind"}, "$histogram", "is for numbers"),
        ({"histogram": {"of": "x", "bins": 3, "width": 1}}, "$histogram", "either"),
        ({"histogram": {"of": "x", "width": 0}}, "$histogram.width", "more than 0"),
        ({"histogram": {"of": "x", "bins": 10_001}}, "$histogram.bins", "10,000"),
        ({"histogram": {"of": "x", "range": [2, 1]}}, "$histogram.range", "lower end first"),
        ({"histogram": {"of": "x", "range": [2]}}, "$histogram.range", "two numbers"),
        ({"heatmap": {"columns": 201}}, "$heatmap.columns", "from 1 to 200"),
        ({"heatmap": {"cells": 2}}, "$heatmap", "needs"),
        ({"group": []}, "$group", "empty"),
        ({"group": ["kind"], "select": ["x"]}, "$select", "neither in"),
        ({"count": 1, "top": "kind"}, "$top", "one result"),
    ],
)
def test_what_cannot_be_wanted(
    release: Release, parts: dict[str, Any], place: str, words: str
) -> None:
    with pytest.raises(QueryError, match=words) as caught:
        _result(release, **parts)
    assert caught.value.where == place


def test_boxes_are_needed_for_a_heat_map(release: Release) -> None:
    with pytest.raises(QueryError, match="no boxes"):
        parse(schema(release), {"$from": "@links", "$heatmap": 1})
