"""Less is read for the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask, explain

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def _tables(release: Release, query: dict[str, Any]) -> set[str]:
    return set(explain(release, query).tables)


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        (
            {"$from": "@dom", "$where": {"@styles": {"cursor": "auto"}}, "$count": 1},
            {"styles_inherited"},
        ),
        ({"$from": "@dom", "$top": "@styles.opacity"}, {"styles_own"}),
        ({"$select": [{"@styles": {"$distinct": "cursor"}}]}, {"styles_inherited"}),
        (
            {"$where": {"@visual": {"aspectRatio": {"$gt": 10}}}, "$select": ["page_id"]},
            {"features"},
        ),
        ({"$from": "@visual", "$count": 1}, {"blocks"}),
        ({"$from": "@visual", "$top": "kind"}, {"blocks"}),
        ({"$histogram": "depth"}, {"pages"}),
    ],
)
def test_what_is_read(release: Release, query: dict[str, Any], tables: set[str]) -> None:
    assert _tables(release, query) == tables


@pytest.mark.parametrize(
    "query",
    [
        {"$from": "@dom", "$where": {"@styles": {"cursor": "auto"}}, "$select": ["node"]},
        {"$from": "@dom", "$where": {"@styles": {"cursor": "auto"}, "depth": 2}, "$count": 1},
        {"$from": "@dom", "$where": {"@styles": {"$none": {"cursor": "auto"}}}, "$count": 1},
        {"$from": "@text", "$where": {"@styles": {"cursor": "auto"}}, "$count": 1},
    ],
)
def test_where_nodes_are_needed_they_are_read(release: Release, query: dict[str, Any]) -> None:
    assert "nodes" in _tables(release, query)


def test_styles_count_as_often_as_nodes_have_them(release: Release) -> None:
    """The same question in a way that has to read the nodes."""
    said = {"@styles": {"cursor": "auto"}}
    narrow = {"$from": "@dom", "$where": said, "$count": 1}
    wide = {"$from": "@dom", "$where": [said, {"node": {"$gte": 0}}], "$count": 1}
    assert _tables(release, wide) > _tables(release, narrow)
    assert list(ask(release, wide).rows()) == list(ask(release, narrow).rows())
