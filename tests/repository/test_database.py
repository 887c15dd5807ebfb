"""state.db: migrations in one transaction, refusals in a sentence, SQLite's errors as ours."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from tests.repository.making import make_capture, new_repository

from webgeist.crawl import tables as crawl_tables
from webgeist.errors import DamagedError, NotFoundError, StorageError
from webgeist.repository import database, migrations
from webgeist.repository.database import create, open_database, sqlite_errors
from webgeist.repository.migrations import APPLICATION, MIGRATIONS
from webgeist.repository.repository import open_repository
from webgeist.repository.state_tables import METADATA
from webgeist.watch import tables as watch_tables

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create(tmp_path / "state.db")
    return tmp_path / "state.db"


def _pragma(path: Path, name: str) -> object:
    connection = sqlite3.connect(path)
    value = connection.execute(f"PRAGMA {name}").fetchone()[0]
    connection.close()
    return value


def test_the_code_knows_the_tables_that_the_migrations_make(path: Path) -> None:
    engine = open_database(path, readonly=True)
    found = sa.inspect(engine)
    columns = {
        name: {c["name"] for c in found.get_columns(name)} for name in found.get_table_names()
    }
    rooms = (METADATA, crawl_tables.METADATA, watch_tables.METADATA)
    known = {name: table for room in rooms for name, table in room.tables.items()}
    assert columns == {
        name: {column.name for column in table.columns} for name, table in known.items()
    }
    engine.dispose()


def test_it_says_what_it_is(path: Path) -> None:
    assert _pragma(path, "application_id") == APPLICATION
    assert _pragma(path, "user_version") == len(MIGRATIONS)
    assert _pragma(path, "journal_mode") == "wal"
    assert not path.with_name("state.db-wal").exists()


def test_commits_are_on_the_disk(path: Path) -> None:
    engine = open_database(path, readonly=False)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


@pytest.fixture
def more(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A step of tomorrow's webgeist: its statements can be added to."""
    statements = ["CREATE TABLE tomorrow (day TEXT)"]

    class Steps(tuple[tuple[str, ...], ...]):
        __slots__ = ()

    steps = Steps((*MIGRATIONS, statements))  # type: ignore[arg-type]
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    monkeypatch.setattr(database, "MIGRATIONS", steps)
    return statements


def test_an_older_repository_is_migrated_when_it_is_opened_for_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    new_repository(tmp_path / "r", 1).close()
    request.getfixturevalue("more")
    with pytest.raises(DamagedError, match="of an older webgeist") as caught:
        open_repository(tmp_path / "r", readonly=True)
    assert "publish" in str(caught.value.remedy)
    with open_repository(tmp_path / "r") as repository:
        assert len(repository) == 1
        repository.add(make_capture(2))
    assert _pragma(tmp_path / "r" / "state.db", "user_version") == len(MIGRATIONS) + 1
    assert len(open_repository(tmp_path / "r", readonly=True)) == 2


def test_a_migration_that_fails_changes_nothing(path: Path, more: list[str]) -> None:
    more.append("CREATE TABLE tomorrow (day TEXT)")
    with pytest.raises(DamagedError, match="already exists"):
        open_database(path, readonly=False)
    assert _pragma(path, "user_version") == len(MIGRATIONS)
    connection = sqlite3.connect(path)
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    assert "tomorrow" not in tables


@pytest.mark.parametrize("readonly", [True, False])
def test_a_newer_one_is_refused(path: Path, *, readonly: bool) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(DamagedError, match=r"written by a newer webgeist \(version 7"):
        open_database(path, readonly=readonly)
    assert _pragma(path, "user_version") == 7


@pytest.mark.parametrize("readonly", [True, False])
def test_what_is_no_database(tmp_path: Path, *, readonly: bool) -> None:
    (tmp_path / "state.db").write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(DamagedError, match="is damaged"):
        open_database(tmp_path / "state.db", readonly=readonly)
    with pytest.raises(NotFoundError, match="is missing"):
        open_database(tmp_path / "none.db", readonly=readonly)


def test_a_full_disk(path: Path) -> None:
    """SQLite's own limit on pages stands in for it: the error is the same."""
    engine = open_database(path, readonly=False)
    with pytest.raises(StorageError, match=r"cannot write .*full"), sqlite_errors(path):
        _fill(engine)
    engine.dispose()


def _fill(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        for number in range(1000):
            row = (f"{number}" * 100, number)
            connection.exec_driver_sql("INSERT INTO archive_files VALUES (?, ?)", row)


def test_somebody_who_holds_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DamagedError, match="is in use"):
        open_database(path, readonly=False)
    other.close()


@pytest.mark.parametrize("readonly", [True, False])
def test_a_database_of_somebody_else(tmp_path: Path, *, readonly: bool) -> None:
    """Opening it as a repository must not fill it with our tables."""
    path = tmp_path / "state.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(DamagedError, match="no database of webgeist"):
        open_repository(tmp_path, readonly=readonly)
    assert [each.name for each in tmp_path.iterdir()] == ["state.db"]
    assert path.read_bytes() == before
