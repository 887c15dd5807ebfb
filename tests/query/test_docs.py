"""docs/query-language.md: every example runs, every operator and scope has one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webgeist.query.ask import ask
from webgeist.query.operators import ALL
from webgeist.query.schema import schema
from webgeist.repository.schema import CAPTURES, KINDS

if TYPE_CHECKING:
    from webgeist.repository.release import Release

PAGE = Path(__file__).parents[2] / "docs" / "query-language.md"
TEXT = PAGE.read_text("utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
VALUES = re.findall(
    r"`(\{\"\$[a-z]+\": .*?\})`", TEXT.partition("### Styles")[0].partition("| operator")[2]
)
PRINTED_ELSEWHERE = {"$where", "$from"}


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example_runs(text: str, release: Release) -> None:
    assert ask(release, text).table.num_columns > 0


@pytest.mark.parametrize("value", VALUES)
def test_operator_of_a_number_runs(value: str, release: Release) -> None:
    query = {"$from": "@visual", "$where": {"width": json.loads(value)}}
    assert ask(release, query).cut is None


def test_every_operator_has_an_example() -> None:
    shown = "\n".join([*EXAMPLES, *VALUES]) + TEXT.partition("| operator")[2].partition("\n\n")[0]
    missing = {name for name in ALL if f'"{name}"' not in shown and f"`{name}`" not in shown}
    assert missing - PRINTED_ELSEWHERE == set()


def test_every_scope_is_told(release: Release) -> None:
    own = {name for name in schema(release).scopes if f"| `{name}` |" in TEXT}
    assert own == {"@page", "@dom", "@styles", "@visual", "@text", "@links", "@resources"}


def test_every_stored_column_has_a_meaning(release: Release) -> None:
    known = schema(release).scopes
    for scope, table in (("@page", "captures"), ("@dom", "nodes"), ("@links", "links")):
        names = CAPTURES.names if table == "captures" else KINDS[table].schema.names
        columns = {column.source: column for column in known[scope].columns.values()}
        untold = [n for n in names if n in columns and not (columns[n].meaning or columns[n].unit)]
        assert untold == []
