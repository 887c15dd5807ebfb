"""The scopes of a release: what analyses declare is there, and nothing of it in the compiler."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webgeist.analyses.registry import analyses
from webgeist.errors import QueryError
from webgeist.query import schema as schema_module
from webgeist.query.parse import parse
from webgeist.query.plan import plan
from webgeist.query.schema import make_schema, schema
from webgeist.query.scopes import Kind
from webgeist.query.tree import Rows
from webgeist.repository.schema import ID

if TYPE_CHECKING:
    from webgeist.query.schema import Schema
    from webgeist.repository.release import Release

LANDED = ("@menu", "@menu_item", "@site", "@pagination", "@block_type", "@change")


@pytest.fixture(scope="module")
def everything(release: Release) -> Schema:
    """As of a release that has the tables of all analyses that are installed."""
    known = analyses(None)[0].values()
    tables = {name: release.columns(name) for name in release.tables() if name != "packed_pages"}
    for each in known:
        types = {field.name: field.type for field in each.schema}
        tables.setdefault(each.name, {"capture": ID, **types})
    return make_schema(tables, known)


@pytest.mark.parametrize("name", LANDED)
def test_the_scopes_of_analyses(everything: Schema, name: str) -> None:
    scope = everything.scope(name)
    assert scope.about != f"the table {scope.main}"  # the analysis says what it is
    column = next(c for c in scope.columns.values() if c.name not in ("capture", *scope.keys))
    for query in (
        {"$from": name, "$count": 1},
        {"$where": {name: {column.name: {"$exists": True}}}},
        {"$from": name, "$where": {"@page": {"status": 200}}, "$select": [column.name]},
    ):
        assert scope.main in plan(parse(everything, query)).read


@pytest.mark.parametrize("name", LANDED)
def test_a_row_is_shown_with_more_than_its_keys(everything: Schema, name: str) -> None:
    scope = everything.scope(name)
    found = parse(everything, {"$from": name}).result
    assert isinstance(found, Rows)
    shown = [each.reference.column for each in found.outputs if each.reference]
    assert len(scope.keys) < len(shown) <= len(scope.keys) + 12
    assert all(column.kind is not Kind.NESTED for column in shown)


def test_the_room_of_queries_names_none_of_them() -> None:
    folder = Path(schema_module.__file__).parent
    text = "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.py")))
    assert [name for name in LANDED if f'"{name}"' in text] == []


def test_names_and_endpoints_of_the_paper(everything: Schema) -> None:
    assert everything.scope("pages") is everything.scope("@page")
    assert everything.scope("texts").name == "@text"


@pytest.mark.parametrize("name", ["@", "", "@@dom", "dom ", "@" + "x" * 5_000])
def test_what_is_no_scope(everything: Schema, name: str) -> None:
    with pytest.raises(QueryError) as caught:
        everything.scope(name, "$from")
    assert caught.value.where == "$from"
    assert len(str(caught.value)) < 300


def test_a_table_without_captures_is_no_scope() -> None:
    found = make_schema({"loose": {"x": pa.int32()}, "tied": {"capture": ID}}, [])
    assert set(found.scopes) == {"@tied"}


def test_examples_are_short_and_plain(release: Release) -> None:
    for scope in schema(release).to_dict(release):
        for column in scope["columns"]:
            assert len(column["examples"]) <= 3
            assert all(isinstance(each, (str, int, float)) for each in column["examples"])
            assert all(len(each) <= 60 for each in column["examples"] if isinstance(each, str))
