"""Publishing packs each page of a batch, however its tables are cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.repository.making import OWN, make_capture, new_repository, same

from webgeist.repository import schema
from webgeist.repository.check import check
from webgeist.repository.ids import capture_id
from webgeist.repository.packed import unpack
from webgeist.repository.packing import packed_tables

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_capture_of_a_batch_has_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those without a page, and those whose rows are divided between pieces."""
    small = schema.TableKind("nodes", 1, 3, schema.KINDS["nodes"].schema)
    monkeypatch.setitem(schema.KINDS, "nodes", small)
    captures = [make_capture(number, nodes=0 if number % 3 == 0 else 5) for number in range(8)]
    with new_repository(tmp_path / "r") as repository:
        with repository.batch() as batch:
            for capture in reversed(captures):
                batch.add(capture)
        (folder,) = repository.layout.staging.iterdir()
        rows = [row for table in packed_tables(folder) for row in table.to_pylist()]
    assert [row["capture"] for row in rows] == [capture_id(each.info) for each in captures]
    for row, capture in zip(rows, captures, strict=True):
        page = unpack(row).page()
        assert (page and page.nodes) == (capture.page and capture.page.nodes)
        assert (page and page.styles_own) == (capture.page and capture.page.styles_own)
        assert (page and page.documents) == (capture.page and capture.page.documents)


def test_a_page_has_no_names_of_other_pages(tmp_path: Path) -> None:
    """A batch has one dictionary of names; each page keeps what it uses."""
    with new_repository(tmp_path / "r") as repository:
        with repository.batch() as batch:
            small = batch.add(make_capture(1, nodes=2))
            batch.add(make_capture(2, nodes=5))
        repository.publish()
        page = repository.release().page(small)
    assert page is not None
    assert page.nodes.column("name").chunk(0).dictionary.to_pylist() == ["html", "body"]


def test_two_chromiums_in_one_batch(tmp_path: Path) -> None:
    one, other = make_capture(1), make_capture(2, own=(*OWN, "later"))
    with new_repository(tmp_path / "r") as repository:
        with repository.batch() as batch:
            batch.add(one)
            batch.add(other)
        repository.publish()
        release = repository.release()
        for capture in (one, other):
            id_ = capture_id(capture.info)
            packed = release.packed(id_)
            assert packed is not None
            assert packed.own.properties == capture.page.styles_own.column_names[2:]  # type: ignore[union-attr]
            assert same(release.capture(id_), capture)


def test_row_groups_are_small_and_merged_rows_stay(tmp_path: Path) -> None:
    """Merging passes packed pages on as they are; a row group has 32 of them at most."""
    with new_repository(tmp_path / "r") as repository:
        for start in range(0, 200, 40):
            with repository.batch() as batch:
                for number in range(start, start + 40):
                    batch.add(make_capture(number))
            repository.publish()
        files = repository.release().manifest.files_of("packed_pages")
        assert sum(file.rows for file in files) == 200
        assert len(files) < 5
        assert max(group.rows for file in files for group in file.row_groups) == 32
        for number in (0, 77, 199):
            stored = repository.capture(capture_id(make_capture(number).info))
            assert same(stored, make_capture(number))
        assert check(repository) == []


def test_large_pages_make_small_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = schema.KINDS["packed_pages"]
    few = schema.TableKind(
        kind.name, 1, 32, kind.schema, staged=False, blobs=kind.blobs, most_bytes=20_000
    )
    monkeypatch.setitem(schema.KINDS, kind.name, few)
    with new_repository(tmp_path / "r", *range(12)) as repository:
        repository.publish()
        (file,) = repository.release().manifest.files_of(kind.name)
    assert 3 <= len(file.row_groups) <= 12
