"""Time, rows and memory: an answer that is cut says so, and nothing else can be reached."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import duckdb
import pytest

from webgeist.errors import DamagedError, LimitError
from webgeist.query.ask import ask, explain
from webgeist.query.database import Database, Limits
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release


def test_too_many_rows_are_cut(release: Release) -> None:
    answer = ask(release, {"$from": "@dom"}, limits=Limits(rows=5))
    assert (len(answer), answer.cut) == (5, "rows")
    whole = ask(release, {"$from": "@dom", "$limit": 5}, limits=Limits(rows=5))
    assert (len(whole), whole.cut) == (5, None)


def test_time_is_limited(release: Release) -> None:
    database = Database(release, 256)
    endless = (
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range < b.range"
    )
    with pytest.raises(LimitError, match=r"longer than 0\.05 s"):
        database.run(endless, {}, Limits(seconds=0.05))
    assert database.run("SELECT 1", {}, Limits()).table.num_rows == 1


def test_rows_that_were_there_when_the_time_ended_are_kept(release: Release) -> None:
    database = Database(release, 256)
    endless = "SELECT a.range FROM range(1000000000000) a"
    found = database.run(endless, {}, Limits(seconds=0.5, rows=10**15))
    assert found.cut == "time"
    assert found.table.num_rows > 0


def test_memory_is_limited(release: Release) -> None:
    database = Database(release, 64)
    large = "SELECT list(a.range::VARCHAR || repeat('x', 1000)) FROM range(10000000) a"
    with pytest.raises(LimitError, match="64 MB"):
        database.run(large, {}, Limits(memory_mb=64))


def test_no_other_file_can_be_read_or_written(release: Release, tmp_path: Path) -> None:
    database = Database(release, 256)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for statement in (
        f"SELECT * FROM read_csv('{tmp_path}/secret.csv')",
        "SELECT * FROM read_text('/etc/hostname')",
        f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
        f"ATTACH '{tmp_path}/x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
    ):
        with pytest.raises(duckdb.Error):
            database._connection.cursor().execute(statement)
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]


def test_many_threads_ask_at_once(release: Release) -> None:
    found: list[int] = []

    def work() -> None:
        query = {"$from": "@dom", "$where": {"depth": {"$gt": 0}}}
        found.extend(len(ask(release, query)) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40
    assert len(set(found)) == 1


def test_a_damaged_file_is_damage(tmp_path: Path) -> None:
    from tests.query.world import make_world

    make_world(tmp_path / "r", pages=3).close()
    with open_repository(tmp_path / "r", readonly=True) as repository:
        release = repository.release()
        ask(release, {"$count": 1})
        release.paths("nodes")[0].unlink()
        with pytest.raises(DamagedError):
            ask(release, {"$from": "@dom"})


def test_a_release_is_read_as_it_was(tmp_path: Path) -> None:
    from tests.query.world import make_world

    with make_world(tmp_path / "r", pages=6) as repository, repository.release(1) as first:
        assert list(ask(first, {"$count": 1}).rows()) == [{"count": 4}]
        with repository.release() as newest:
            assert list(ask(newest, {"$count": 1}).rows()) == [{"count": 6}]


def test_explain_reads_no_rows(release: Release) -> None:
    found = explain(release, {"$from": "@dom", "$where": {"@styles": {"cursor": "x"}}, "$count": 1})
    assert found.tables == {"styles_inherited": ["cursor", "nodes"]}
    assert found.parameters == {"p1": "x"}
    assert "read_parquet" in found.sql
    styles = release.manifest.tables["styles_inherited"]
    assert found.estimate.rows == styles.rows
    assert 0 < found.estimate.bytes < sum(file.bytes for file in styles.files)


def test_an_empty_table_has_no_rows(tmp_path: Path) -> None:
    from tests.repository.making import new_repository

    with new_repository(tmp_path / "r", 3) as repository:  # a capture without links
        repository.publish()
        with repository.release() as release:
            assert list(ask(release, {"$from": "@links", "$count": 1}).rows()) == [{"count": 0}]
            assert len(ask(release, {"$where": {"@links": {"$none": {"node": 1}}}})) == 1
