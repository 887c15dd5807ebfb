"""An export appears whole or not at all, whatever the disk does."""

from __future__ import annotations

import errno
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.repository.faulty import Failing, failure_points

from webgeist.errors import StorageError, UsageError
from webgeist.repository.export.folder import MANIFEST, ExportFolder, refuse_existing

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from webgeist.repository.files import Files


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def export(folder: Path, word: bytes, files: Files) -> None:
    with ExportFolder(folder, files) as made:
        one = made.write("one.csv", lambda target: target.write(word))
        assert (one.bytes, one.sha256) == (len(word), sha256(word).hexdigest())
        made.write("below/two.csv", lambda target: target.write(word * 2))
        made.finish(word)


def whole(word: bytes) -> dict[str, bytes]:
    return {"one.csv": word, "below/two.csv": word * 2, MANIFEST: word}


def test_at_every_failure_nothing_is_half(tmp_path: Path) -> None:
    """Before the names are given what was there stays; a manifest means that all is there."""
    points = failure_points(lambda files: export(tmp_path / "count", b"new", files))
    for number in range(len(points)):
        folder = tmp_path / str(number)
        export(folder, b"old", Failing(10**9, errno.ENOSPC))
        with pytest.raises(StorageError):
            export(folder, b"new", Failing(number, errno.ENOSPC))
        found = contents(folder)
        for name, data in found.items():
            assert data in (whole(b"old")[name], whole(b"new")[name]), points[number]
        if MANIFEST in found:
            assert found in (whole(b"old"), whole(b"new")), points[number]
    assert len(points) > 20


def test_an_interrupt_leaves_what_was_there(tmp_path: Path) -> None:
    def interrupted(target: BinaryIO) -> None:
        target.write(b"half")
        raise KeyboardInterrupt

    folder = tmp_path / "x"
    with ExportFolder(folder) as made:
        made.write("one.csv", lambda target: target.write(b"old"))
        made.finish(b"{}")
    with ExportFolder(folder) as made:
        made.write("two.csv", lambda target: target.write(b"new"))
        with pytest.raises(KeyboardInterrupt):
            made.write("one.csv", interrupted)
    assert contents(folder) == {"one.csv": b"old", MANIFEST: b"{}"}
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, "one.csv"]


def test_what_is_there_is_in_the_way(tmp_path: Path) -> None:
    refuse_existing(tmp_path, ["a"])
    (tmp_path / "a").touch()
    with pytest.raises(UsageError, match="exists already"):
        refuse_existing(tmp_path, ["b", "a"])
    (tmp_path / "a").rename(tmp_path / MANIFEST)
    with pytest.raises(UsageError, match=r"manifest\.json exists already"):
        refuse_existing(tmp_path, [])
