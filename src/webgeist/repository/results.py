"""What analyses made of captures, as state.db knows it: which has which, in which version, where.

An analysis has one table, with its own name. Its rows for a capture are those of the batch that is
named here; what other batches hold for it is outdated. So a result is replaced by one transaction.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.repository.schema import ID
from webgeist.repository.state_tables import ANALYSES, BATCHES, CAPTURES, RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from webgeist.repository.state import State

TABLE = "analyses"
OK, NOTHING, FAILED = "ok", "nothing", "failed"
SCHEMA = pa.schema(
    [
        pa.field("capture", ID, nullable=False),
        pa.field("analysis", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("version", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("outcome", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("rows", pa.int32(), nullable=False),
        pa.field("ms", pa.float32(), nullable=False),
    ]
)
_AT_ONCE = 500  # values in one question


@dataclass(frozen=True)
class Result:
    """How an analysis of a capture ended: `ok` with its rows, or otherwise with a reason."""

    capture: str
    analysis: str
    version: str
    outcome: str
    reason: str
    rows: int
    ms: float


def versions(state: State) -> dict[str, str]:
    """The version of each analysis that counts; results of others are outdated."""
    with state.transaction() as connection:
        rows = connection.execute(sa.select(ANALYSES.c.analysis, ANALYSES.c.version))
        return {row.analysis: row.version for row in rows}


def set_version(state: State, analysis: str, version: str) -> None:
    """From now on only results of this version count."""
    insert = sqlite.insert(ANALYSES).values(analysis=analysis, version=version)
    with state.transaction() as connection:
        connection.execute(
            insert.on_conflict_do_update(index_elements=["analysis"], set_={"version": version})
        )


def pending(state: State, analysis: str, version: str) -> list[str]:
    """The captures that have no result of this version yet, sorted."""
    have = sa.select(RESULTS.c.capture).where(
        (RESULTS.c.analysis == analysis) & (RESULTS.c.version == version)
    )
    question = sa.select(CAPTURES.c.capture).where(CAPTURES.c.capture.not_in(have))
    with state.transaction() as connection:
        return [row.capture for row in connection.execute(question.order_by(CAPTURES.c.capture))]


def forget(state: State, analysis: str, captures: Iterable[str] | None = None) -> None:
    """Results that are to be made again: of some captures, or of all."""
    gone = sa.delete(RESULTS).where(RESULTS.c.analysis == analysis)
    with state.transaction() as connection:
        if captures is None:
            connection.execute(gone)
            return
        for some in _some(sorted(captures)):
            connection.execute(gone.where(RESULTS.c.capture.in_(some)))


def record(
    state: State, batch: str, time: datetime, digest: str, results: Sequence[Result]
) -> None:
    """Make a batch of results known; they take the place of older ones."""
    about = {"batch": batch, "time": time, "captures": 0, "sha256": digest, "release": None}
    with state.transaction() as connection:
        connection.execute(sa.insert(BATCHES), [about])
        put(connection, batch, results)


def put(connection: sa.Connection, batch: str, results: Sequence[Result]) -> None:
    rows = [vars(result) | {"batch": batch} for result in results]
    insert = sqlite.insert(RESULTS)
    fresh = {name: insert.excluded[name] for name in _VALUES}
    if rows:
        connection.execute(
            insert.on_conflict_do_update(index_elements=["capture", "analysis"], set_=fresh), rows
        )


_VALUES = ("version", "batch", "outcome", "reason", "rows", "ms")


def known(connection: sa.Connection) -> set[tuple[str, str]]:
    """Which captures have a result of which analysis."""
    rows = connection.execute(sa.select(RESULTS.c.capture, RESULTS.c.analysis))
    return {(row.capture, row.analysis) for row in rows}


def place(state: State, analysis: str, capture: str) -> tuple[str, int | None, int] | None:
    """The batch with the rows of a capture, the release that it was first published in, and how
    many rows there are.
    """
    question = (
        sa.select(RESULTS.c.batch, BATCHES.c.release, RESULTS.c.rows)
        .join(BATCHES, BATCHES.c.batch == RESULTS.c.batch)
        .where((RESULTS.c.capture == capture) & (RESULTS.c.analysis == analysis))
    )
    with state.transaction() as connection:
        row = connection.execute(question).first()
    return None if row is None else (row.batch, row.release, row.rows)


def staged(state: State) -> dict[tuple[str, str], set[str]]:
    """For each batch that no release has, and each analysis: the captures that it counts for."""
    question = (
        sa.select(RESULTS.c.batch, RESULTS.c.analysis, RESULTS.c.capture)
        .join(BATCHES, BATCHES.c.batch == RESULTS.c.batch)
        .join(
            ANALYSES,
            (ANALYSES.c.analysis == RESULTS.c.analysis) & (ANALYSES.c.version == RESULTS.c.version),
        )
        .where(BATCHES.c.release.is_(None))
    )
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    with state.transaction() as connection:
        for row in connection.execute(question):
            found[row.batch, row.analysis].add(row.capture)
    return found


def told(state: State, captures: Iterable[str]) -> pa.Table:
    """All results of some captures, sorted, as a release tells them."""
    rows: list[dict[str, Any]] = []
    columns = [RESULTS.c[name] for name in SCHEMA.names]
    with state.transaction() as connection:
        for some in _some(sorted(captures)):
            question = sa.select(*columns).where(RESULTS.c.capture.in_(some))
            ordered = question.order_by(RESULTS.c.capture, RESULTS.c.analysis)
            rows += [dict(row) for row in connection.execute(ordered).mappings()]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def counts(state: State) -> list[Mapping[str, Any]]:
    """How many captures each analysis has in each version, by outcome."""
    columns = (RESULTS.c.analysis, RESULTS.c.version, RESULTS.c.outcome)
    question = sa.select(*columns, sa.func.count().label("captures")).group_by(*columns)
    with state.transaction() as connection:
        return [dict(row) for row in connection.execute(question.order_by(*columns)).mappings()]


def lose(state: State, batch: str) -> int:
    """A batch of results is gone: they are to be made again. How many they were."""
    with state.transaction() as connection:
        gone = connection.execute(sa.delete(RESULTS).where(RESULTS.c.batch == batch)).rowcount
        if gone:
            connection.execute(sa.delete(BATCHES).where(BATCHES.c.batch == batch))
        return gone


def _some(captures: Sequence[str]) -> Iterable[Sequence[str]]:
    for start in range(0, len(captures), _AT_ONCE):
        yield captures[start : start + _AT_ONCE]
