"""Asking a release: a query goes in, a table comes out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError, UsageError
from webgeist.query.database import Database, Limits
from webgeist.query.estimate import Estimate, estimate
from webgeist.query.parse import parse
from webgeist.query.plan import Plan, plan
from webgeist.query.reading import read
from webgeist.query.regexes import check_regexes
from webgeist.query.schema import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from webgeist.query.tree import Query
    from webgeist.repository.release import Release

__all__ = ["Answer", "Explanation", "Limits", "ask", "explain"]


_LIMITS = Limits()


@dataclass(frozen=True)
class Answer:
    """The rows that a query found. `cut` says why there are not more: `rows` or `time`."""

    table: pa.Table
    cut: str | None
    sql: str
    release: int
    seconds: float
    fetch: str | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def to_arrow(self) -> pa.Table:
        return self.table

    def to_pandas(self) -> Any:
        """As a data frame. UsageError where pandas is not installed."""
        try:
            return self.table.to_pandas()
        except ImportError as error:
            raise UsageError("pandas is not installed", remedy="pip install pandas") from error

    def rows(self) -> Iterator[dict[str, Any]]:
        """Row by row, as dictionaries."""
        for batch in self.table.to_batches():
            yield from batch.to_pylist()


@dataclass(frozen=True)
class Explanation:
    """How a query would be answered, and what would be read for it."""

    sql: str
    parameters: dict[str, Any]
    tables: dict[str, list[str]]  # the columns that are read of each
    estimate: Estimate
    release: int


def ask(
    release: Release,
    query: str | dict[str, Any],
    *,
    limits: Limits = _LIMITS,
    scope: str | None = None,
) -> Answer:
    """The answer of a release to a query, given as JSON text or as a dictionary.

    `scope` is what the query is about where it does not say so (`$from`). QueryError: it makes no
    sense, and where. LimitError: it would take too long, or too much memory.
    """
    started = time.monotonic()
    tree, planned = _planned(release, query, scope)
    database = _database(release, limits)
    sql = database.sql(planned.tree)
    check_regexes(tree, database)
    found = database.run(sql, planned.parameters, limits)
    table = planned.finish(found.table) if planned.finish else found.table
    seconds = time.monotonic() - started
    return Answer(table, found.cut, sql, release.number, seconds, tree.fetch)


def explain(
    release: Release,
    query: str | dict[str, Any],
    *,
    limits: Limits = _LIMITS,
    scope: str | None = None,
) -> Explanation:
    """What `ask` would run, without running it."""
    tree, planned = _planned(release, query, scope)
    database = _database(release, limits)
    check_regexes(tree, database)
    tables = {name: sorted(columns) for name, columns in planned.read.items()}
    found = estimate(release, tables)
    return Explanation(
        database.sql(planned.tree), planned.parameters, tables, found, release.number
    )


def _planned(
    release: Release, query: str | dict[str, Any], scope: str | None
) -> tuple[Query, Plan]:
    if isinstance(query, str):
        printed = read(query)
        query, scope = printed.value, scope or printed.scope
    try:
        tree = parse(schema(release), query, scope)
    except RecursionError as error:
        raise QueryError("the query is nested too deeply") from error
    return tree, plan(tree)


def _database(release: Release, limits: Limits) -> Database:
    return release.shared(
        f"database of {limits.memory_mb} MB", lambda: Database(release, limits.memory_mb)
    )
