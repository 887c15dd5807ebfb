"""Asking a release: a query goes in, a table comes out."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webgeist.errors import UsageError
from webgeist.query.compiling import compiled
from webgeist.query.database import Database, Limits
from webgeist.query.estimate import Estimate, estimate
from webgeist.query.regexes import check_regexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from webgeist.query.watch import Stop
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
    stop: Stop | None = None,
) -> Answer:
    """The answer of a release to a query, given as JSON text or as a dictionary.

    `scope` is what the query is about where it does not say so (`$from`). QueryError: it makes no
    sense, and where. LimitError: it would take too long, or too much memory; or it was told to
    `stop`.
    """
    started = time.monotonic()
    database = database_of(release, limits)
    made = compiled(
        release, query, scope, lambda tree: check_regexes(tree, database), database.held
    )
    found = database.run(made.sql, made.parameters, limits, stop)
    table = made.finish(found.table) if made.finish else found.table
    seconds = time.monotonic() - started
    database.note(made.read, seconds, limits)
    return Answer(table, found.cut, made.sql, release.number, seconds, made.query.fetch)


def explain(
    release: Release,
    query: str | dict[str, Any],
    *,
    limits: Limits = _LIMITS,
    scope: str | None = None,
) -> Explanation:
    """What `ask` would run, without running it."""
    database = database_of(release, limits)
    made = compiled(release, query, scope, lambda tree: check_regexes(tree, database))
    found = estimate(release, made.read)
    return Explanation(made.sql, made.parameters, made.read, found, release.number)


def database_of(release: Release, limits: Limits = _LIMITS) -> Database:
    """What answers statements on a release, made once."""
    return release.shared(
        f"database of {limits.memory_mb} MB", lambda: Database(release, limits.memory_mb)
    )
