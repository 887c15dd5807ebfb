"""Pictures are stored once, under the hash of their bytes, and durably in any case."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from tests.repository.faulty import Counting
from tests.repository.making import make_capture

from webgeist.repository.layout import Layout
from webgeist.repository.pictures import Pictures, picture_name

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from webgeist.capture.model import Capture
    from webgeist.repository.files import Files


def keep_pictures(capture: Capture, layout: Layout, files: Files) -> tuple[list[str], str | None]:
    pictures = Pictures(layout, files)
    names = pictures.keep(capture)
    pictures.commit()
    return names


def test_names() -> None:
    digest = sha256(b"x").hexdigest()
    assert picture_name(b"x", "jpeg") == f"{digest[:2]}/{digest}.jpg"
    assert picture_name(b"x", "png") == f"{digest[:2]}/{digest}.png"


def test_once(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    tiles, thumbnail = keep_pictures(make_capture(1), layout, Counting())
    assert thumbnail
    assert [layout.picture(name).is_file() for name in (*tiles, thumbnail)] == [True, True]
    again = Counting()
    assert keep_pictures(make_capture(4), layout, again) == (tiles, thumbnail)
    assert "after_write" not in again.points


def test_one_that_is_there_is_made_sure_of(tmp_path: Path) -> None:
    """Its writer may have been killed before the folder was synced."""
    layout = Layout(tmp_path)
    keep_pictures(make_capture(1), layout, Counting())
    again = Counting()
    keep_pictures(make_capture(1), layout, again)
    assert again.points.count("after_sync_folder") == 2


def test_one_that_is_cut_off_is_written_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    (name,), _ = keep_pictures(make_capture(1), layout, Counting())
    whole = layout.picture(name).read_bytes()
    layout.picture(name).write_bytes(whole[:-1])
    keep_pictures(make_capture(1), layout, Counting())
    assert layout.picture(name).read_bytes() == whole


def test_a_failed_capture_has_none(tmp_path: Path) -> None:
    tiles, _ = keep_pictures(make_capture(1, nodes=0), Layout(tmp_path), Counting())
    assert tiles == []


def test_those_of_a_batch_are_synced_together(tmp_path: Path) -> None:
    """All are written before the first is waited for, and none has its name before its bytes."""
    disk = Counting()
    pictures = Pictures(Layout(tmp_path), disk)
    kept = [pictures.keep(make_capture(number)) for number in range(3)]
    pictures.commit()
    names = {name for tiles, thumbnail in kept for name in (*tiles, thumbnail)}
    last_write = max(n for n, point in enumerate(disk.points) if point == "after_write")
    syncs = [n for n, point in enumerate(disk.points) if point == "after_sync"]
    assert len(syncs) == len(names) < 6, "pages share a thumbnail"
    assert last_write < syncs[0]
    assert syncs[-1] < disk.points.index("before_rename")
    assert disk.points[-1] == "after_sync_folder"
    assert len(_files(tmp_path)) == len(names)


def test_many_do_not_wait_for_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may have only so many files open."""
    monkeypatch.setattr("webgeist.repository.pictures._MOST_OPEN", 2)
    pictures = Pictures(Layout(tmp_path), Counting())
    pictures.keep(make_capture(1))
    assert len(_files(tmp_path)) == 2
    pictures.keep(make_capture(2))
    assert [path.suffix for path in _files(tmp_path)].count(".unfinished") == 1
    pictures.discard()
    assert len(_files(tmp_path)) == 2


def test_what_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    pictures = Pictures(Layout(tmp_path), Counting())
    pictures.keep(make_capture(1))
    pictures.discard()
    pictures.commit()
    assert _files(tmp_path) == []


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
