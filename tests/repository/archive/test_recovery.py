"""After any crash exactly what was committed is there, and nothing was thrown away."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import (
    NOON,
    PAGE,
    Shelf,
    close_bodies,
    every_kind,
    make_exchange,
)
from tests.repository.faulty import (
    Failing,
    Killing,
    PowerLoss,
    failure_points,
    run_until_killed,
)

from webgeist.errors import StorageError
from webgeist.repository.archive import Original, RecordPlace, recover, scan, write_index
from webgeist.repository.archive.cdxj import format_index
from webgeist.repository.archive.scan import entries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webgeist.repository.archive import ArchiveWriter
    from webgeist.repository.files import Files


class Database:
    """What was committed, in a file that changes in one step: stands for state.db."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, folder: Path) -> Shelf:
        shelf = Shelf(folder)
        if self._path.exists():
            stored = json.loads(self._path.read_text())
            shelf.lengths = stored["lengths"]
            shelf.originals = {
                sha256: Original(RecordPlace(*place), url, NOON)
                for sha256, place, url in stored["originals"]
            }
        return shelf

    def store(self, shelf: Shelf) -> None:
        originals = [
            (sha256, (each.place.file, each.place.offset, each.place.length), each.url)
            for sha256, each in shelf.originals.items()
        ]
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps({"lengths": shelf.lengths, "originals": originals}))
        new.replace(self._path)


def two_batches(folder: Path, database: Database) -> Callable[[Files], None]:
    """A session of two commits over three files, with a revisit and an index at the end."""

    def work(files: Files) -> None:
        shelf = database.load(folder)
        writer = shelf.writer(files, most_bytes=3000)
        add(writer, shelf, "http://h.test/a", b"a" * 100 + os.urandom(2500))
        add(writer, shelf, "http://h.test/b", PAGE)
        database.store(shelf)
        add(writer, shelf, "http://h.test/c", PAGE)
        add(writer, shelf, "http://h.test/d", os.urandom(1_200_000))
        database.store(shelf)
        writer.close()

    def add(writer: ArchiveWriter, shelf: Shelf, url: str, data: bytes) -> None:
        shelf.commit(writer, [writer.append(make_exchange(url, data), "c")])

    return work


def assert_exactly_what_was_committed(shelf: Shelf) -> set[str]:
    """The files end where the database says, are sound, and are indexed. The URLs in them."""
    assert {path.name: path.stat().st_size for path in shelf.warcs} == shelf.lengths
    urls = set()
    for path in shelf.warcs:
        found = list(scan(path, shelf.lengths[path.name]))
        urls |= {record.head.url for record in found if record.head.kind == "metadata"}
        for record in found:
            shelf.reader.verify(record.place)
    assert set(shelf.indexed) == urls
    return urls


@pytest.mark.parametrize("kind", [Killing, PowerLoss])
def test_killed_at_every_point(tmp_path: Path, kind: type[Killing]) -> None:
    """SIGKILL before and after every operation, with and without losing what was not synced."""
    points = failure_points(
        two_batches(tmp_path / "whole" / "archive", Database(tmp_path / "whole.json"))
    )
    assert {"after_write", "before_sync", "after_rename", "before_sync_folder"} <= set(points)
    seen = []
    for n in range(len(points) + 1):
        folder, database = tmp_path / f"{n}" / "archive", Database(tmp_path / f"{n}.json")
        killed = run_until_killed(two_batches(folder, database), n, kind)
        assert killed == (n < len(points))
        shelf = database.load(folder)
        shelf.writer().close()
        found = {
            url.removeprefix("http://h.test/") for url in assert_exactly_what_was_committed(shelf)
        }
        assert found in ({"a", "b", "c", "d"}, {"a", "b"}, set())
        seen.append(len(found))
    assert seen == sorted(seen)
    assert set(seen) == {0, 2, 4}
    close_bodies()


@pytest.mark.parametrize("kind", [Killing, PowerLoss])
def test_killed_while_recovering(tmp_path: Path, kind: type[Killing]) -> None:
    """A crash within the tidying after a crash: the next opening does it."""

    def crashed(folder: Path) -> Shelf:
        shelf = Shelf(folder)
        shelf.keep(make_exchange("http://h.test/a"))
        shelf.keep(make_exchange("http://h.test/b", b"other"))
        for path in shelf.folder.glob("*.cdxj"):
            path.unlink()
        with shelf.warcs[0].open("ab") as file:
            file.write(b"half a record")
        (shelf.folder / "unknown.warc.gz").write_bytes(b"never committed")
        (shelf.folder / "empty.warc.gz").touch()
        return shelf

    def recovering(shelf: Shelf) -> Callable[[Files], object]:
        return lambda files: recover(shelf.folder, shelf.lengths, files)

    points = failure_points(recovering(crashed(tmp_path / "whole")))
    for n in range(len(points)):
        shelf = crashed(tmp_path / str(n))
        assert run_until_killed(recovering(shelf), n, kind)
        shelf.writer().close()
        assert_exactly_what_was_committed(shelf)
        lost = {path.read_bytes() for path in (shelf.folder / "lost").iterdir()}
        assert lost == {b"half a record", b"never committed"}
    close_bodies()


def test_what_lies_beyond_is_moved_aside(shelf: Shelf) -> None:
    shelf.keep(make_exchange("http://h.test/a"))
    (path,) = shelf.warcs
    length = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"beyond")
    moved = recover(shelf.folder, shelf.lengths)
    assert path.stat().st_size == length
    assert [each.relative_to(shelf.folder).as_posix() for each in moved] == [
        f"lost/{path.name.replace('.warc.gz', '.cdxj')}",
        f"lost/{path.name}.from-{length}",
    ]
    assert moved[1].read_bytes() == b"beyond"
    assert_exactly_what_was_committed(shelf)


def test_a_sound_archive_is_left_alone(shelf: Shelf) -> None:
    shelf.keep(make_exchange())
    before = {path.name: path.stat().st_mtime_ns for path in shelf.folder.iterdir()}
    assert recover(shelf.folder, shelf.lengths) == []
    assert {path.name: path.stat().st_mtime_ns for path in shelf.folder.iterdir()} == before


def test_a_damaged_file_does_not_keep_a_writer_out(shelf: Shelf) -> None:
    shelf.keep(make_exchange("http://h.test/a"))
    (damaged,) = shelf.warcs
    os.truncate(damaged, 100)
    for path in shelf.folder.glob("*.cdxj"):
        path.unlink()
    (kept,) = shelf.keep(make_exchange("http://h.test/b", b"other"))
    assert shelf.answer(kept).body.read() == b"other"
    assert damaged.stat().st_size == 100


def test_an_index_made_anew_is_the_one_that_was_written(shelf: Shelf) -> None:
    shelf.keep(*every_kind().values())
    (path,) = shelf.warcs
    (index,) = shelf.folder.glob("*.cdxj")
    written = index.read_bytes()
    assert format_index(entries(path, path.stat().st_size)) == written
    index.unlink()
    write_index(path, path.stat().st_size)
    assert index.read_bytes() == written


def test_a_disk_that_refuses(tmp_path: Path) -> None:
    """At any point of the tidying: it says so, and the next opening does it."""

    def crashed(name: str) -> Shelf:
        shelf = Shelf(tmp_path / name)
        shelf.keep(make_exchange("http://h.test/a"))
        with shelf.warcs[0].open("ab") as file:
            file.write(b"beyond")
        return shelf

    whole = crashed("whole")
    points = failure_points(lambda files: recover(whole.folder, whole.lengths, files))
    for n in range(len(points)):
        shelf = crashed(str(n))
        with pytest.raises(StorageError):
            recover(shelf.folder, shelf.lengths, Failing(n, errno.EIO, stays=True))
        shelf.writer().close()
        assert_exactly_what_was_committed(shelf)
    close_bodies()
