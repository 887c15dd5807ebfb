"""Releases are held while they are read, shared, and let go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.errors import DamagedError, NotFoundError
from webgeist.server.shelf import Shelf
from webgeist.server.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r", 1) as made:
        made.publish()
        yield made


def _shelf(repository: Repository) -> Shelf:
    return Shelf(repository.layout, Workers("t", threads=1, waiting=9, seconds=30))


def _publish(repository: Repository, number: int) -> None:
    repository.add(make_capture(number))
    repository.publish()


async def test_all_requests_share_one_release(repository: Repository) -> None:
    shelf = _shelf(repository)
    async with shelf.holding() as one, shelf.holding(1) as other:
        assert one is other
    async with shelf.holding() as again:
        assert again is one  # the newest stays open between requests


async def test_a_new_release_is_seen_by_the_next_request(repository: Repository) -> None:
    shelf = _shelf(repository)
    async with shelf.holding() as old:
        _publish(repository, 2)
        async with shelf.holding() as new:
            assert (old.number, new.number) == (1, 2)
            assert (len(old.table("captures")), len(new.table("captures"))) == (1, 2)
        assert shelf.held == [1, 2]
        with pytest.raises(DamagedError, match="in use by a reader"):
            repository.remove_release(1)
    assert shelf.held == [2]
    repository.remove_release(1)


async def test_an_idle_server_holds_only_the_newest(repository: Repository) -> None:
    shelf = _shelf(repository)
    async with shelf.holding():
        pass
    _publish(repository, 2)
    assert shelf.held == [1]
    shelf.tidy()
    assert shelf.held == []
    async with shelf.holding(1):
        assert shelf.held == [1]
    assert shelf.held == []
    shelf.close()


async def test_what_is_gone_or_never_was(repository: Repository, tmp_path: Path) -> None:
    shelf = _shelf(repository)
    _publish(repository, 2)
    repository.remove_release(1)
    for number, said in ((1, "was removed"), (3, "no release 3")):
        with pytest.raises(NotFoundError, match=said):
            async with shelf.holding(number):
                pass
    with new_repository(tmp_path / "empty") as empty, pytest.raises(NotFoundError, match="nothing"):
        async with _shelf(empty).holding():
            pass
