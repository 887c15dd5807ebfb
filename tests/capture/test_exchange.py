"""Bodies: many in one file, each whole, gone with the last."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.exchange import Body, Spool
from webgeist.errors import StorageError

if TYPE_CHECKING:
    from pathlib import Path


@given(st.lists(st.tuples(st.integers(0, 3), st.binary(max_size=300)), max_size=40))
def test_bodies_that_come_in_turns_stay_apart(pieces: list[tuple[int, bytes]]) -> None:
    spool = Spool()
    bodies = [Body(spool) for _ in range(4)]
    expected = [b"", b"", b"", b""]
    for number, piece in pieces:
        bodies[number].write(piece)
        expected[number] += piece
    for body, whole in zip(bodies, expected, strict=True):
        assert body.read() == whole
        assert body.size == len(whole)
        assert body.sha256 == hashlib.sha256(whole).hexdigest()
        body.close()


def test_a_large_body_is_in_a_file_and_comes_in_pieces(tmp_path: Path) -> None:
    body = Body(Spool(tmp_path))
    for _ in range(6):
        body.write(os.urandom(1 << 20))
    assert max(map(len, body.chunks())) <= 1 << 16
    assert sum(map(len, body.chunks())) == body.size == 6 << 20
    assert body.read() == body.read()
    body.close()


def test_a_body_can_be_read_and_written_in_turns() -> None:
    body = Body()
    body.write(b"one")
    assert body.read() == b"one"
    body.write(b"two")
    assert body.read() == b"onetwo"
    body.close()


def test_the_file_goes_with_the_last_body() -> None:
    spool = Spool()
    first, second = Body(spool), Body(spool)
    first.write(b"first")
    second.write(b"second")
    first.close()
    first.close()  # twice is once
    assert second.read() == b"second"
    second.close()
    with pytest.raises(ValueError, match="closed"):
        second.read()


def test_threads_may_read_at_the_same_time() -> None:
    spool = Spool()
    bodies = [Body(spool) for _ in range(4)]
    for _ in range(20):
        for number, body in enumerate(bodies):
            body.write(bytes([number]) * 100_000)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda body: set(body.read()), bodies * 4))
    assert found == [{0}, {1}, {2}, {3}] * 4
    for body in bodies:
        body.close()


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    spool = Spool()
    body = Body(spool)

    def full(_: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spool._file, "write", full)
    with pytest.raises(StorageError, match=tempfile.gettempdir()):
        body.write(b"data")
    assert body.size == 0
    body.close()
