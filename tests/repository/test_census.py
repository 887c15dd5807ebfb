"""Everything that is referred to must be in the archive; `check` names the file that lacks it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository

from webgeist.repository.check import check
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A published and a staged capture in two WARC files; the second refers to the first's body."""
    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(1), [make_exchange()])
        repository.publish()
        repository.add(make_capture(2), [make_exchange(number=1), make_exchange(data=b"x")])
    yield tmp_path / "r"
    close_bodies()


def _change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path / "state.db", isolation_level=None)
    connection.execute(statement)
    connection.close()


def _problems(path: Path) -> list[tuple[str, str]]:
    return [(found.part, found.message.replace(f"{found.path} ", "")) for found in check(path)]


def test_a_file_that_state_db_does_not_know(path: Path) -> None:
    assert check(path) == []
    first = min((path / "archive").glob("*.warc.gz")).name
    _change(path, "DELETE FROM resources")
    _change(path, f"DELETE FROM archive_files WHERE file = '{first}'")
    assert _problems(path) == [("reference", "lacks 3 records that are referred to")]
    repair(path)
    assert check(path) == []
    with open_repository(path) as repository:
        repository.add(make_capture(3), [make_exchange(number=3)])
    assert check(path) == []
    assert not (path / "archive" / "lost").exists()


def test_a_file_that_is_gone_and_forgotten(path: Path) -> None:
    first = min((path / "archive").glob("*.warc.gz"))
    first.unlink()
    _change(path, "DELETE FROM resources")
    _change(path, f"DELETE FROM archive_files WHERE file = '{first.name}'")
    assert _problems(path) == [("archive", "lacks 3 records that are referred to")]


def test_a_length_that_is_too_small(path: Path) -> None:
    """The last exchange of a file is there, but does not count."""
    with open_repository(path, readonly=True) as repository:
        row = repository.release().table("resources").to_pylist()[0]
    first = row["answer"]["file"]
    end = row["request"]["offset"] + row["request"]["length"]
    _change(path, f"UPDATE archive_files SET length = {end} WHERE file = '{first}'")
    assert ("reference", "lacks 1 records that are referred to") in _problems(path)
    repair(path)
    assert check(path) == []


def test_an_original_where_there_is_none(path: Path) -> None:
    """A later answer would refer to nothing: what state.db says of bodies is checked, too."""
    _change(path, 'UPDATE resources SET "offset" = "offset" + 1')
    assert [part for part, _ in _problems(path)] == ["reference", "reference"]
    repair(path)
    assert check(path) == []
    with open_repository(path) as repository:
        id_ = repository.add(make_capture(3), [make_exchange(number=3)])
        repository.publish()
        (row,) = repository.release().table("resources", captures=[id_]).to_pylist()
        assert row["revisit"]
    assert check(path) == []


def test_of_a_damaged_file_only_the_damage_is_told(path: Path) -> None:
    first = min((path / "archive").glob("*.warc.gz"))
    first.write_bytes(first.read_bytes()[:-1])
    assert [part for part, _ in _problems(path)] == ["archive"]
