"""A release leaves as files that hold what it holds."""

from __future__ import annotations

import csv
import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image
from tests.repository.making import OWN, make_capture, new_repository, plain

from webgeist.errors import DamagedError, NotFoundError, StorageError, UsageError
from webgeist.repository.export.tables import export_release
from webgeist.repository.files import Disk, write_atomically
from webgeist.repository.ids import capture_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import ReadableBuffer

    from webgeist.repository.release import Release

IDS = [capture_id(make_capture(number).info) for number in range(3)]


@pytest.fixture
def release(tmp_path: Path) -> Iterator[Release]:
    """Two files of different longhands; the second capture has no page and no picture."""
    with new_repository(tmp_path / "r", 0) as repository:
        repository.publish()
        with repository.batch() as batch:
            batch.add(make_capture(1, nodes=0))
            batch.add(make_capture(2, own=(*OWN, "-webkit-later")))
        repository.publish()
        yield repository.release()


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return plain(pq.read_table(path))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_bytes().splitlines()]
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("form", ["parquet", "jsonl", "csv"])
def test_every_table_and_a_manifest_that_fits(release: Release, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "out"
    heard: list[str] = []
    done = release.export(folder, release.tables(), form=form, on_file=heard.append)
    told = json.loads((folder / "manifest.json").read_bytes())
    assert (told["release"], told["format"]) == (2, form)
    assert heard == [f"{name}.{form}" for name in release.tables()]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*heard, "manifest.json"])
    for name, table in told["tables"].items():
        (file,) = table["files"]
        data = (folder / file["file"]).read_bytes()
        assert (file["bytes"], file["sha256"]) == (len(data), sha256(data).hexdigest())
        assert table["rows"] == release.manifest.tables[name].rows == done.tables[name].rows
        assert len(read(folder / file["file"])) == table["rows"]
        assert table["columns"] == list(release.columns(name))


def test_values_in_each_form(release: Release, tmp_path: Path) -> None:
    for form in ("parquet", "jsonl", "csv"):
        release.export(tmp_path / form, ["nodes", "styles_own"], form=form)
    expected = plain(release.table("nodes"))
    assert read(tmp_path / "parquet" / "nodes.parquet") == expected
    lines = read(tmp_path / "jsonl" / "nodes.jsonl")
    assert lines == [row | {"attributes": dict(row["attributes"])} for row in expected]  # type: ignore[call-overload]
    cells = read(tmp_path / "csv" / "nodes.csv")
    assert [row["text"] for row in cells] == [row["text"] for row in expected]
    assert json.loads(cells[0]["attributes"]) == {"id": "n0"}
    later = [row["'-webkit-later"] for row in read(tmp_path / "csv" / "styles_own.csv")]
    assert later == ["", "", "auto", "auto"]


def test_chosen_columns_in_their_order(release: Release, tmp_path: Path) -> None:
    release.export(tmp_path / "x", ["nodes", "links"], form="csv", columns=["node", "capture"])
    text = (tmp_path / "x" / "nodes.csv").read_text()
    assert text.splitlines()[:2] == ["node,capture", f"0,{IDS[0]}"]


def test_unicode_and_line_ends(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r") as repository:
        capture = make_capture(1, url='http://h.test/ü?a="\u2028"')
        repository.add(capture)
        repository.publish()
        for form in ("jsonl", "csv"):
            repository.release().export(tmp_path / form, ["captures"], form=form)
            (row,) = read(tmp_path / form / f"captures.{form}")
            assert row["url"] == capture.info.url


def test_an_empty_table(release: Release, tmp_path: Path) -> None:
    done = release.export(tmp_path / "x", ["resources"], form="csv", columns=["url", "status"])
    assert done.tables["resources"].rows == 0
    assert (tmp_path / "x" / "resources.csv").read_bytes() == b"url,status\r\n"
    release.export(tmp_path / "y", ["resources"])
    assert pq.read_schema(tmp_path / "y" / "resources.parquet").names[0] == "capture"


def test_screenshots(release: Release, tmp_path: Path) -> None:
    done = release.export(tmp_path / "x", screenshots=True)
    assert [each.file for each in done.screenshots] == [
        f"screenshots/{id_}.png" for id_ in (IDS[0], IDS[2])
    ]
    shot = release.capture(IDS[2]).screenshot
    assert shot is not None
    with Image.open(tmp_path / "x" / "screenshots" / f"{IDS[2]}.png") as image:
        assert (image.format, image.size) == ("PNG", (8, 8))
        assert image.tobytes() == shot.image().tobytes()


def test_a_table_of_a_later_webgeist(release: Release, tmp_path: Path) -> None:
    """Whatever the manifest lists can be exported."""
    path = release.layout.table_file("blocks/00000002-0.parquet")
    table = pa.table({"capture": IDS, "vector": pa.array([[1.5]] * 3, pa.list_(pa.float16(), 1))})
    path.parent.mkdir()
    pq.write_table(table, path)
    groups = [{"first": IDS[0], "last": IDS[2], "rows": 3}]
    file = {"file": "blocks/00000002-0.parquet", "rows": 3, "bytes": path.stat().st_size}
    place = release.layout.manifest(2)
    manifest = json.loads(place.read_bytes())
    manifest["tables"]["blocks"] = {
        "schema": 1,
        "files": [file | {"sha256": "", "row_groups": groups}],
    }
    write_atomically(place, json.dumps(manifest).encode())
    from webgeist.repository.readers import open_release

    open_release(release.layout).export(tmp_path / "x", ["blocks"], form="jsonl")
    rows = read(tmp_path / "x" / "blocks.jsonl")
    assert rows == [{"capture": id_, "vector": [1.5]} for id_ in IDS]


def test_mistakes_name_what_was_meant(release: Release, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="did you mean nodes"):
        release.export(tmp_path / "x", ["node"])
    with pytest.raises(NotFoundError, match=r"links has no column hreff.*did you mean href"):
        release.export(tmp_path / "x", ["links"], columns=["node", "hreff"])
    with pytest.raises(UsageError, match="did you mean parquet"):
        release.export(tmp_path / "x", ["links"], form="parket")
    assert not (tmp_path / "x").exists()


def test_nothing_is_overwritten_unasked(release: Release, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    release.export(folder, ["links"], form="csv")
    before = (folder / "links.csv").read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        release.export(folder, ["links"], form="csv", columns=["node"])
    assert (folder / "links.csv").read_bytes() == before
    release.export(folder, ["links"], form="csv", columns=["node"], overwrite=True)
    assert (folder / "links.csv").read_bytes().startswith(b"node\r\n")
    assert json.loads((folder / "manifest.json").read_bytes())["tables"]["links"]["columns"] == [
        "node"
    ]


class Full(Disk):
    """A disk with room for some bytes."""

    room = 200

    def write(self, descriptor: int, data: ReadableBuffer) -> int:
        self.room -= memoryview(data).nbytes
        if self.room < 0:
            raise OSError(28, "No space left on device")
        return super().write(descriptor, data)


def test_a_full_disk_leaves_nothing(release: Release, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No space left"):
        export_release(release, tmp_path / "x", ["links", "nodes"], form="csv", files=Full())
    assert list((tmp_path / "x").iterdir()) == []


def test_damage_is_not_exported(release: Release, tmp_path: Path) -> None:
    file = release.manifest.files_of("nodes")[0]
    release.layout.table_file(file.file).unlink()
    with pytest.raises(DamagedError, match="damaged or missing"):
        release.export(tmp_path / "x", ["nodes"])
    assert not (tmp_path / "x" / "nodes.parquet").exists()
