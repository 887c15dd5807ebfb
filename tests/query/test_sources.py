"""Uses of tables: parameters, attributes, and columns that are made of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlglot import exp

from webgeist.query.ask import ask
from webgeist.query.holding import Held
from webgeist.query.schema import schema
from webgeist.query.sources import Statement

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def test_the_same_value_has_one_place_and_kinds_are_told_apart() -> None:
    statement = Statement()
    places = [statement.parameter(value).this for value in ("a", 1, "a", 1.0, True, 1, "1")]
    assert places == ["p1", "p2", "p1", "p3", "p4", "p2", "p5"]
    assert list(statement.parameters.values()) == ["a", 1, 1.0, True, "1"]


def test_lists_have_places_of_their_own() -> None:
    statement = Statement()
    assert [statement.parameter([1]).this for _ in range(2)] == ["p1", "p2"]


def test_every_use_of_a_table_has_its_own_name(release: Release) -> None:
    statement, scope = Statement(), schema(release).scope("@dom")
    one, other = statement.source(scope, "nodes"), statement.source(scope, "nodes")
    assert one.aliases != other.aliases
    assert statement.read == {"nodes": set()}


def test_what_is_read_is_noted(release: Release) -> None:
    statement, scope = Statement(), schema(release).scope("@dom")
    source = statement.source(scope, "nodes")
    source.value(scope.columns["class"])
    source.value(scope.columns["x"])
    source.value(scope.columns["type"])
    assert statement.read["nodes"] == {"attributes.class", "attributes.type", "name", "x"}


def test_an_attribute_is_a_parameter_unless_it_is_held(release: Release) -> None:
    scope = schema(release).scope("@dom")
    column = scope.find("attributes.it's")
    assert column is not None
    from_file = Statement()
    value = from_file.source(scope, "nodes").value(column)
    assert isinstance(value, exp.Bracket)
    assert from_file.parameters == {"p1": "it's"}
    held = Statement(Held({"nodes": frozenset({"attributes.class"})}))
    assert isinstance(held.source(scope, "nodes").value(scope.columns["class"]), exp.Column)
    assert held.parameters == {}


def test_tables_are_read_by_their_words(release: Release) -> None:
    statement = Statement(words={"nodes": "anything(1)"})
    (table,) = statement.source(schema(release).scope("@dom"), "nodes").tables()
    assert table.sql("duckdb") == "anything(1) AS t1"


def _values(release: Release, scope: str, name: str, of: str) -> dict[Any, set[Any]]:
    found: dict[Any, set[Any]] = {}
    for row in ask(release, {"$from": scope, "$select": [of, name]}).rows():
        found.setdefault(row[of], set()).add(row[name])
    return found


def test_words_are_counted_by_white_space(release: Release) -> None:
    for text, counts in _values(release, "@text", "words", "text").items():
        assert counts == {len(text.split())}


def test_an_input_without_a_type_is_a_text(release: Release) -> None:
    query = {"$from": "@dom", "$select": ["name", "attributes.type", "type"]}
    rows = list(ask(release, query).rows())
    inputs = [row for row in rows if row["name"] == "input"]
    assert inputs
    for row in inputs:
        assert row["type"] == (row["attributes.type"] or "text").lower()
    assert all(row["type"] == row["attributes.type"] for row in rows if row["name"] != "input")


@pytest.mark.parametrize("value", [0.1, 20.5, 1e-30])
def test_numbers_are_compared_as_they_are_stored(release: Release, value: float) -> None:
    """A column of single numbers: 0.1 is found by 0.1."""
    import numpy as np

    stored = release.table("nodes", ["x"]).column("x").to_pylist()
    expected = sum(x is not None and np.float32(x) == np.float32(value) for x in stored)
    (row,) = ask(release, {"$from": "@dom", "$where": {"x": value}, "$count": 1}).rows()
    assert row["count"] == expected
