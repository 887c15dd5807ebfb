"""A WACZ file holds what the archive holds, and the format's own validator finds it valid."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import NOON, Shelf, every_kind, make_exchange
from tests.repository.archive.test_pywb import install
from tests.repository.faulty import Failing

from webgeist.errors import DamagedError, StorageError
from webgeist.repository.archive import ArchivedPage, export_wacz

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [ArchivedPage("capture-1", "http://h.test/page", NOON, 'A "page" — of ours')]


@pytest.fixture
def exported(shelf: Shelf, tmp_path: Path) -> Path:
    shelf.keep(*every_kind().values())
    shelf.keep(make_exchange("http://later.test/copy", number=40))
    target = tmp_path / "ours.wacz"
    export_wacz(target, shelf.folder, shelf.lengths, PAGES, NOON)
    return target


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        assert {info.compress_type for info in package.infolist()} == {zipfile.ZIP_STORED}
        return {info.filename: package.read(info) for info in package.infolist()}


def test_every_file_is_named_with_its_digest(exported: Path) -> None:
    found = contents(exported)
    described = json.loads(found.pop("datapackage.json"))
    digest = json.loads(found.pop("datapackage-digest.json"))
    assert described["wacz_version"] == "1.1.1"
    assert {each["path"]: (each["hash"], each["bytes"]) for each in described["resources"]} == {
        path: (f"sha256:{hashlib.sha256(data).hexdigest()}", len(data))
        for path, data in found.items()
    }
    whole = contents(exported)["datapackage.json"]
    assert digest["hash"] == f"sha256:{hashlib.sha256(whole).hexdigest()}"


def test_warc_files_are_whole(exported: Path, shelf: Shelf) -> None:
    found = contents(exported)
    for path in shelf.warcs:
        assert found[f"archive/{path.name}"] == path.read_bytes()


def test_only_what_was_committed_is_exported(shelf: Shelf, tmp_path: Path) -> None:
    shelf.keep(make_exchange())
    (path,) = shelf.warcs
    whole = path.read_bytes()
    path.write_bytes(whole + b"half a record")
    export_wacz(tmp_path / "x.wacz", shelf.folder, shelf.lengths, [], NOON)
    assert contents(tmp_path / "x.wacz")[f"archive/{path.name}"] == whole


def test_the_index_is_that_of_the_archive(exported: Path, shelf: Shelf) -> None:
    found = contents(exported)
    lines = gzip.decompress(found["indexes/index.cdx.gz"]).splitlines()
    beside = [
        line for path in shelf.folder.glob("*.cdxj") for line in path.read_bytes().splitlines()
    ]
    assert lines == sorted(beside)
    assert len(lines) > 10


def test_blocks_of_the_index_can_be_read_alone(shelf: Shelf, tmp_path: Path) -> None:
    shelf.keep(
        *(make_exchange(f"http://h.test/{number:04}", b"x", number=number) for number in range(700))
    )
    export_wacz(tmp_path / "x.wacz", shelf.folder, shelf.lengths, [], NOON)
    found = contents(tmp_path / "x.wacz")
    meta, *blocks = found["indexes/index.idx"].decode().splitlines()
    assert json.loads(meta.removeprefix("!meta 0 "))["filename"] == "index.cdx.gz"
    assert len(blocks) == 3
    for line in blocks:
        key, _, place = line.split(" ", 2)
        start, length = json.loads(place)["offset"], json.loads(place)["length"]
        block = found["indexes/index.cdx.gz"][start : start + length]
        assert gzip.decompress(block).decode().startswith(key + " ")


def test_pages(exported: Path) -> None:
    head, page = map(json.loads, contents(exported)["pages/pages.jsonl"].splitlines())
    assert head["format"] == "json-pages-1.0"
    assert page == {
        "id": "capture-1",
        "url": "http://h.test/page",
        "ts": "2024-02-29T12:00:00Z",
        "title": 'A "page" — of ours',
    }


def test_damage_is_not_exported(shelf: Shelf, tmp_path: Path) -> None:
    shelf.keep(make_exchange())
    (path,) = shelf.warcs
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedError, match=path.name):
        export_wacz(tmp_path / "x.wacz", shelf.folder, shelf.lengths, [], NOON)
    assert [each.name for each in tmp_path.iterdir()] == ["archive"]


def test_a_full_disk_leaves_nothing(shelf: Shelf, tmp_path: Path) -> None:
    shelf.keep(make_exchange())
    with pytest.raises(StorageError):
        export_wacz(
            tmp_path / "x.wacz", shelf.folder, shelf.lengths, [], NOON, files=Failing(7, 28)
        )
    assert [each.name for each in tmp_path.iterdir()] == ["archive"]


def assert_valid(path: Path, folder: Path) -> None:
    """By the format's own validator, which is installed into `folder`."""
    programs = install(folder, "wacz==0.6.0")
    command = [str(programs / "wacz"), "validate", "-f", str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Validation succeeded" in checked.stdout, checked.stdout + checked.stderr
    assert checked.returncode == 0


@pytest.mark.slow
def test_the_validator_finds_it_valid(
    exported: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert_valid(exported, tmp_path_factory.mktemp("wacz"))
