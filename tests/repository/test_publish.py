"""Publishing: files are reused, merged by size, sorted, and told in the manifest."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather
from tests.repository.making import make_capture, new_repository, same

from webgeist.errors import DamagedError
from webgeist.repository import merge, plan, publish, schema, tablefiles
from webgeist.repository.check import check
from webgeist.repository.ids import capture_id
from webgeist.repository.locks import Pin
from webgeist.repository.readers import read_manifest
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as opened:
        yield opened


def _files(repository: Repository, number: int, table: str) -> list[str]:
    manifest = read_manifest(repository.layout, number)
    return [file.file for file in manifest.tables[table].files]


def test_files_of_earlier_releases_are_reused_until_they_are_many(repository: Repository) -> None:
    found = []
    for number in range(1, 6):
        repository.add(make_capture(number))
        repository.publish()
        found.append(_files(repository, number, "nodes"))
    first, second, third, fourth, fifth = found
    assert [len(files) for files in found] == [1, 2, 3, 1, 2]
    assert set(first) < set(second) < set(third)
    assert set(fourth) < set(fifth)
    assert not set(third) & set(fourth)
    assert check(repository) == []


def test_what_is_published_late_is_sorted_in(repository: Repository) -> None:
    """Captures of several machines may come in any order."""
    for numbers in ((5, 1, 9), (8, 2), (7, 3), (6, 4)):
        with repository.batch() as batch:
            for number in numbers:
                batch.add(make_capture(number))
        repository.publish()
    release = repository.release()
    assert len(release.manifest.tables["nodes"].files) == 1
    ids = release.table("nodes", ["capture"]).column("capture").to_pylist()
    assert ids == sorted(ids)
    for number in range(1, 10):
        stored = release.capture(capture_id(make_capture(number).info))
        assert same(stored, make_capture(number))


def test_the_manifest_tells_files_and_row_groups(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = schema.TableKind("nodes", 1, 12, schema.KINDS["nodes"].schema)
    monkeypatch.setitem(schema.KINDS, "nodes", small)
    with repository.batch() as batch:
        ids = [batch.add(make_capture(number)) for number in range(7)]
    repository.publish()
    manifest = repository.release().manifest
    (file,) = manifest.tables["nodes"].files
    assert [group.rows for group in file.row_groups] == [10, 10, 10, 5]
    assert [(group.first, group.last) for group in file.row_groups][:2] == [
        (ids[0], ids[1]),
        (ids[2], ids[3]),
    ]
    assert file.groups_with(ids[3]) == [1]
    assert file.groups_with("0" * 26) == []
    path = repository.layout.table_file(file.file)
    footer = pq.read_metadata(path)
    assert (file.rows, file.bytes) == (footer.num_rows, path.stat().st_size)
    assert footer.metadata[b"webgeist.table"] == b"nodes"
    assert footer.metadata[b"webgeist.schema"] == b"1"
    assert footer.row_group(0).column(0).compression == "ZSTD"
    assert (manifest.captures, manifest.previous, len(manifest.batches)) == (7, None, 1)
    assert len(repository.release()) == 7


def test_large_tables_are_divided(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "FULL", 2)
    monkeypatch.setattr(tablefiles, "FULL", 2)
    small = schema.TableKind("nodes", 1, 5, schema.KINDS["nodes"].schema)
    monkeypatch.setitem(schema.KINDS, "nodes", small)
    for numbers in (range(5), range(5, 8)):
        with repository.batch() as batch:
            for number in numbers:
                batch.add(make_capture(number))
        repository.publish()
    first = _files(repository, 1, "nodes")
    assert len(first) == 3
    assert set(first[:2]) < set(_files(repository, 2, "nodes")), "full ones stay"
    assert same(repository.latest(make_capture(4).info.url), make_capture(7))
    assert check(repository) == []


def test_published_batches_go(repository: Repository) -> None:
    id_ = repository.add(make_capture(1))
    staged = repository.capture(id_)
    repository.publish()
    assert list(repository.layout.staging.iterdir()) == []
    assert same(staged, make_capture(1)), "what was read from it is read from the release"


def test_a_batch_that_somebody_reads_goes_later(repository: Repository) -> None:
    repository.add(make_capture(1))
    (folder,) = repository.layout.staging.iterdir()
    with Pin(folder / "batch.json"):
        repository.publish()
        assert folder.is_dir()
    assert repository.collect_garbage() == [folder]


def _flip(path: Path) -> bool:
    """Change a byte so that Arrow or Parquet still reads the file, with other contents."""
    read = feather.read_table if path.suffix == ".arrow" else pq.read_table
    data, before = path.read_bytes(), read(path)
    for place in range(len(data) // 4, len(data)):
        changed = bytes([*data[:place], data[place] ^ 1, *data[place + 1 :]])
        try:
            if read(pa.BufferReader(changed)) != before:
                path.write_bytes(changed)
                return True
        except (OSError, pa.ArrowException):
            continue
    return False


def test_damage_gets_no_new_digest(repository: Repository) -> None:
    """Neither format notices every flipped bit: whoever writes rows again must."""
    words = "".join(random.Random(1).choices("abcdefgh", k=5000))
    repository.add(make_capture(1, url=f"http://example.org/{words}"))
    (staged,) = repository.layout.staging.glob("*/captures.arrow")
    sound = staged.read_bytes()
    assert _flip(staged)
    with pytest.raises(DamagedError, match=r"captures\.arrow has other bytes"):
        repository.publish()
    staged.write_bytes(sound)
    for number in (2, 3, 4):
        repository.publish()
        repository.add(make_capture(number))
    assert _flip(min((repository.layout.tables / "captures").iterdir()))
    with pytest.raises(DamagedError, match=r"00000001-0\.parquet has other bytes"):
        repository.publish()
    assert repository.release().number == 3


def test_rows_that_get_lost_on_the_way(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add(make_capture(1))
    monkeypatch.setattr(publish, "staged_tables", lambda *_: iter(()))
    with pytest.raises(DamagedError, match="table captures got 0 rows instead of 1"):
        repository.publish()
    assert not repository.layout.current.exists()


def test_without_its_base_nothing_is_published(repository: Repository) -> None:
    repository.add(make_capture(1))
    repository.publish()
    repository.add(make_capture(2))
    repository.layout.manifest(1).unlink()
    with pytest.raises(DamagedError, match=r"manifest-1\.json cannot be read") as caught:
        repository.publish()
    assert caught.value.remedy == "webgeist check --repair"


def test_large_rows_make_more_row_groups(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyarrow cannot read a row group with more than 2 GB of text in a column."""
    for module in (schema, merge):
        monkeypatch.setattr(module, "MOST_BYTES", 5_000)
    with repository.batch() as batch:
        for number in range(4):
            batch.add(make_capture(number, nodes=60))
    (staged,) = repository.layout.staging.glob("*/nodes.arrow")
    with pa.OSFile(str(staged)) as file:
        assert pa.ipc.open_file(file).num_record_batches >= 8
    repository.publish()
    (file,) = repository.release().manifest.tables["nodes"].files
    assert [group.rows for group in file.row_groups] == [60] * 4, "a capture is never divided"
    for number in range(4):
        stored = repository.capture(capture_id(make_capture(number).info))
        assert same(stored, make_capture(number, nodes=60))
    assert check(repository) == []


def test_a_table_that_is_new(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later webgeist has more tables: batches and releases of today lack them, and that is all."""
    repository.add(make_capture(1))
    repository.publish()
    repository.add(make_capture(2))
    columns = pa.schema([schema._CAPTURE, pa.field("block", pa.int32())])
    kind = schema.TableKind("blocks", 1, 100, columns)
    monkeypatch.setitem(schema.KINDS, "blocks", kind)
    assert check(repository) == []
    repository.publish()
    release = repository.release()
    assert release.table("blocks").num_rows == 0
    assert release.columns("blocks").keys() == {"capture", "block"}
    assert len(release) == 2
    assert check(repository) == []


def test_a_damaged_batch_is_not_published(repository: Repository) -> None:
    repository.add(make_capture(1))
    folder = next(repository.layout.staging.iterdir())
    (folder / "nodes.arrow").write_bytes(b"ARROW1 no more")
    with pytest.raises(DamagedError, match=r"nodes\.arrow has 14 bytes instead of"):
        repository.publish()
    assert not repository.layout.current.exists()


def test_a_publisher_that_died_at_the_last_moment(repository: Repository) -> None:
    """CURRENT has changed, state.db has not heard of it: the next writer makes up for that."""
    id_ = repository.add(make_capture(1))
    state = repository._as_writer().state
    (batch,) = state.staged()
    with Pin(repository.layout.batch(batch) / "batch.json"):  # so it stays where it is
        repository.publish()
    state.unpublish(batch)
    state.forget_release(1)
    assert same(repository.capture(id_), make_capture(1))
    assert check(repository) == []
    path = repository.path
    repository.close()
    with open_repository(path) as again:
        again.add(make_capture(2))
        assert again.publish() == 2
        assert len(again.release()) == 2
    assert check(path) == []
