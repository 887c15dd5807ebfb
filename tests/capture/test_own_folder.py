"""Temporary folders and their owners."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webgeist.capture.own_folder import OwnFolder

PREFIX = "webgeist-test-"
# Two folders: one whose owner is killed, one whose owner lives on.
KILLED = f"""
import os, signal
from webgeist.capture.own_folder import OwnFolder
print(OwnFolder({PREFIX!r}).path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def orphan() -> Path:
    done = subprocess.run([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, check=False)
    path = Path(done.stdout.decode().strip())
    assert path.is_dir()
    return path


def test_the_next_one_removes_what_a_killed_one_left(temporary: Path) -> None:
    mine, left, young = OwnFolder(PREFIX), orphan(), orphan()
    other = temporary / f"{PREFIX}other"
    other.mkdir()
    for path in (mine.path, left):
        os.utime(path / ".owner", (0, 0))
    (left / "file").write_text("left")
    next_one = OwnFolder(PREFIX)
    assert not left.exists()
    assert {mine.path, young, other, next_one.path} == set(temporary.iterdir())
    for folder in (mine, next_one):
        folder.remove()
    assert {young, other} == set(temporary.iterdir())
