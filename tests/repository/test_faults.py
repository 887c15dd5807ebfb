"""Whatever stops a writer, and wherever: the repository opens, and holds what was committed.

The disk is as it was until an operation is done, so the points after operations are all there are.
A normal run tries those after renames, where things become visible, and some of the others; all of
them are tried by ./test -m slow.
"""

from __future__ import annotations

import errno
import os
import shutil
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.faulty import (
    Failing,
    Killing,
    PowerLoss,
    ShortWrites,
    failure_points,
    run_until_killed,
)
from tests.repository.making import make_capture, new_repository, same

from webgeist.errors import StorageError
from webgeist.repository import batch
from webgeist.repository.check import check
from webgeist.repository.ids import capture_id
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository
from webgeist.repository.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webgeist.capture.exchange import Exchange
    from webgeist.repository.files import Files

BEFORE = (0, 1, 2)  # in release 1, 2, 3
STAGED = 3
NODES = {10: 5, 11: 1, 12: 0}  # what is added: the first alone, then two together


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with three releases and a staged batch, all with exchanges."""
    path = tmp_path_factory.mktemp("faults") / "start"
    with new_repository(path) as repository:
        for number in BEFORE:
            repository.add(make_capture(number), [make_exchange(number=number)])
            repository.publish()
        repository.add(make_capture(STAGED), [make_exchange(number=STAGED)])
    close_bodies()
    yield path
    shutil.rmtree(path)


class PowerLossWithFolders(PowerLoss):
    """Knows that the files in a folder move with it, and may be gone with it."""

    def _after_rename(self, nothing: None, source: Path, target: Path) -> None:
        super()._after_rename(nothing, source, target)
        self._synced = {_moved(path, source, target): n for path, n in self._synced.items()}
        self._new_names = {_moved(path, source, target) for path in self._new_names}

    def die(self) -> None:
        self._renamed = [each for each in self._renamed if each[0].exists() or each[1].exists()]
        super().die()


def _moved(path: Path, source: Path, target: Path) -> Path:
    return target / path.name if path.parent == source else path


class Work:
    """Everything a writer does: add, a batch, publish with compaction, removal, collection.

    After each step a line in a file says how far it has got: what stands there must be kept.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.log = path.with_name(path.name + ".log")

    def __call__(self, files: Files) -> None:
        with open_repository(self.path, files=files) as repository:
            one, *pair = [(make_capture(n, nodes=NODES[n]), [_exchange(n)]) for n in NODES]
            self.did("add", repository.add(*one))
            with repository.batch() as batch:
                ids = [batch.add(*each) for each in pair]
            self.did("add", *ids)
            self.did("publish", str(repository.publish()))
            repository.remove_release(1)
            self.did("remove", "1")
            repository.collect_garbage()
        self.did("closed")

    def did(self, *words: str) -> None:
        with self.log.open("a") as file:
            file.write(" ".join(words) + "\n")

    def done(self) -> list[list[str]]:
        if not self.log.exists():
            return []
        return [line.split() for line in self.log.read_text().splitlines()]


def _exchange(number: int) -> Exchange:
    return make_exchange(data=b"body %d" % (number % 2), number=number)


def verify(work: Work) -> None:
    """Opens without a repair, holds exactly what was committed, and can be written to again."""
    count = _look(work)
    assert check(work.path) == []
    with open_repository(work.path) as repository:
        again = repository.add(make_capture(99), [_exchange(99)])
        number = repository.publish()
        repository.collect_garbage()
        assert same(repository.release(number).capture(again), make_capture(99))
        assert len(repository.release()) == count + 1
    close_bodies()
    assert check(work.path) == []


def _look(work: Work) -> int:
    """The number of captures, each of which is what was added."""
    before = {capture_id(make_capture(n).info): make_capture(n) for n in (*BEFORE, STAGED)}
    later = {capture_id(make_capture(n).info): make_capture(n, nodes=NODES[n]) for n in NODES}
    said = {id_ for line in work.done() if line[0] == "add" for id_ in line[1:]}
    published = [int(line[1]) for line in work.done() if line[0] == "publish"]
    with open_repository(work.path, readonly=True) as repository:
        found = {entry.capture for entry in repository.captures()}
        one, *pair = later
        under_way = found - set(before) - said  # there wholly or not at all
        assert found >= set(before) | said
        assert under_way in (set(), {one}, set(pair))
        release = repository.release()
        assert release.number >= max([len(BEFORE), *published])
        for id_ in found:
            assert same(repository.capture(id_), (before | later)[id_])
        ids = release.captures().column("capture").to_pylist()
        assert len(release) == len(ids) == len(set(ids))
        assert set(ids) <= found
    return len(found)


def _copy(start: Path, target: Path) -> Work:
    shutil.copytree(start, target)
    return Work(target)


@pytest.fixture(scope="module")
def points(start: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    found = failure_points(_copy(start, tmp_path_factory.mktemp("count") / "r"))
    close_bodies()
    assert {"before_rename", "after_sync_folder", "before_write", "after_remove"} <= set(found)
    return found


def _after(points: list[str], *names: str) -> list[int]:
    """The points after operations; only those with these names, where given."""
    wanted = {f"after_{name}" for name in names}
    return [n for n, name in enumerate(points) if name in wanted or (not names and "after" in name)]


def _some(points: list[str]) -> list[int]:
    return sorted({*_after(points, "rename"), *_after(points)[::24]})


def _run_all(start: Path, folder: Path, numbers: list[int], kind: Callable[[int], Killing]) -> None:
    for n in numbers:
        work = _copy(start, folder / str(n))
        assert run_until_killed(work, n, kind)
        verify(work)
        shutil.rmtree(work.path)


def test_nothing_goes_wrong(start: Path, tmp_path: Path) -> None:
    work = _copy(start, tmp_path / "r")
    work(ShortWrites())
    assert work.done()[-1] == ["closed"]
    verify(work)


@pytest.mark.parametrize("part", range(2))
def test_killed_somewhere(start: Path, points: list[str], tmp_path: Path, part: int) -> None:
    """SIGKILL at the n-th failure point."""
    _run_all(start, tmp_path, _some(points)[part::2], Killing)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Killing, PowerLossWithFolders])
def test_killed_anywhere(
    start: Path, points: list[str], tmp_path: Path, kind: Callable[[int], Killing]
) -> None:
    """At every point; with a power loss, what was not synced is gone too."""
    _run_all(start, tmp_path, _after(points), kind)


def test_power_lost_somewhere(start: Path, points: list[str], tmp_path: Path) -> None:
    _run_all(start, tmp_path, _after(points)[::16], PowerLossWithFolders)


@pytest.mark.parametrize(("number", "stays"), [(errno.ENOSPC, True), (errno.EIO, False)])
def test_a_disk_that_fails(
    start: Path, points: list[str], tmp_path: Path, number: int, *, stays: bool
) -> None:
    """A StorageError, and the repository is as it was; also if it stays broken until the end."""
    for n in range(2 * stays, len(points), 31):
        _fail_at(n, start, tmp_path, Failing(n, number, stays=stays))


@pytest.mark.slow
@pytest.mark.parametrize("stays", [True, False])
def test_a_disk_that_fails_anywhere(
    start: Path, points: list[str], tmp_path: Path, *, stays: bool
) -> None:
    for n in range(2 * stays, len(points)):
        _fail_at(n, start, tmp_path, Failing(n, errno.ENOSPC, stays=stays))


def _fail_at(n: int, start: Path, folder: Path, disk: Failing) -> None:
    work = _copy(start, folder / str(n))
    with pytest.raises(StorageError, match=os.strerror(disk.number)):
        work(disk)
    close_bodies()
    verify(work)
    shutil.rmtree(work.path)


@pytest.mark.parametrize("step", ["write_batch", "record_batch"])
def test_a_batch_whose_archive_is_committed_but_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The archive and its index must not know more than state.db."""

    def refuse(*_: object, **__: object) -> None:
        raise StorageError("no room")

    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(1), [make_exchange(data=b"one")])
        with monkeypatch.context() as patch:
            patch.setattr(batch if step == "write_batch" else State, step, refuse)
            with pytest.raises(StorageError, match="no room"):
                repository.add(make_capture(2), [make_exchange(data=b"two")])
        assert check(repository) == []
        again = repository.add(make_capture(3), [make_exchange(data=b"two", number=1)])
        repository.publish()
        (row,) = repository.release().table("resources", captures=[again]).to_pylist()
        assert not row["revisit"], "what was undone is not referred to"
    close_bodies()
    assert check(tmp_path / "r") == []
    assert sum(map(len, _index_lines(tmp_path / "r"))) == 2


def _index_lines(path: Path) -> list[list[bytes]]:
    return [file.read_bytes().splitlines() for file in (path / "archive").glob("*.cdxj")]


def test_init_killed_anywhere(tmp_path: Path) -> None:
    def init(name: str, files: Files) -> None:
        init_repository(tmp_path / name, files=files)

    for n, _ in enumerate(failure_points(partial(init, "count"))):
        run_until_killed(partial(init, str(n)), n)
        path = tmp_path / str(n)
        if not (path / "state.db").exists():
            init_repository(path)
        with open_repository(path) as repository:
            assert len(repository) == 0
