"""A DuckDB that reads one release, and nothing else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from webgeist.errors import DamagedError, LimitError, QueryError
from webgeist.query.database import Database, Limits
from webgeist.query.emitting import readings
from webgeist.query.watch import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.release import Release

ENDLESS = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"
LIMITS = Limits(seconds=60)


@pytest.fixture(scope="module")
def database(release: Release) -> Iterator[Database]:
    opened = Database(release, 256)
    yield opened
    opened.close()


def test_rows_of_a_table(database: Database, release: Release) -> None:
    found = database.run(f"SELECT count(*) AS n FROM {readings(release)['nodes']}", {}, LIMITS)
    assert found.table.to_pylist() == [{"n": release.table("nodes", ["node"]).num_rows}]
    assert found.cut is None


def test_a_table_without_files_has_its_columns(database: Database, release: Release) -> None:
    empty = next(name for name in release.tables() if not release.paths(name))
    found = database.run(f'SELECT * FROM "{empty}"', {}, LIMITS)
    assert found.table.num_rows == 0
    assert set(found.table.column_names) == set(release.columns(empty))


def test_rows_are_cut(database: Database) -> None:
    found = database.run("SELECT * FROM range(250000)", {}, Limits(rows=120_000))
    assert (found.table.num_rows, found.cut) == (120_000, "rows")
    found = database.run("SELECT * FROM range(250000)", {}, Limits(rows=250_000))
    assert (found.table.num_rows, found.cut) == (250_000, None)


def test_time_ends(database: Database) -> None:
    with pytest.raises(LimitError, match=r"longer than 0\.05 s"):
        database.run(ENDLESS, {}, Limits(seconds=0.05))


def test_memory_ends(database: Database) -> None:
    greedy = "SELECT list(range::VARCHAR || repeat('x', 200)) FROM range(20000000)"
    with pytest.raises(LimitError, match="memory"):
        database.run(greedy, {}, LIMITS)


@pytest.mark.parametrize("first", [True, False])
def test_who_is_gone_waits_for_nothing(database: Database, *, first: bool) -> None:
    """Stopped before it begins, or soon after: it ends either way, and others go on."""
    stop = Stop()
    stopper = threading.Thread(target=stop.stop)
    if first:
        stop.stop()
    else:
        stopper.start()
    with pytest.raises(LimitError, match="nobody waits"):
        database.run(ENDLESS, {}, LIMITS, stop)
    if not first:
        stopper.join()
    assert database.run("SELECT 1 AS one", {}, LIMITS).table.to_pylist() == [{"one": 1}]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY (SELECT 1) TO '/tmp/never'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "ATTACH '/tmp/never.db'",
        "SELECT * FROM read_parquet('/tmp/*.parquet')",
        "SELECT * FROM read_text('/proc/self/environ')",
        "SELECT getenv('HOME')",
    ],
)
def test_nothing_else_can_be_reached(database: Database, statement: str) -> None:
    with pytest.raises((QueryError, DamagedError)):
        database.run(statement, {}, LIMITS)


def test_the_same_statement_with_other_values(database: Database) -> None:
    for value in (1, 2, 2.5, True, "x", "x", None):
        found = database.run("SELECT $p AS given", {"p": value}, LIMITS)
        assert found.table.to_pylist() == [{"given": value}]
        assert type(found.table.to_pylist()[0]["given"]) is type(value)


def test_values_that_are_lists(database: Database) -> None:
    for value in ([1, 2], [3]):
        found = database.run("SELECT len($p) AS long", {"p": value}, LIMITS)
        assert found.table.to_pylist() == [{"long": len(value)}]


def test_more_statements_than_a_cursor_keeps(database: Database) -> None:
    for number in [*range(100), 0, 99]:
        found = database.run(f"SELECT {number} AS n", {}, LIMITS)
        assert found.table.to_pylist() == [{"n": number}]


def test_many_threads(database: Database) -> None:
    wrong: list[object] = []

    def work(number: int) -> None:
        for turn in range(20):
            found = database.run("SELECT $a * 100 + $b AS n", {"a": number, "b": turn}, LIMITS)
            if found.table.to_pylist() != [{"n": number * 100 + turn}]:
                wrong.append(found.table)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    from tests.query.world import make_world

    with make_world(tmp_path / "r", pages=2) as repository, repository.release() as opened:
        (path, *_) = opened.paths("captures")
        own = Database(opened, 256)
        path.unlink()
        with pytest.raises(DamagedError):
            own.run(f"SELECT * FROM {readings(opened)['captures']}", {}, LIMITS)
        own.close()
