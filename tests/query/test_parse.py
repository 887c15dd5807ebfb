"""A whole query: its parts, and the rows that it turns out to be about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.parse import parse
from webgeist.query.schema import schema
from webgeist.query.tree import EVERYTHING, Order, Related, Sample

if TYPE_CHECKING:
    from webgeist.query.tree import Query
    from webgeist.repository.release import Release


def _query(release: Release, query: Any, scope: str | None = None) -> Query:
    return parse(schema(release), query, scope)


def test_without_anything_it_is_about_pages(release: Release) -> None:
    found = _query(release, {})
    assert (found.scope.name, found.where, found.limit) == ("@page", EVERYTHING, None)


@pytest.mark.parametrize("scope", ["@dom", "dom", "nodes", "@nodes"])
def test_an_endpoint_is_a_scope(release: Release, scope: str) -> None:
    assert _query(release, {}, scope).scope.name == "@dom"
    assert _query(release, {"$from": "@visual"}, scope).scope.name == "@visual"


def test_parts_have_their_values(release: Release) -> None:
    found = _query(
        release,
        {
            "from": "@dom",
            "select": ["x", "node"],
            "order": ["-x", {"node": "asc"}],
            "limit": 5,
            "sample": 0.5,
        },
    )
    assert found.order == (Order("x", True), Order("node", False))
    assert (found.limit, found.sample) == (5, Sample(0.5, ""))


def test_a_column_that_begins_with_a_minus(release: Release) -> None:
    query = {"$from": "@dom", "$select": [{"-x": "x"}], "$order": "-x"}
    assert _query(release, query).order == (Order("-x", False),)


def test_rows_that_are_all_of_another_scope_are_asked_for_instead(release: Release) -> None:
    found = _query(release, {"$where": {"host": "x"}, "$select": ["@dom.name", "@dom.x"]})
    assert found.scope.name == "@dom"
    assert isinstance(found.where, Related)
    assert found.where.scope.name == "@page"
    both = _query(release, {"$select": ["@dom.name", "url"]})
    assert both.scope.name == "@page"


@pytest.mark.parametrize(
    ("query", "place", "words"),
    [
        ([], "", "a JSON object"),
        ({"$froom": 1}, "$froom", "no part"),
        ({"limit": 1, "$limit": 2}, "$limit", "twice"),
        ({"$from": 1}, "$from", "a text"),
        ({"$where": {}}, "$where", "no condition"),
        ({"$where": []}, "$where", "no condition"),
        ({"$where": 1}, "$where", "an object of conditions"),
        ({"$limit": -1}, "$limit", "from 0"),
        ({"$limit": 1.5}, "$limit", "whole number"),
        ({"$sample": 0}, "$sample", "more than 0"),
        ({"$sample": 1.1}, "$sample", "at most 1"),
        ({"$sample": {"seed": "a"}}, "$sample", "needs"),
        ({"$sample": {"share": 0.5, "seed": 1}}, "$sample.seed", "a text"),
        ({"$order": "nothing"}, "$order[0]", "no column"),
        ({"$order": {"url": "up"}}, "$order[0]", "asc or desc"),
        ({"$order": {"url": True}}, "$order[0]", "asc or desc"),
        ({"$compare": 1}, "$compare", "true or false"),
        ({"$compare": True, "$where": {"nodes": 1}}, "$compare", "only distributions"),
        ({"$compare": True, "$top": "host"}, "$compare", "which part"),
        ({"$fetch": "nodes"}, "$fetch", "no texts"),
        ({"$fetch": 1}, "$fetch", "a text"),
    ],
)
def test_mistakes_have_a_place(release: Release, query: Any, place: str, words: str) -> None:
    with pytest.raises(QueryError, match=words) as caught:
        _query(release, query)
    assert (caught.value.where or "") == place
