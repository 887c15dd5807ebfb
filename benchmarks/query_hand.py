"""DQL from its JSON to the Arrow table, beside hand-written SQL for the same files in DuckDB.

They are asked in turn, round by round, so that a busy moment strikes all. Each has its own DuckDB
with the same settings; rows are compared before anything is measured. DQL is asked twice: a query
that nobody has asked before is compiled, one that was asked before is not. Both read files.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import duckdb

from benchmarks.query_paper import QUESTIONS
from benchmarks.query_world import repository_of
from benchmarks.spread import load, spread
from webgeist.query.ask import ask, database_of
from webgeist.query.compiling import Kept
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
    def first() -> int:
        return again()

    def again() -> int:
        return len(ask(release, question.dql))

    def sql() -> int:
        return int(hand.ask(question.sql).num_rows)

    ways = (first, again, sql)
    answers = (first(), sql())
    times: list[list[tuple[float, float]]] = []
    for number in range(rounds):
        took = {}
        for way in (*ways[number % 3 :], *ways[: number % 3]):
            if way is first:
                forget(release)
            took[way] = _seconds(way)
        times.append([took[way] for way in ways])
    found = {"name": question.name, "rows": list(answers)} | _figures(times)
    print(
        f"  {question.name}: {found['dql_ms']:.1f} / {found['sql_ms']:.1f} ms, "
        f"{found['ratio']:.2f}x (CPU {found['cpu_ratio']:.2f}x), "
        f"again {found['again_ratio']:.2f}x (CPU {found['again_cpu_ratio']:.2f}x), "
        f"rows {answers[0]:,} / {answers[1]:,}",
        file=sys.stderr,
    )
    return found


def forget(release: Release) -> None:
    """As if nobody had asked anything of this release."""
    release.shared("compiled queries", Kept).held.clear()
    database_of(release).forget()


def _figures(times: list[list[tuple[float, float]]]) -> dict[str, float]:
    """Of the wall times and the CPU times of each round: a query's first time, again, by hand."""

    def median(way: int, kind: int) -> float:
        return spread(each[way][kind] for each in times).median

    return {
        "dql_ms": median(0, 0) * 1000,
        "again_ms": median(1, 0) * 1000,
        "sql_ms": median(2, 0) * 1000,
        "ratio": spread(first[0] / sql[0] for first, _, sql in times).median,
        "again_ratio": spread(again[0] / sql[0] for _, again, sql in times).median,
        "cpu_ratio": median(0, 1) / median(2, 1),
        "again_cpu_ratio": median(1, 1) / median(2, 1),
    }


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
        "| query | rows | SQL, ms | DQL, ms | ratio | of CPU | again, ms | ratio | of CPU |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {row['name']} | {row['rows'][0]:,} | {row['sql_ms']:.1f} | {row['dql_ms']:.1f} "
            f"| {row['ratio']:.2f}x | {row['cpu_ratio']:.2f}x | {row['again_ms']:.1f} "
            f"| {row['again_ratio']:.2f}x | {row['again_cpu_ratio']:.2f}x |"
            for row in figures["queries"]
        ),
    ]
