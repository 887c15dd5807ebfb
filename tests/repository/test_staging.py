"""Staged batches: Arrow files that are on the disk together, and believed only when they are sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather
from tests.repository.faulty import Counting, ShortWrites
from tests.repository.making import make_capture, new_repository, plain

from webgeist.errors import DamagedError
from webgeist.repository.schema import STAGED
from webgeist.repository.staging import staged_tables, table_path, write_synced

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A batch of two captures."""
    with new_repository(tmp_path / "r", 1, 2) as repository:
        (found,) = repository.layout.staging.iterdir()
    return found


def test_other_programs_read_them(folder: Path) -> None:
    table = feather.read_table(table_path(folder, "nodes"))
    assert table.schema.metadata == {b"webgeist.table": b"nodes", b"webgeist.schema": b"1"}
    assert table.num_rows == 2 * 5
    assert plain(table) == plain(next(staged_tables(folder, "nodes")))


@pytest.mark.parametrize("name", STAGED)
def test_one_piece_has_one_dictionary_for_all_captures(folder: Path, name: str) -> None:
    tables = list(staged_tables(folder, name))
    assert len(tables) == (0 if name == "resources" else 1)
    for table in tables:
        table.validate(full=True)
        assert len(set(table.column("capture").to_pylist())) == 2


def test_offsets_that_lead_out_of_the_file(folder: Path) -> None:
    """Arrow believes them: whoever reads on would read what is not his."""
    path = table_path(folder, "links")
    offsets = np.array([0, 2**28, 1], np.int32)
    texts = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(offsets.tobytes()), pa.py_buffer(b"x")]
    )
    batch = pa.record_batch([texts], names=["url"])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, batch.schema) as writer:
        writer.write_batch(batch)
    with pytest.raises(DamagedError, match=r"links\.arrow is damaged"):
        list(staged_tables(folder, "links"))


def test_a_file_that_is_cut_off(folder: Path) -> None:
    path = table_path(folder, "nodes")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedError, match=r"nodes\.arrow is damaged"):
        list(staged_tables(folder, "nodes"))


def test_all_files_are_written_before_the_first_is_synced(tmp_path: Path) -> None:
    disk = Counting()
    contents = {tmp_path / name: memoryview(name.encode() * 9) for name in ("a", "b", "c")}
    write_synced(contents, disk)
    assert [p for p in disk.points if p.startswith("after")] == [
        *(["after_create", "after_write"] * 3),
        *(["after_sync"] * 3),
    ]
    assert {path: path.read_bytes() for path in contents} == {
        p: bytes(c) for p, c in contents.items()
    }


def test_short_writes_are_continued(tmp_path: Path) -> None:
    write_synced({tmp_path / "a": memoryview(b"0123456789")}, ShortWrites())
    assert (tmp_path / "a").read_bytes() == b"0123456789"


def test_several_pieces_of_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each capture brings dictionaries of its own; a file has one for all of its pieces."""
    monkeypatch.setattr("webgeist.repository.schema.MOST_BYTES", 500)
    with new_repository(tmp_path / "r", 1, 2, 3) as repository:
        (found,) = repository.layout.staging.iterdir()
        pieces = list(staged_tables(found, "nodes"))
    assert len(pieces) > 1
    texts = pa.concat_tables(pieces).column("text").to_pylist()
    expected = [make_capture(n).page for n in (1, 2, 3)]
    assert texts == [text for page in expected if page for text in page.nodes["text"].to_pylist()]
