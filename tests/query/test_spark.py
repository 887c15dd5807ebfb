"""The same trees for Spark: every statement can be said in its words, and reads back as the same.

Nothing is run here: Spark needs Java, and is no dependency of the tests.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.query_paper import QUESTIONS
from sqlglot import ErrorLevel, exp, parse_one
from tests.query.test_docs import EXAMPLES

from webgeist.query.parse import parse
from webgeist.query.plan import plan
from webgeist.query.schema import schema

if TYPE_CHECKING:
    from webgeist.repository.release import Release

_QUERIES = [each.dql for each in QUESTIONS] + [json.loads(text) for text in EXAMPLES]
# What DuckDB has and Spark lacks, in DuckDB's words.
_DUCKDB_ONLY = re.compile(
    r"read_parquet|\bQUALIFY\b|GROUP BY ALL|::|\$p\d|SEMI JOIN|USING SAMPLE", re.IGNORECASE
)


@pytest.mark.parametrize("query", _QUERIES, ids=range(len(_QUERIES)))
def test_every_statement_can_be_said_for_spark(release: Release, query: dict[str, Any]) -> None:
    made = plan(parse(schema(release), query))
    sql = made.tree.sql("spark", unsupported_level=ErrorLevel.RAISE)
    assert not _DUCKDB_ONLY.search(sql), sql
    again = parse_one(sql, dialect="spark")
    assert not list(again.find_all(exp.Command))
    assert again.sql("spark") == sql
    named = {each.name for each in again.find_all(exp.Placeholder, exp.Parameter)}
    assert set(made.parameters) <= named | set(re.findall(r":(p\d+)", sql))


def test_aliases_are_unique(release: Release) -> None:
    for query in _QUERIES:
        tree = plan(parse(schema(release), query)).tree
        aliases = [table.alias for table in tree.find_all(exp.Table) if table.alias]
        assert len(aliases) == len(set(aliases))
