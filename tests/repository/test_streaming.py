"""A stream goes on at any row, and gives the same rows as one that was never cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import OWN, make_capture, new_repository, plain

from webgeist.errors import NotFoundError, UsageError
from webgeist.repository import schema
from webgeist.repository.ids import capture_id
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.release import Release

COUNT = 7
IDS = [capture_id(make_capture(number).info) for number in range(COUNT)]


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Release]:
    """Two files, row groups of two captures with five nodes each."""
    small = schema.TableKind("nodes", 1, 10, schema.KINDS["nodes"].schema)
    monkeypatch.setitem(schema.KINDS, "nodes", small)
    with new_repository(tmp_path / "r", *range(4)) as repository:
        repository.publish()
        with repository.batch() as batch:
            for number in range(4, COUNT):
                batch.add(make_capture(number))
        repository.publish()
        yield repository.release()


def rows(release: Release, **options: object) -> list[dict[str, object]]:
    return [row for piece in release.stream("nodes", **options) for row in plain(piece)]  # type: ignore[arg-type]


def test_it_goes_on_at_any_row(release: Release) -> None:
    whole = plain(release.table("nodes"))
    assert len(whole) == 5 * COUNT
    for start in range(len(whole) + 3):
        assert rows(release, start=start) == whole[start:]


@pytest.mark.parametrize("chosen", [[], [0], [1, 2], [0, 3, 6], [5, 4, 4]])
def test_of_some_captures_too(release: Release, chosen: list[int]) -> None:
    ids = [IDS[number] for number in chosen]
    whole = [row for row in plain(release.table("nodes")) if row["capture"] in ids]
    for start in range(len(whole) + 2):
        assert rows(release, captures=ids, start=start) == whole[start:]
    two = [{"name": row["name"], "node": row["node"]} for row in whole]
    assert rows(release, columns=["name", "node"], captures=ids) == two


def test_what_lies_before_is_not_read(release: Release) -> None:
    """The file of the first rows may even be gone."""
    first, _ = release.manifest.files_of("nodes")
    expected = rows(release, start=first.rows + 3)
    stream = release.stream("nodes", start=first.rows + 3)
    release.layout.table_file(first.file).unlink()
    assert [row for piece in stream for row in plain(piece)] == expected


def test_pieces_are_row_groups(release: Release) -> None:
    assert [piece.num_rows for piece in release.stream("nodes")] == [10, 10, 10, 5]
    assert [piece.num_rows for piece in release.stream("nodes", start=12)] == [8, 10, 5]


def test_mistakes(release: Release) -> None:
    with pytest.raises(NotFoundError, match="did you mean nodes"):
        release.stream("node")
    with pytest.raises(NotFoundError, match=r"no column nam.*did you mean name\?"):
        release.stream("nodes", ["node", "nam"])
    with pytest.raises(UsageError, match="no row -1"):
        next(release.stream("nodes", start=-1))


def test_columns_that_some_files_lack(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(1))
        repository.publish()
        repository.add(make_capture(2, own=(*OWN, "later")))
        repository.publish()
        pieces = repository.release().stream("styles_own", ["later", "style"])
        assert [row["later"] for piece in pieces for row in plain(piece)] == [
            None,
            None,
            "auto",
            "auto",
        ]


def test_the_nearest_name() -> None:
    assert nearest("hieght", ["width", "height"]) == "did you mean height?"
    assert nearest("zzz", ["width", "height"]) == "there is width, height"
    many = [f"column{number}" for number in range(20)]
    assert nearest("zzz", many).endswith("column11 and 8 more")
