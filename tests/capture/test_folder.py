"""Captures as folders: the same after a round trip, complete or absent, honest about damage."""

from __future__ import annotations

import errno
import json
import os
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from webgeist.capture.folder import open_capture, save
from webgeist.errors import DamagedError, NotFoundError, StorageError

if TYPE_CHECKING:
    from webgeist.capture.model import Capture


@pytest.fixture
def saved(small_capture: Capture, tmp_path: Path) -> Path:
    return save(small_capture, tmp_path / "captures" / "one")


def test_a_folder_has_these_files(saved: Path) -> None:
    assert sorted(path.name for path in saved.iterdir()) == [
        *("capture.json", "links.parquet", "nodes.parquet", "requests.parquet"),
        *("screenshot-0.png", "screenshot-1.png", "styles_inherited.parquet"),
        *("styles_own.parquet", "thumbnail.jpg"),
    ]
    assert saved.stat().st_mode & 0o777 == 0o755


def test_what_was_saved_is_read_again(small_capture: Capture, saved: Path) -> None:
    read = open_capture(saved)
    assert read.info == small_capture.info
    assert asdict(read.info) == asdict(small_capture.info)
    assert read.ok
    assert read.links.equals(small_capture.links)
    assert read.requests.equals(small_capture.requests)
    assert read.thumbnail == small_capture.thumbnail
    assert read.screenshot == small_capture.screenshot
    one, other = small_capture.page, read.page
    assert one is not None
    assert other is not None
    assert other.nodes.equals(one.nodes)
    assert other.styles_inherited.equals(one.styles_inherited)
    assert other.styles_own.equals(one.styles_own)
    assert other.documents == one.documents
    assert other.text(0) == one.text(0)


def test_a_capture_without_a_page_is_kept_too(failed_capture: Capture, tmp_path: Path) -> None:
    read = open_capture(save(failed_capture, tmp_path / "failed"))
    assert read.info == failed_capture.info
    assert (read.page, read.screenshot, read.thumbnail) == (None, None, None)
    assert read.links.num_rows == 0
    assert read.requests.equals(failed_capture.requests)


def test_a_read_capture_can_be_saved_again(saved: Path, tmp_path: Path) -> None:
    again = open_capture(saved).save(tmp_path / "again")
    for path in saved.iterdir():
        if path.suffix != ".parquet":
            assert (again / path.name).read_bytes() == path.read_bytes()
        else:
            assert pq.read_table(again / path.name).equals(pq.read_table(path))


def test_an_existing_folder_is_not_touched(small_capture: Capture, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("mine")
    for name in ("there", "file"):
        with pytest.raises(StorageError, match="exists already"):
            save(small_capture, tmp_path / name)
    assert list((tmp_path / "there").iterdir()) == []
    assert (tmp_path / "file").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_in_the_way_is_a_storage_error(small_capture: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StorageError) as caught:
        save(small_capture, tmp_path / "file" / "capture")
    assert caught.value.remedy
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("number", range(22))
def test_a_disk_that_is_full_at_any_moment_leaves_nothing(
    small_capture: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Each write, flush and rename fails once; the last numbers find nothing left to fail."""
    left = [number]

    def failing(real: object) -> object:
        def call(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == -1:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            assert callable(real)
            return real(*arguments, **options)

        return call

    monkeypatch.setattr(pq, "write_table", failing(pq.write_table))
    monkeypatch.setattr(Path, "write_bytes", failing(Path.write_bytes))
    monkeypatch.setattr(Path, "rename", failing(Path.rename))
    monkeypatch.setattr(os, "fsync", failing(os.fsync))
    target = tmp_path / "capture"
    if number >= 20:
        assert open_capture(save(small_capture, target)).ok
        return
    with pytest.raises(StorageError, match="No space left") as caught:
        save(small_capture, target)
    assert caught.value.remedy == "free some space, or choose another folder"
    whole = number == 19  # the very last flush: the capture has its place already
    assert [path.name for path in tmp_path.iterdir()] == (["capture"] if whole else [])


def test_an_interruption_leaves_nothing(
    small_capture: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(small_capture, tmp_path / "capture")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["missing", "empty", "file"])
def test_where_there_is_no_capture_it_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotFoundError, match="no capture in"):
        open_capture(tmp_path / name)


@pytest.mark.parametrize("raw", [b"", b"{", b"{}", b"[]", b"\xff\xfe", b'{"outcome": "ok"}'])
def test_a_broken_capture_json_is_damage(saved: Path, raw: bytes) -> None:
    (saved / "capture.json").write_bytes(raw)
    with pytest.raises(DamagedError, match=r"capture\.json is damaged"):
        open_capture(saved)


def rewrite(folder: Path, **changes: object) -> None:
    path = folder / "capture.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def test_a_capture_from_before_recorders_had_a_name(saved: Path) -> None:
    path = saved / "capture.json"
    told = json.loads(path.read_text("utf-8"))
    del told["recorder"]
    path.write_text(json.dumps(told), "utf-8")
    assert open_capture(saved).info.recorder is None


def test_a_newer_format_is_refused_with_the_version_that_wrote_it(saved: Path) -> None:
    rewrite(saved, format=2, webgeist="9.9", news="x")
    with pytest.raises(DamagedError, match=r"written by webgeist 9\.9") as caught:
        open_capture(saved)
    assert "newer" in str(caught.value.remedy)


def test_a_newer_format_may_have_other_fields(saved: Path) -> None:
    rewrite(saved, format=2, webgeist="9.9", outcome="paywalled")
    with pytest.raises(DamagedError, match=r"written by webgeist 9\.9"):
        open_capture(saved)


@pytest.mark.parametrize("name", ["nodes", "styles_own", "styles_inherited", "links", "requests"])
@pytest.mark.parametrize("damage", ["missing", "empty", "half", "noise"])
def test_a_damaged_table_is_named(saved: Path, name: str, damage: str) -> None:
    path = saved / f"{name}.parquet"
    raw = path.read_bytes()
    path.unlink()
    if damage != "missing":
        broken = {"empty": b"", "half": raw[: len(raw) // 2], "noise": os.urandom(len(raw))}
        path.write_bytes(broken[damage])
    read = open_capture(saved)
    with pytest.raises(DamagedError, match=name):
        _ = read.links, read.requests, read.page


def test_a_table_of_another_kind_is_damage(saved: Path) -> None:
    shutil.copy(saved / "links.parquet", saved / "nodes.parquet")
    read = open_capture(saved)
    with pytest.raises(DamagedError, match="nodes"):
        _ = read.page


def test_a_missing_picture_is_damage(saved: Path) -> None:
    (saved / "screenshot-1.png").unlink()
    read = open_capture(saved)
    with pytest.raises(DamagedError, match="picture"):
        _ = read.screenshot


def test_damage_in_one_part_leaves_the_others_readable(saved: Path, small_capture: Capture) -> None:
    (saved / "nodes.parquet").unlink()
    read = open_capture(saved)
    assert read.links.equals(small_capture.links)
    assert read.info == small_capture.info
