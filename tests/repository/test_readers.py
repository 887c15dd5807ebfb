"""Staged batches are read piece by piece, and no piece again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository, plain, same

from webgeist.repository import readers, schema
from webgeist.repository.ids import capture_id
from webgeist.repository.readers import StagedBatch
from webgeist.repository.staging import staged_piece

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

COUNT = 20


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Which pieces are read, in their order. The table of nodes is divided within captures."""
    small = schema.TableKind("nodes", 1, 12, schema.KINDS["nodes"].schema)
    monkeypatch.setitem(schema.KINDS, "nodes", small)
    pieces: list[tuple[str, int]] = []

    def reading(folder: Path, name: str, number: int) -> pa.Table | None:
        found = staged_piece(folder, name, number)
        if found is not None:
            pieces.append((name, number))
        return found

    monkeypatch.setattr(readers, "staged_piece", reading)
    return pieces


def test_a_walk_reads_a_batch_once(tmp_path: Path, read: list[tuple[str, int]]) -> None:
    with new_repository(tmp_path / "r", *range(COUNT)) as repository:
        for number, stored in enumerate(repository):
            assert same(stored, make_capture(number))
    assert len(read) == len(set(read))
    assert {name for name, _ in read} >= {"captures", "nodes", "styles_own", "links"}
    assert sum(name == "nodes" for name, _ in read) == (COUNT * 5 + 11) // 12


def test_pieces_that_are_known_to_be_elsewhere_are_passed_over(
    tmp_path: Path, read: list[tuple[str, int]]
) -> None:
    with new_repository(tmp_path / "r", *range(COUNT)) as repository:
        (batch,) = (path.name for path in repository.layout.staging.iterdir())
        staged = StagedBatch(repository.layout, batch)
        last, first = (capture_id(make_capture(number).info) for number in (COUNT - 1, 0))
        assert [row["text"] for row in plain(staged.rows("nodes", last))] == ["text 19"] * 5
        read.clear()
        assert [row["text"] for row in plain(staged.rows("nodes", first))] == ["text 0"] * 5
        assert read == [("nodes", 0)]
        assert staged.rows("nodes", "0" * 26).num_rows == 0
        assert staged.rows("nodes", "Z" * 26).num_rows == 0


def test_captures_of_a_batch_that_is_published_meanwhile(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 1, 2) as repository:
        ids = [entry.capture for entry in repository.captures()]
        one, other = (repository.capture(id_) for id_ in ids)
        assert one.page is not None
        repository.publish()
        assert same(other, make_capture(2))
        assert same(repository.capture(ids[1]), make_capture(2))
