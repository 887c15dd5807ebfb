"""Several things that a page must have are found in one pass, and are the same pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask, explain

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def _pages(release: Release, *conditions: dict[str, Any]) -> set[str]:
    query = {"$where": list(conditions), "$select": ["page_id"]}
    return {row["page_id"] for row in ask(release, query).rows()}


def _sql(release: Release, *conditions: dict[str, Any]) -> str:
    return explain(release, {"$where": list(conditions), "$select": ["page_id"]}).sql


IMAGE = {"@dom": {"tagName": "IMG", "@visual": {"width": {"$gt": 10}}}}
LINK = {"@dom": {"tagName": "A", "@visual": {"width": {"$gt": 100}}}}
DEEP = {"@dom": {"depth": {"$gt": 4}}}
WIDE = {"@dom": {"width": {"$gt": 600}}}


@pytest.mark.parametrize(("one", "other"), [(IMAGE, LINK), (DEEP, WIDE), (IMAGE, IMAGE)])
def test_the_pages_that_have_both(
    release: Release, one: dict[str, Any], other: dict[str, Any]
) -> None:
    both = _pages(release, one) & _pages(release, other)
    assert _pages(release, one, other) == both
    assert both


def test_nodes_are_read_once(release: Release) -> None:
    assert _sql(release, IMAGE, LINK).count("/tables/nodes/") == _sql(release, IMAGE).count(
        "/tables/nodes/"
    )
    assert "BOOL_OR" in _sql(release, IMAGE, LINK)


def test_three_of_a_kind(release: Release) -> None:
    third = {"@dom": {"tagName": "P", "@visual": {"width": {"$gte": 0}}}}
    each = [_pages(release, one) for one in (IMAGE, LINK, third)]
    assert _pages(release, IMAGE, LINK, third) == each[0] & each[1] & each[2]


@pytest.mark.parametrize(
    "other",
    [
        {"@dom": {"tagName": "A", "@parent": {"width": {"$gt": 100}}}},
        {"@dom": {"$none": {"tagName": "A"}}},
        {"@dom": {"tagName": {"$ne": "a"}}},
        {"@visual": {"$any": {"width": {"$gt": 100}}}},
    ],
)
def test_what_is_asked_in_another_way_is_asked_for_itself(
    release: Release, other: dict[str, Any]
) -> None:
    assert "BOOL_OR" not in _sql(release, IMAGE, other)
    assert _pages(release, IMAGE, other) == _pages(release, IMAGE) & _pages(release, other)


def test_within_one_condition_two_are_not_the_same_row(release: Release) -> None:
    """A node with a child that is an image and a child that is a link: two children."""
    said = [{"@children": {"tagName": "IMG"}}, {"@children": {"tagName": "A"}}]
    query = {"$from": "@dom", "$where": said, "$select": ["capture", "node"]}
    found = {tuple(row.values()) for row in ask(release, query).rows()}
    each = [
        {tuple(row.values()) for row in ask(release, query | {"$where": one}).rows()}
        for one in said
    ]
    assert found == each[0] & each[1]
