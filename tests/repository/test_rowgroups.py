"""Row groups are found, read once in a row, and not more of them is kept than a few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from tests.repository.making import make_capture, new_repository, plain

from webgeist.repository import rowgroups, schema
from webgeist.repository.ids import capture_id
from webgeist.repository.rowgroups import LastGroups, RowGroups

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.repository.manifest import TableFile
    from webgeist.repository.repository import Repository

COUNT = 12
IDS = [capture_id(make_capture(number).info) for number in range(COUNT)]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Twelve captures, two in a row group."""
    for name in ("nodes", "packed_pages"):
        kind = schema.KINDS[name]
        rows = 2 if name == "packed_pages" else 10
        small = schema.TableKind(name, 1, rows, kind.schema, staged=kind.staged, blobs=kind.blobs)
        monkeypatch.setitem(schema.KINDS, name, small)
    with new_repository(tmp_path / "r", *range(COUNT)) as made:
        made.publish()
    return made


class Counted(RowGroups):
    """Knows how often each row group was read with all its columns."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository.layout)
        self.whole: list[tuple[str, int]] = []

    def read(self, file: TableFile, group: int, columns: Sequence[str] | None = None) -> pa.Table:
        if columns is None:
            self.whole.append((file.file, group))
        return super().read(file, group, columns)


def test_a_walk_reads_each_row_group_once(repository: Repository) -> None:
    groups = Counted(repository)
    files = repository.release().manifest.files_of("nodes")
    for number, id_ in enumerate(IDS):
        rows = groups.rows("nodes", files, id_)
        assert rows is not None
        assert [row["text"] for row in plain(rows)] == [f"text {number}"] * 5
    assert len(groups.whole) == len(set(groups.whole)) == COUNT // 2


def test_a_walk_over_captures_reads_each_row_group_once(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = Counted(repository)
    release = repository.release()
    monkeypatch.setattr(release, "_groups", groups)
    assert [capture.page is not None for capture in release] == [True] * COUNT
    assert len(groups.whole) == len(set(groups.whole))
    assert {file.split("/")[0] for file, _ in groups.whole} == {"captures", "packed_pages"}


def test_late_captures_cost_no_reading_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files cover the same time: only the one with the capture is read whole."""
    with new_repository(tmp_path / "r", 0, 4, 8) as repository:
        repository.publish()
        repository.add(make_capture(5))
        repository.publish()
        groups = Counted(repository)
        files = repository.release().manifest.files_of("nodes")
        assert len(files) == 2
        late = capture_id(make_capture(5).info)
        rows = groups.rows("nodes", files, late)
        assert rows is not None
        assert rows.num_rows == 5
        assert [file for file, _ in groups.whole] == [files[1].file]


def test_nothing_of_a_capture_that_is_not_there(repository: Repository) -> None:
    files = repository.release().manifest.files_of("nodes")
    groups = RowGroups(repository.layout)
    for id_ in ("0" * 26, "Z" * 26, IDS[3][:-1] + "!"):
        assert groups.rows("nodes", files, id_) is None


def test_few_groups_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rowgroups, "_KEPT", 2)
    kept = LastGroups()
    read: list[int] = []

    def get(key: int) -> None:
        def table() -> pa.Table:
            read.append(key)
            return pa.table({"capture": [str(key)]})

        group = kept.get("nodes", key, table)
        assert group is not None
        assert group.spans == {str(key): range(1)}

    for key in (1, 2, 1, 3, 1, 2):
        get(key)
    assert read == [1, 2, 3, 2], "2 was used least lately when 3 came"
    assert kept.find("links", 1) is None
    assert kept.get("nodes", 9, lambda: None) is None


def test_columns_that_a_file_has(repository: Repository) -> None:
    groups = RowGroups(repository.layout)
    (file,) = repository.release().manifest.files_of("nodes")
    assert groups.read(file, 0, ["name", "no such"]).column_names == ["name"]
    assert "attributes" in groups.schema(file).names
    assert groups.spans("nodes", file, 1) == {IDS[2]: range(5), IDS[3]: range(5, 10)}
