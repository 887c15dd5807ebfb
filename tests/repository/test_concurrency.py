"""Readers beside a writer: each sees one release, whole, however fast they change."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository, same

from webgeist.errors import DamagedError
from webgeist.repository.check import check
from webgeist.repository.repository import open_repository
from webgeist.repository.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository

    Event = Callable[[], object]

READER = """
import sys
from webgeist.repository.repository import open_repository

looks, seen = 0, 0
print("ready", flush=True)
with open_repository(sys.argv[1], readonly=True) as repository:
    while True:
        release = repository.release()
        count = len(release)
        nodes = release.table("nodes", ["capture", "node"])
        captures = release.table("captures", ["capture", "nodes"]).to_pylist()
        assert len(captures) == count, (release.number, count, len(captures))
        assert nodes.num_rows == 5 * count, (release.number, count, nodes.num_rows)
        assert len(set(nodes.column("capture").to_pylist())) == count
        assert release.number >= seen, (release.number, seen)
        newest = repository.captures()[-1]
        assert repository.capture(newest.capture).page.names[0] == "html"
        last = release.capture(captures[-1]["capture"])
        assert last.page.nodes.num_rows == 5
        seen = release.number
        looks += 1
        if count >= int(sys.argv[2]):
            break
print(looks)
"""


def _reader(path: Path, captures: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", READER, str(path), str(captures)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def _looks(process: subprocess.Popen[str]) -> int:
    said, complaints = process.communicate(timeout=600)
    assert process.returncode == 0, complaints
    return int(said)


def _publish(path: Path, publishes: int, readers: int) -> int:
    """Publish again and again, removing old releases, while readers look. How often they did."""
    with new_repository(path, 0) as repository:
        repository.publish()
        processes = [_reader(path, publishes) for _ in range(readers)]
        for number in range(1, publishes):
            repository.add(make_capture(number))
            assert repository.publish() == number + 1
            if number % 5 == 0:
                _remove_old(repository)
        looks = sum(map(_looks, processes))
    assert check(path) == []
    return looks


def _remove_old(repository: Repository) -> None:
    """Remove all but the newest release; those in use stay for now."""
    for manifest in repository.releases()[:-1]:
        with suppress(DamagedError):
            repository.remove_release(manifest.release)


def test_readers_during_publish_and_collection(tmp_path: Path) -> None:
    assert _publish(tmp_path / "r", 25, 2) >= 2


@pytest.mark.slow
def test_a_thousand_publishes_under_load(tmp_path: Path) -> None:
    assert _publish(tmp_path / "r", 1000, 2) >= 100


def test_a_reader_keeps_its_release_through_everything(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 1) as writer:
        staged = writer.capture(writer.captures()[0].capture)
        writer.publish()
        with open_repository(tmp_path / "r", readonly=True) as reader:
            release = reader.release()
            for number in range(2, 8):
                writer.add(make_capture(number))
                writer.publish()
            writer.collect_garbage()
            assert release.table("captures").num_rows == 1
            assert same(next(iter(release)), make_capture(1))
            assert same(staged, make_capture(1))
            assert len(reader) == len(reader.release()) == 7, (
                "and asks for the newest when it likes"
            )


def _when_asked(patch: pytest.MonkeyPatch, question: str, before: Event, after: Event) -> None:
    """Let something happen when a check first asks state.db this question."""
    ask = getattr(State, question)
    events = [(before, after)]

    def asked(state: State) -> object:
        first, then = events.pop() if events else (_nothing, _nothing)
        first()
        answer = ask(state)
        then()
        return answer

    patch.setattr(State, question, asked)


def _nothing() -> None:
    pass


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Two releases; nobody is at work."""
    with new_repository(tmp_path / "r") as repository:
        for number in (1, 2):
            repository.add(make_capture(number), [make_exchange(number=number)])
            repository.publish()
    yield tmp_path / "r"
    close_bodies()


def test_a_release_that_goes_during_a_check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_repository(path) as writer:
        _when_asked(monkeypatch, "releases", _nothing, lambda: writer.remove_release(1))
        assert check(path) == []
        assert len(writer.releases()) == 1


def test_a_batch_that_is_published_during_a_check(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_repository(path) as writer:
        writer.add(make_capture(3), [make_exchange(data=b"x")])
        _when_asked(monkeypatch, "staged", _nothing, writer.publish)
        assert check(path) == []
        assert len(writer.releases()) == 3


def test_a_file_that_grows_and_is_finished_during_a_check(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_repository(path) as writer:
        writer.add(make_capture(3), [make_exchange(data=b"x")])

        def finish() -> None:
            writer.add(make_capture(4), [make_exchange(data=b"y")])
            writer.publish()

        _when_asked(monkeypatch, "archive_files", _nothing, finish)
        assert check(path) == []
        assert len(writer.releases()) == 3


def test_a_writer_that_begins_during_a_check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file has no index yet."""
    with open_repository(path) as writer:

        def begin() -> None:
            writer.add(make_capture(3), [make_exchange(data=b"x")])

        _when_asked(monkeypatch, "archive_files", begin, _nothing)
        assert check(path) == []
        assert len(writer) == 3
