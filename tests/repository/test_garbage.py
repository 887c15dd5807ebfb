"""Garbage collection: never what a release or a reader needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository, same

from webgeist.errors import DamagedError, NotFoundError, UsageError
from webgeist.repository.check import check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    """Four releases; the last one has merged the files of the others."""
    with new_repository(tmp_path / "r") as opened:
        for number in range(4):
            opened.add(make_capture(number))
            opened.publish()
        yield opened


def _nodes(repository: Repository) -> int:
    return len(list((repository.layout.tables / "nodes").iterdir()))


def test_nothing_goes_while_releases_need_it(repository: Repository) -> None:
    assert repository.collect_garbage() == []
    assert _nodes(repository) == 4


def test_files_go_with_the_last_release_that_needs_them(repository: Repository) -> None:
    for number, left in ((2, 4), (3, 2), (1, 1)):
        repository.remove_release(number)
        assert _nodes(repository) == left
        assert check(repository) == []
    assert [manifest.release for manifest in repository.releases()] == [4]
    assert same(repository.latest(make_capture(0).info.url), make_capture(3))
    repository.add(make_capture(9))
    assert repository.publish() == 5, "numbers are not used again"


def test_a_release_in_use_stays(repository: Repository) -> None:
    held = repository.release(3)
    capture = next(iter(held))
    with pytest.raises(DamagedError, match="release 3 is in use by a reader"):
        repository.remove_release(3)
    del held
    with pytest.raises(DamagedError, match="in use"):
        repository.remove_release(3)
    assert same(capture, make_capture(0)), "a capture holds its release"
    del capture
    repository.remove_release(3)


def test_a_closed_release_is_let_go(repository: Repository) -> None:
    with repository.release(2) as held:
        assert len(held) == 2
    repository.remove_release(2)


def test_what_cannot_be_removed(repository: Repository) -> None:
    with pytest.raises(UsageError, match="is the current one"):
        repository.remove_release(4)
    with pytest.raises(NotFoundError, match="no release 7"):
        repository.remove_release(7)
    repository.remove_release(1)
    with pytest.raises(NotFoundError, match="release 1 was removed"):
        repository.release(1)


def test_unknown_table_files_go(repository: Repository) -> None:
    stray = repository.layout.tables / "nodes" / "00000099-0.parquet"
    stray.touch()
    assert repository.collect_garbage() == [stray]


def test_nothing_goes_where_a_manifest_cannot_be_read(repository: Repository) -> None:
    repository.layout.manifest(1).write_text("{")
    with pytest.raises(DamagedError, match="manifest-1"):
        repository.collect_garbage()
    assert _nodes(repository) == 4
