"""state.db is made anew from the rest: captures, releases, and what the archive holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import PAGE, close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository, same

from webgeist.errors import StorageError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.check import check
from webgeist.repository.ids import capture_id
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository
from webgeist.repository.state import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_bodies()


def _batch_of(path: Path, number: int) -> Path:
    """The staged batch with a capture."""
    id_ = capture_id(make_capture(number).info)
    (folder,) = (
        folder
        for folder in (path / "staging").iterdir()
        if id_ in json.loads((folder / "batch.json").read_text())["captures"]
    )
    return folder


def test_bodies_outlive_the_captures_that_brought_them(tmp_path: Path) -> None:
    """What the first capture stored, the second refers to; then the first is lost."""
    path = tmp_path / "r"
    for number in (1, 2):
        with open_repository(path) if number == 2 else new_repository(path) as repository:
            repository.add(make_capture(number), [make_exchange(number=number)])
    (_batch_of(path, 1) / "batch.json").write_text("{")
    (path / "state.db").unlink()
    done = repair(path)
    assert any("batch.json" in each or "staging" in each for each in done), "what is lost is named"
    with open_repository(path) as repository:
        repository.add(make_capture(3), [make_exchange(data=b"other")])
        repository.publish()
        rows = repository.release().table("resources").to_pylist()
    second = next(row for row in rows if row["capture"] == capture_id(make_capture(2).info))
    assert second["revisit"]
    answer = ArchiveReader(path / "archive").answer(RecordPlace(**second["answer"]))
    assert answer.body.read() == PAGE
    assert check(path) == []


def test_a_torn_end_of_the_archive_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with new_repository(path) as repository:
        repository.add(make_capture(1), [make_exchange()])
    (warc,) = (path / "archive").glob("*.warc.gz")
    length = warc.stat().st_size
    with warc.open("ab") as file:
        file.write(warc.read_bytes()[:100])
    (path / "state.db").unlink()
    repair(path)
    with open_repository(path) as repository:
        repository.add(make_capture(2), [make_exchange(number=2)])
    assert warc.stat().st_size == length
    assert check(path) == []


def test_an_attempt_that_failed_is_not_taken_for_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r"
    with new_repository(path) as repository:
        with monkeypatch.context() as patch:
            patch.setattr(State, "record_batch", _refuse)
            with pytest.raises(StorageError, match="full"):
                repository.add(make_capture(1), [make_exchange()])
        assert list((path / "staging").iterdir()) == list((path / "archive").iterdir()) == []
        repository.add(make_capture(1), [make_exchange()])
    (path / "state.db").unlink()
    repair(path)
    assert check(path) == []
    with open_repository(path, readonly=True) as repository:
        assert [same(each, make_capture(1)) for each in repository] == [True]


def _refuse(*_: object, **__: object) -> None:
    raise StorageError("full")


def test_two_folders_with_one_capture(tmp_path: Path) -> None:
    """As a kill between two steps and a second attempt may leave them: the newer one counts."""
    path = tmp_path / "r"
    with new_repository(path, 1):
        pass
    (folder,) = (path / "staging").iterdir()
    older = folder.with_name("0" * 26)
    older.mkdir()
    for file in folder.iterdir():
        (older / file.name).write_bytes(file.read_bytes())
    (path / "state.db").unlink()
    repair(path)
    with open_repository(path) as repository:
        assert list(repository._state.batches()) == [folder.name]
        repository.publish()
        assert len(repository.release()) == 1
    assert check(path) == []
