"""DQL from its JSON to the Arrow table, beside hand-written SQL for the same files in DuckDB.

Both are asked in turn, round by round, so that a busy moment strikes both. Each has its own DuckDB
with the same settings; rows are compared before anything is measured.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import duckdb

from benchmarks.query_paper import QUESTIONS
from benchmarks.query_world import repository_of
from benchmarks.spread import load, spread
from webgeist.query.ask import ask
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.query_paper import Question
    from webgeist.repository.release import Release

BAR = 1.2
NODES, SHORT_NODES = 2_000_000, 100_000


def run(*, short: bool) -> dict[str, Any]:
    folder = repository_of(SHORT_NODES if short else NODES)
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        hand = Hand(release)
        rows = [_measured(release, hand, each, 5 if short else 15) for each in QUESTIONS]
        nodes = release.manifest.tables["nodes"].rows
    return {
        "query_nodes": nodes,
        "query_captures": len(release),
        "queries": rows,
        "query_worst_ratio": max(row["ratio"] for row in rows),
        "query_load": load(),
    }


class Hand:
    """Hand-written SQL on the files of a release."""

    def __init__(self, release: Release) -> None:
        self._connection = duckdb.connect(config={"memory_limit": "2048MB"})
        self._connection.execute("SET parquet_metadata_cache = true")
        self._files = {
            name: f"read_parquet({[str(path) for path in release.paths(name)]})"
            for name in release.tables()
        }

    def run(self, sql: str) -> None:
        self._connection.execute(sql.format(**self._files))

    def ask(self, sql: str) -> Any:
        return self._connection.sql(sql.format(**self._files)).to_arrow_table()


def _measured(release: Release, hand: Hand, question: Question, rounds: int) -> dict[str, Any]:
    def dql() -> int:
        return len(ask(release, question.dql))

    def sql() -> int:
        return int(hand.ask(question.sql).num_rows)

    answers = (dql(), sql())
    times: list[tuple[float, float, float, float]] = []
    for number in range(rounds):
        first, second = (dql, sql) if number % 2 else (sql, dql)
        took = {first: _seconds(first), second: _seconds(second)}
        times.append((*took[dql], *took[sql]))
    ours, cpu, theirs, their_cpu = (spread(column).median for column in zip(*times, strict=True))
    found = {
        "name": question.name,
        "rows": list(answers),
        "dql_ms": ours * 1000,
        "sql_ms": theirs * 1000,
        "ratio": spread(row[0] / row[2] for row in times).median,
        "fastest_ratio": min(row[0] for row in times) / min(row[2] for row in times),
        "cpu_ratio": cpu / their_cpu,
    }
    print(
        f"  {question.name}: {found['dql_ms']:.1f} / {found['sql_ms']:.1f} ms, "
        f"{found['ratio']:.2f}x (fastest {found['fastest_ratio']:.2f}x, "
        f"CPU {found['cpu_ratio']:.2f}x), "
        f"rows {answers[0]:,} / {answers[1]:,}",
        file=sys.stderr,
    )
    return found


def _seconds(work: Callable[[], object]) -> tuple[float, float]:
    started, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - cpu


def report(figures: dict[str, Any]) -> list[str]:
    return [
        (
            f"DQL over the best SQL by hand: {figures['query_captures']:,} captures, "
            f"{figures['query_nodes']:,} nodes ({figures['query_load']}), bar {BAR}x"
        ),
        "",
        "| query | rows | DQL, ms | SQL, ms | ratio | of CPU |",
        "|---|--:|--:|--:|--:|--:|",
        *(
            f"| {row['name']} | {row['rows'][0]:,} | {row['dql_ms']:.1f} | {row['sql_ms']:.1f} "
            f"| {row['ratio']:.2f}x | {row['cpu_ratio']:.2f}x |"
            for row in figures["queries"]
        ),
    ]
