"""Pictures are stored once, under the hash of their bytes, and durably in any case."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from tests.repository.faulty import Counting
from tests.repository.making import make_capture

from webgeist.repository.layout import Layout
from webgeist.repository.pictures import keep_pictures, picture_name

if TYPE_CHECKING:
    from pathlib import Path


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
