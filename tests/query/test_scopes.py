"""Scopes are data: tables of analyses can be asked about without a change to the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from tests.query.world import BADGES

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.group import Grain, GroupAnalysis
from webgeist.analyses.scope import Note, TableScope
from webgeist.errors import QueryError
from webgeist.query.ask import ask
from webgeist.query.parse import parse
from webgeist.query.plan import plan
from webgeist.query.schema import make_schema, schema

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def badge(name: str = "badge") -> Analysis:
    notes = {"score": Note("0-1", "how sure it is")}
    scope = TableScope(name, "what a block promises", notes)
    return Analysis("badges", "1", BADGES, lambda _: BADGES.empty_table(), scope)


def test_an_analysis_names_its_scope_and_what_its_columns_mean(release: Release) -> None:
    found = schema(release, [badge()]).scope("@badge")
    assert found.about == "what a block promises"
    assert (found.columns["score"].unit, found.columns["score"].meaning) == (
        "0-1",
        "how sure it is",
    )
    assert found.keys == ("capture", "block")


def test_its_rows_are_joined_by_their_block(release: Release) -> None:
    known = schema(release, [badge()])
    tree = parse(known, {"$where": {"@badge": {"badge": "new"}}, "$count": 1}, "@visual")
    assert {"badges", "blocks"} <= set(plan(tree).read)


def test_a_node_has_the_badges_of_its_block(release: Release) -> None:
    query = {
        "$from": "@dom",
        "$where": {"@badges": {"badge": "new"}},
        "$select": ["capture", "node"],
    }
    found = {(row["capture"], row["node"]) for row in ask(release, query).rows()}
    blocks = {(b["capture"], b["block"]): b["node"] for b in release.table("blocks").to_pylist()}
    expected = {
        (row["capture"], blocks[row["capture"], row["block"]])
        for row in release.table("badges").to_pylist()
        if row["badge"] == "new"
    }
    assert found == expected
    assert found


def test_a_group_analysis_can_have_one(release: Release) -> None:
    trend = GroupAnalysis(
        "trend", "1", pa.schema([]), lambda _: pa.table({}), Grain.PAGE, TableScope("change")
    )
    assert schema(release, [trend]).scope("change").keys == ("capture",)


def test_tables_that_nobody_knows_have_their_own_name(release: Release) -> None:
    query = {"$where": {"@trend": {"rise": {"$gte": 5}}}, "$select": ["capture", "@trend.rise"]}
    assert sorted(row["rise"] for row in ask(release, query).rows()) == [5, 6, 7, 8]


def test_a_scope_cannot_hide_another(release: Release) -> None:
    scopes = schema(release, [badge("dom")]).scopes
    assert scopes["@dom"].main == "nodes"
    assert scopes["@badges"].main == "badges"


def test_feature_sets_of_plugins_are_columns_of_blocks(release: Release) -> None:
    visual = schema(release).scope("visual")
    assert visual.columns["radius"].tables == ("features_corners",)
    assert visual.columns["corners_kind"].stored == "kind"  # blocks have a kind of their own
    query = {
        "$from": "@visual",
        "$where": {"radius": {"$gt": 4}},
        "$select": ["block", "radius", "kind"],
    }
    assert {row["radius"] for row in ask(release, query).rows()} == {4.5}


def test_a_release_without_analyses_has_fewer_scopes(release: Release) -> None:
    tables = {name: release.columns(name) for name in ("captures", "nodes", "links")}
    found = make_schema(tables, ())
    assert set(found.scopes) == {"@page", "@dom", "@styles", "@text", "@links"}
    with pytest.raises(QueryError, match="no scope @visual"):
        parse(found, {"$where": {"@visual": {"width": 1}}})


@pytest.mark.parametrize(
    ("name", "scope"),
    [("pages", "@page"), ("dom", "@dom"), ("@dom", "@dom"), ("blocks", "@visual")],
)
def test_endpoints_are_scopes(release: Release, name: str, scope: str) -> None:
    assert schema(release).scope(name).name == scope


def test_the_schema_as_json(release: Release) -> None:
    told = {each["scope"]: each for each in schema(release).to_dict(release)}
    columns = {column["name"]: column for column in told["@dom"]["columns"]}
    assert columns["x"]["type"] == "float"
    assert columns["x"]["unit"] == "px"
    assert columns["name"]["examples"][:1] == ["html"]
    assert told["@styles"]["tables"] == ["nodes", "styles_inherited", "styles_own"]
    assert all(column["examples"] == [] for column in schema(release).to_dict()[0]["columns"])
