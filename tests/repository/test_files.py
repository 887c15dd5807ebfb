"""Files are whole or absent, whatever fails; files that grow end at their last commit."""

from __future__ import annotations

import errno
import os
import zipfile
from typing import TYPE_CHECKING, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.repository.faulty import (
    Counting,
    Failing,
    Killing,
    PowerLoss,
    ShortWrites,
    failure_points,
    run_until_killed,
)

from webgeist.errors import StorageError
from webgeist.repository.files import AppendFile, move, unfinished, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.files import Files

OLD, NEW = b"old", os.urandom(3_000_000)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_bytes(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    write_atomically(path, NEW)
    assert path.read_bytes() == NEW
    assert names(path.parent) == ["file"]


def test_the_order_of_operations(tmp_path: Path) -> None:
    """Written, synced, renamed, and then the folder is synced."""
    disk = Counting()
    write_atomically(tmp_path / "file", b"x", disk)
    after = [point.removeprefix("after_") for point in disk.points if point.startswith("after_")]
    assert after == ["make_folder", "create", "write", "sync", "rename", "sync_folder"]


def test_a_new_folder_is_known_to_the_one_above_it(tmp_path: Path) -> None:
    disk = Counting()
    disk.make_folder(tmp_path / "a" / "b")
    assert disk.points.count("after_sync_folder") == 2


def test_other_libraries_can_write(tmp_path: Path) -> None:
    table = pa.table({"a": [1, 2, 3]})
    write_atomically(
        tmp_path / "t.parquet", lambda file: pq.write_table(table, file), ShortWrites()
    )
    assert pq.read_table(tmp_path / "t.parquet") == table

    def pack(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w") as package:
            package.writestr("a", NEW)
            package.writestr("b", b"x")

    write_atomically(tmp_path / "x.zip", pack, ShortWrites())
    with zipfile.ZipFile(tmp_path / "x.zip") as package:
        assert package.read("a") == NEW


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_refusal_at_every_point_leaves_old_or_new(tmp_path: Path, number: int) -> None:
    path = tmp_path / "file"
    disk = Failing(1 << 30, number)
    write_atomically(path, NEW, disk)
    for n in range(len(disk.points)):
        path.write_bytes(OLD)
        with pytest.raises(StorageError, match=os.strerror(number)):
            write_atomically(path, NEW, Failing(n, number))
        assert path.read_bytes() in (OLD, NEW)
        assert names(tmp_path) == ["file"]


def test_a_disk_that_stays_broken_says_what_it_left(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        write_atomically(tmp_path / "file", NEW, Failing(3, errno.EIO, stays=True))
    (left,) = unfinished(tmp_path)
    cause = caught.value.__cause__
    assert cause
    assert f"{left} could not be removed" in "".join(cause.__notes__)


def test_another_error_leaves_nothing(tmp_path: Path) -> None:
    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_atomically(tmp_path / "file", fail)
    assert names(tmp_path) == []


@pytest.mark.parametrize("kind", [Killing, PowerLoss])
def test_killed_at_every_point_old_or_new(tmp_path: Path, kind: type[Killing]) -> None:
    path = tmp_path / "file"

    def work(files: Files) -> None:
        write_atomically(path, NEW, files)

    points = failure_points(work)
    for n in range(len(points)):
        path.write_bytes(OLD)
        assert run_until_killed(work, n, kind)
        assert path.read_bytes() in (OLD, NEW)
        assert set(names(tmp_path)) == {"file", *(left.name for left in unfinished(tmp_path))}
    assert path.read_bytes() == NEW


def test_move(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    move(tmp_path / "a", tmp_path / "lost" / "a")
    assert names(tmp_path) == ["lost"]
    with pytest.raises(StorageError):
        move(tmp_path / "a", tmp_path / "lost" / "a")


def test_what_grows(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "file", ShortWrites())
    file.write(b"one")
    assert (file.length, file.committed, file.dirty) == (3, 0, True)
    file.commit()
    assert (tmp_path / "file").read_bytes() == b"one"
    file.write(NEW)
    file.cut(file.committed)
    assert (tmp_path / "file").read_bytes() == b"one"
    assert (file.length, file.dirty, file.closed) == (3, False, True)
    with pytest.raises(ValueError, match="is closed"):
        file.commit()


def test_without_a_commit_there_is_no_file(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "file")
    file.write(NEW)
    file.cut(file.committed)
    assert names(tmp_path) == []


def test_there_must_be_none_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        AppendFile(tmp_path / "file")


def test_the_first_commit_makes_the_name_durable(tmp_path: Path) -> None:
    disk = Counting()
    file = AppendFile(tmp_path / "file", disk)
    for _ in range(2):
        file.write(b"x")
        file.commit()
    file.close()
    assert disk.points.count("after_sync") == 2
    assert disk.points.count("after_sync_folder") == 1
