"""A crawl that is killed, or whose disk fails, and then goes on: as if nothing had happened.

A normal run tries the points after renames, where things become visible, and some of the others;
all of them are tried by ./test -m slow.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import threading
import time
from typing import TYPE_CHECKING

import pytest
from tests.crawl.breakable import STATES, Held, Work, held
from tests.crawl.making import lab
from tests.repository.faulty import Failing, failure_points, run_until_killed

from webgeist.crawl.crawler import Crawler
from webgeist.errors import StorageError
from webgeist.repository.check import check
from webgeist.repository.files import DISK
from webgeist.repository.init import init_repository

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crawl.making import Lab

    from webgeist.crawl.frontier import Lease
    from webgeist.crawl.keeper import Result
    from webgeist.crawl.visitor import Visit


def new(path: Path) -> Work:
    init_repository(path)
    return Work(path)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Held:
    """What a crawl comes to when nothing goes wrong."""
    work = new(tmp_path_factory.mktemp("unbroken") / "r")
    work(DISK)
    whole = held(work.path)
    assert {url: row[0] for url, row in whole.pages.items()} == STATES
    assert len(whole.captures) == 2 * (len(STATES) - 1)
    assert set(whole.stored.values()) == {1}
    return whole


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    found = failure_points(new(tmp_path_factory.mktemp("count") / "r"))
    assert {"visiting", "before_commit", "after_rename", "after_sync"} <= set(found)
    return found


def go_on(work: Work, unbroken: Held) -> None:
    """The crawl goes on to its end; then nobody can tell that it was ever stopped."""
    work(DISK)
    assert held(work.path) == unbroken
    assert check(work.path) == []


def ends(points: list[str], *names: str) -> list[int]:
    """Where something has just been done, or is about to be known; only those with these names.

    The points before operations are left out: nothing has changed since the one before.
    """
    wanted = names or ("visiting", "before_commit", *{name for name in points if "after" in name})
    return [n for n, name in enumerate(points) if name in wanted]


def kill_at(numbers: list[int], folder: Path, unbroken: Held) -> None:
    for n in numbers:
        work = new(folder / str(n))
        assert run_until_killed(work, n), "it was over before"
        go_on(work, unbroken)
        shutil.rmtree(work.path)


def test_killed_somewhere(points: list[str], unbroken: Held, tmp_path: Path) -> None:
    """SIGKILL at the n-th failure point."""
    visible = ends(points, "after_rename", "before_commit")
    kill_at(sorted({*ends(points, "visiting"), *visible[::16]}), tmp_path, unbroken)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_killed_anywhere(points: list[str], unbroken: Held, tmp_path: Path, part: int) -> None:
    kill_at(ends(points)[part::4], tmp_path, unbroken)


@pytest.mark.parametrize("parts", [3, 5])
def test_killed_again_and_again(
    points: list[str], unbroken: Held, tmp_path: Path, parts: int
) -> None:
    """Each run gets only a bit further than the last one."""
    work = new(tmp_path / "r")
    runs = 0
    while run_until_killed(work, len(points) // parts):
        runs += 1
        assert runs < 5 * parts, "it does not get on"
    assert runs >= parts - 1
    go_on(work, unbroken)


@pytest.mark.parametrize(("number", "stays"), [(errno.ENOSPC, True), (errno.EIO, False)])
def test_a_disk_that_fails(unbroken: Held, tmp_path: Path, number: int, *, stays: bool) -> None:
    """A StorageError; and when there is room again, the crawl goes on."""
    for n in range(2 * stays, file_points(tmp_path), 400):
        fail_at(n, tmp_path, unbroken, Failing(n, number, stays=stays))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "stays"), [(errno.ENOSPC, True), (errno.EIO, False)])
def test_a_disk_that_fails_anywhere(
    unbroken: Held, tmp_path: Path, number: int, *, stays: bool
) -> None:
    for n in range(2 * stays, file_points(tmp_path), 17):
        fail_at(n, tmp_path, unbroken, Failing(n, number, stays=stays))


def file_points(folder: Path) -> int:
    """How many failure points a disk has that writes but half of what it is given."""
    disk = Failing(-1, errno.EIO)
    new(folder / "count")(disk)
    return len(disk.points)


def fail_at(n: int, folder: Path, unbroken: Held, disk: Failing) -> None:
    work = new(folder / str(n))
    with pytest.raises(StorageError, match=os.strerror(disk.number)):
        work(disk)
    go_on(work, unbroken)
    shutil.rmtree(work.path)


def test_a_database_that_cannot_grow(unbroken: Held, tmp_path: Path) -> None:
    new(tmp_path / "r")
    with pytest.raises(StorageError, match=r"state\.db: .*full"):
        Work(tmp_path / "r", full=True)(DISK)
    go_on(Work(tmp_path / "r"), unbroken)


async def test_what_was_brought_and_cannot_be_kept_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one page is being stored, another one comes; then the disk is full."""
    seeds = ("http://h/", "http://other/")
    with lab(tmp_path, seeds=seeds) as crawl:
        web = Both(crawl)
        loop = asyncio.get_running_loop()

        def keep(_: Sequence[Visit]) -> list[Result]:
            loop.call_soon_threadsafe(web.storing.set)
            assert web.all_brought.wait(60)
            raise StorageError("no room")

        monkeypatch.setattr(crawl.keeper, "keep", keep)
        crawler = Crawler(crawl.frontier, web, crawl.keeper, visits=2, clock=time.time)
        with pytest.raises(StorageError, match="no room"):
            await crawler.run()
    assert web.closed == set(seeds)


class Both:
    """Visits two pages; the second comes when the first is being kept."""

    def __init__(self, crawl: Lab) -> None:
        self._crawl = crawl
        self._first = True
        self.storing = asyncio.Event()
        self.all_brought = threading.Event()
        self.closed: set[str] = set()

    async def visit(self, lease: Lease) -> Visit:
        if not self._first:
            await self.storing.wait()
            asyncio.get_running_loop().call_soon(self.all_brought.set)  # when the tab has it
        self._first = False
        visit = self._crawl.visit(lease=lease)
        visit.close = lambda: self.closed.add(lease.url)  # type: ignore[method-assign]
        return visit
