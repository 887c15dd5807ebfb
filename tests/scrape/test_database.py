"""Stores that cannot be used, that are full, that a newer webgeist wrote."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from tests.scrape.making import Lab

from webgeist.errors import DamagedError, NotFoundError, StorageError, UsageError
from webgeist.repository.versions import NewerVersionError
from webgeist.scrape.database import _shown
from webgeist.scrape.migrations import MIGRATIONS
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from pathlib import Path


def change_version(lab: Lab, number: int) -> None:
    log = SqlLog(lab.store)
    with log.database.change() as connection:
        connection.execute(sa.text(f"UPDATE scrape_version SET version = {number}"))
    log.close()


def test_a_log_of_a_newer_version(either_lab: Lab) -> None:
    with either_lab.run() as run:
        run.output(a=1)
    change_version(either_lab, len(MIGRATIONS) + 1)
    for use in (lambda: either_lab.run().__enter__(), either_lab.rows):
        with pytest.raises(NewerVersionError, match="newer webgeist"):
            use()


class FullDisk(SqlLog):
    """SQLite may not make the file larger: what it says then is what it says of a full disk."""

    def fill(self) -> None:
        driver = self.database.plain.connection
        pages = driver.execute("PRAGMA page_count").fetchone()[0]
        driver.execute(f"PRAGMA max_page_count = {pages}")

    def clean(self) -> None:
        self.database.plain.connection.execute("PRAGMA max_page_count = 1000000")


def test_the_disk_is_full_in_a_commit(lab: Lab) -> None:
    logs: list[FullDisk] = []

    def open_log(*given: Any, **named: Any) -> FullDisk:
        logs.append(FullDisk(*given, **named))
        return logs[-1]

    with lab.run(open_log=open_log) as run:
        run.skip("Small", 1, lambda: run.output(small=True))
        logs[0].fill()
        with pytest.raises(StorageError, match="cannot write") as caught:
            run.skip("Large", 1, lambda: run.output(large="x" * 100_000))
        assert caught.value.exit_code == 8
        logs[0].clean()
    assert lab.rows() == [{"small": True}]
    with lab.run() as run:
        assert not run.skip("Small", 1, lambda: None)
        assert run.skip("Large", 1, lambda: run.output(large=True))
    assert lab.rows() == [{"small": True}, {"large": True}]


def test_no_database(tmp_path: Path) -> None:
    (tmp_path / "log.db").write_text("these are notes, which are longer than a header\n" * 50)
    with pytest.raises(DamagedError, match="damaged"):
        Lab(tmp_path / "log.db").run().__enter__()


def test_a_folder_and_a_missing_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        Lab(tmp_path).run().__enter__()
    with pytest.raises(NotFoundError, match="no folder"):
        Lab(tmp_path / "no" / "log.db").run().__enter__()


def test_a_file_without_a_log(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()
    with pytest.raises(NotFoundError, match="has no commit log"):
        Lab(path).rows()
    with Lab(path).run() as run:
        run.output(a=1)
    assert Lab(path).rows() == [{"a": 1}]


def test_a_database_that_nobody_serves(postgres: str) -> None:
    with pytest.raises(StorageError, match="cannot reach") as caught:
        Lab("postgresql://me:secret@127.0.0.1:1/none").run().__enter__()
    assert "secret" not in str(caught.value)


def test_no_address(postgres: str) -> None:
    with pytest.raises(UsageError, match="no address of a database"):
        Lab("postgresql://host:port:port").run().__enter__()


def test_passwords_are_not_shown() -> None:
    assert _shown("postgresql://me:se@cret@host/db") == "postgresql://me@host/db"
    assert _shown("postgresql://host/db") == "postgresql://host/db"


def test_what_was_not_waited_for_is_kept_when_the_process_goes_on(lab: Lab) -> None:
    """Commits in quick succession are on the disk together, and are there for readers at once."""
    with lab.run() as run:
        for number in range(20):
            for _ in run.skip_block("B", number):
                run.output(number=number)
            assert len(lab.rows()) == number + 1
