"""Conditions as SQL: where they can be answered, and what becomes of missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask, explain
from webgeist.query.conditions import demanding, homes
from webgeist.query.parse import parse
from webgeist.query.schema import schema
from webgeist.query.sources import Statement

if TYPE_CHECKING:
    from webgeist.query.scopes import Scope
    from webgeist.query.tree import Condition
    from webgeist.repository.release import Release


def _said(release: Release, scope: str, where: Any) -> tuple[Condition, Scope]:
    query = parse(schema(release), {"$from": scope, "$where": where, "$count": 1})
    return query.where, query.scope


INHERITED, OWN = {"cursor": "auto"}, {"opacity": {"$lt": 1}}


@pytest.mark.parametrize(
    ("scope", "where", "tables"),
    [
        ("@styles", INHERITED, {"styles_inherited"}),
        ("@styles", OWN, {"styles_own"}),
        ("@styles", {"$and": [INHERITED, OWN]}, set()),
        ("@styles", {"$or": [INHERITED, {"font-size": 16}]}, {"styles_inherited"}),
        ("@styles", {"$not": INHERITED}, {"styles_inherited"}),
        ("@styles", {"node": 3}, {"nodes"}),
        ("@styles", {"color": {"$near": "red"}}, {"styles_inherited"}),
        ("@visual", {"words": 3}, {"features"}),
        ("@visual", {"x": 3}, {"blocks", "features"}),
        ("@visual", {"radius": 3}, {"features_corners"}),
        ("@visual", {"$not": {"radius": 3}}, set()),  # it has no row for some blocks
        ("@visual", {"@dom": {"name": "p"}}, {"blocks"}),
    ],
)
def test_the_tables_that_suffice(
    release: Release, scope: str, where: Any, tables: set[str]
) -> None:
    condition, found = _said(release, scope, where)
    assert homes(condition, found) == tables


def test_conditions_that_only_nodes_with_styles_can_fulfil(release: Release) -> None:
    for where, expected in (
        (OWN, True),
        ({"$and": [OWN, {"node": 3}]}, True),
        ({"$or": [OWN, {"node": 3}]}, False),
        ({"$or": [OWN, INHERITED]}, True),
        ({"$not": OWN}, False),
    ):
        condition, scope = _said(release, "@styles", where)
        source = Statement().source(scope, "nodes")
        assert demanding(condition, source) is expected, where


def _keys(release: Release, where: Any) -> list[tuple[str, int]]:
    query = {"$from": "@visual", "$where": where, "$select": ["capture", "block"]}
    return sorted((row["capture"], row["block"]) for row in ask(release, query).rows())


def test_what_is_missing_fulfils_the_negation_alone(release: Release) -> None:
    every = _keys(release, {"block": {"$gte": 0}})
    for name, value in (("radius", 4.5), ("aspectRatio", 1.6), ("font", "Inter")):
        yes, no = _keys(release, {name: value}), _keys(release, {"$not": {name: value}})
        assert sorted(yes + no) == every
        there, gone = (_keys(release, {name: {"$exists": each}}) for each in (True, False))
        assert sorted(there + gone) == every
        assert set(yes) <= set(there)
        assert set(gone) <= set(no)


def test_no_row_is_doubled_by_what_belongs_to_it(release: Release) -> None:
    """A page has many nodes that fulfil it, and is there once."""
    query = {"$where": {"@dom": {"node": {"$gte": 0}}, "@styles": {"opacity": {"$lte": 1}}}}
    rows = list(ask(release, query | {"$select": ["capture"]}).rows())
    assert len(rows) == len({row["capture"] for row in rows}) > 1


def test_all_needs_one(release: Release) -> None:
    """Of nothing, nothing is said: `$all` of a node without children does not hold."""
    all_ = {"$from": "@dom", "$where": {"@children": {"$all": {"node": {"$gte": 0}}}}, "$count": 1}
    some = {"$from": "@dom", "$where": {"@children": {"$cnt": {"$gte": 1}}}, "$count": 1}
    assert list(ask(release, all_).rows()) == list(ask(release, some).rows())


@pytest.mark.parametrize("name", ["IMG", "img", "linearGradient", "LINEARGRADIENT"])
def test_a_tag_is_found_as_written_or_in_small_letters(release: Release, name: str) -> None:
    found = ask(release, {"$from": "@dom", "$where": {"tagName": name}, "$distinct": "name"})
    expected = {"linearGradient": ["linearGradient"], "LINEARGRADIENT": []}
    assert [row["name"] for row in found.rows()] == expected.get(name, ["img"])


def test_conditions_on_one_table_are_asked_together(release: Release) -> None:
    where = {"@styles": {"cursor": "auto", "font-size": {"$gt": 10}}}
    sql = explain(release, {"$from": "@dom", "$where": where, "$select": ["node"]}).sql
    assert sql.count("styles_inherited/") == len(release.paths("styles_inherited"))
