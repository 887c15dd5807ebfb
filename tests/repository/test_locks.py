"""One writer, told by name to the one who has to wait; readers hold on to what they read."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.errors import BusyError, DamagedError, StorageError
from webgeist.repository.locks import Pin, WriterLock, seize
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

HOLDS = """
import sys
from pathlib import Path
from webgeist.repository.locks import WriterLock
lock = WriterLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    """Another process that is the writer."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path / "writer.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def _end(process: subprocess.Popen[str], how: signal.Signals) -> None:
    with process:
        process.send_signal(how)


def test_the_second_writer_is_told_who_the_first_is(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    with pytest.raises(BusyError, match=rf"in use by process {holder.pid} \(-c, since 20"):
        WriterLock(tmp_path / "writer.lock")
    _end(holder, signal.SIGKILL)
    lock = WriterLock(tmp_path / "writer.lock")
    assert lock.crashed, "it did not say goodbye"
    lock.release()
    lock = WriterLock(tmp_path / "writer.lock")
    assert not lock.crashed
    lock.release(clean=False)
    lock = WriterLock(tmp_path / "writer.lock")
    assert lock.crashed
    lock.release()


def test_a_holder_that_has_not_said_who_it_is(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    (tmp_path / "writer.lock").write_text("")
    with pytest.raises(BusyError, match="in use by another process"):
        WriterLock(tmp_path / "writer.lock")
    lock.release()


def test_two_writers_of_one_repository(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 1), open_repository(tmp_path / "r") as second:
        assert len(second) == 1, "reading is free"
        with pytest.raises(BusyError, match=f"process {os.getpid()}"):
            second.add(make_capture(2))
        for change in (second.claim, second.publish, second.collect_garbage):
            with pytest.raises(BusyError, match="in use"):
                change()
    with open_repository(tmp_path / "r") as third:
        third.add(make_capture(2))
        assert len(third) == 2


def test_a_pin_keeps_others_from_seizing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("contents")
    with Pin(path) as pin, Pin(path):
        assert pin.read() == b"contents"
        assert seize(path) is None
    seized = seize(path)
    assert seized is not None
    os.close(seized)
    with pytest.raises(ValueError, match="released"):
        pin.read()


def test_a_pin_on_what_is_gone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Pin(tmp_path / "gone")


def test_a_file_that_goes_while_it_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector has it at that moment: whoever waited must see that it is gone."""
    path = tmp_path / "file"
    path.touch()
    lock = fcntl.flock

    def remove_first(descriptor: int, how: int) -> None:
        path.unlink()
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", remove_first)
    with pytest.raises(FileNotFoundError):
        Pin(path)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Neither writers nor readers can be safe there: they say so."""
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    descriptors = _open_files()
    with open_repository(tmp_path / "r") as repository:
        assert len(repository) == 1
        for use in (repository.claim, repository.release):
            with pytest.raises(StorageError, match="cannot be locked") as caught:
                use()
            assert "a local disk" in str(caught.value.remedy)
    del caught
    assert _open_files() == descriptors, "nothing is left open"


def _open_files() -> int:
    return psutil.Process().num_fds()


def test_who_writes_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut the next one must know that somebody was at work."""
    synced = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor)))
    lock = WriterLock(tmp_path / "writer.lock")
    assert [found.st_ino for found in synced] == [(tmp_path / "writer.lock").stat().st_ino]
    assert synced[0].st_size > 0
    lock.release()


def test_what_cannot_be_pinned(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DamagedError, match="Not a directory"):
        Pin(tmp_path / "file" / "batch.json")
