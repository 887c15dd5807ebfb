"""Tabs, the keeping thread, and every way in which a run ends."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from tests.crawl.making import SEED, Lab, lab

from webgeist.crawl.crawler import Crawler
from webgeist.crawl.plan import Bounds
from webgeist.crawl.politeness import Judgement
from webgeist.crawl.statements import PageState
from webgeist.crawl.visitor import Visit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from webgeist.crawl.frontier import Lease
    from webgeist.crawl.keeper import Result

WEB = {
    SEED: ["http://h/a", "http://h/b"],
    "http://h/a": ["http://h/c", SEED],
    "http://h/b": ["http://h/c"],
    "http://h/c": [],
}


class Web:
    """Visits pages of a dictionary; `held` ones take until they are broken off."""

    def __init__(
        self, crawl: Lab, pages: Mapping[str, Sequence[str]] = WEB, held: Sequence[str] = ()
    ) -> None:
        self.crawl = crawl
        self.pages = pages
        self.held = held
        self.asked: list[str] = []
        self.holding = asyncio.Event()
        self.all_asked = asyncio.Event()

    async def visit(self, lease: Lease) -> Visit:
        self.asked.append(lease.url)
        if len(self.asked) == len(self.pages):
            self.all_asked.set()
        if lease.url in self.held:
            self.holding.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return self.crawl.visit(*self.pages[lease.url], lease=lease)


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Lab]:
    with lab(tmp_path) as made:
        yield made


def crawler(crawl: Lab, web: Web, tabs: int = 2) -> Crawler:
    return Crawler(crawl.frontier, web, crawl.keeper, visits=tabs, clock=time.time)


@pytest.mark.parametrize("tabs", [1, 2, 5])
async def test_every_page_is_visited_once(crawl: Lab, tabs: int) -> None:
    web = Web(crawl)
    assert await crawler(crawl, web, tabs).run()
    assert web.asked == list(WEB)  # one host, so one after the other, breadth first
    assert set(crawl.states().values()) == {"done"}
    assert len(crawl.repository) == 4


async def test_hosts_are_visited_at_the_same_time(tmp_path: Path) -> None:
    pages = {f"http://h{number}/": () for number in range(3)}
    with lab(tmp_path, seeds=tuple(pages)) as crawl:
        web = Web(crawl, pages, held=["http://h0/", "http://h1/"])
        running = crawler(crawl, web, tabs=3)
        task = asyncio.create_task(running.run())
        await web.all_asked.wait()
        running.stop()
        assert not await task
        assert crawl.states() == {
            "http://h0/": "pending",
            "http://h1/": "pending",
            "http://h2/": "done",
        }


async def test_a_run_that_is_stopped_goes_on_later(crawl: Lab) -> None:
    web = Web(crawl, held=["http://h/b"])
    running = crawler(crawl, web)
    task = asyncio.create_task(running.run())
    await web.holding.wait()
    running.stop()
    assert not await task
    assert crawl.states() == {SEED: "done", "http://h/a": "done"} | {
        "http://h/b": "pending",
        "http://h/c": "pending",
    }
    web.held = ()
    assert await crawler(crawl, web).run()
    assert set(crawl.states().values()) == {"done"}
    with crawl.frontier() as frontier:
        assert frontier.taken == 4


async def test_a_run_ends_when_its_time_is_over(crawl: Lab) -> None:
    assert not await crawler(crawl, Web(crawl, held=[SEED])).run(seconds=0.05)
    assert crawl.states() == {SEED: "pending"}


async def test_what_a_visit_cannot_handle_ends_the_run_with_everything_saved(crawl: Lab) -> None:
    class Broken(Web):
        async def visit(self, lease: Lease) -> Visit:
            if lease.url == "http://h/a":
                raise RuntimeError("no browser")
            return await super().visit(lease)

    with pytest.raises(RuntimeError, match="no browser"):
        await crawler(crawl, Broken(crawl)).run()
    assert crawl.states()[SEED] == "done"
    assert crawl.states()["http://h/a"] == "pending"


async def test_what_cannot_be_kept_ends_the_run(
    crawl: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Sequence[Visit]) -> list[Result]:
        raise OSError(28, "no space")

    monkeypatch.setattr(crawl.keeper, "keep", full)
    with pytest.raises(OSError, match="no space"):
        await crawler(crawl, Web(crawl)).run()
    assert len(crawl.repository) == 0


async def test_a_page_to_be_tried_again_is_waited_for(crawl: Lab) -> None:
    class Once(Web):
        async def visit(self, lease: Lease) -> Visit:
            if lease.attempts:
                return await super().visit(lease)
            later = Judgement(PageState.WAITING, 0.0, 0.05, 1)
            return Visit(lease, later, time.time(), "connection: reset")

    assert await crawler(crawl, Once(crawl)).run()
    assert {row.attempts for row in crawl.rows().values()} == {2}
    assert set(crawl.states().values()) == {"done"}


@pytest.mark.parametrize("most", [0, 1, 2, 3])
async def test_the_number_of_pages_is_exact(tmp_path: Path, most: int) -> None:
    with lab(tmp_path, bounds=Bounds(pages=most)) as crawl:
        web = Web(crawl)
        assert await crawler(crawl, web, tabs=3).run()
        assert len(web.asked) == len(crawl.repository) == most


async def test_an_interruption_waits_for_what_is_being_stored(crawl: Lab) -> None:
    """Cancelled while the thread stores: the repository must not be closed under its hands."""
    keep = crawl.keeper.keep
    storing = asyncio.Event()
    loop = asyncio.get_running_loop()
    stored = []

    def slowly(visits: Sequence[Visit]) -> list[Result]:
        loop.call_soon_threadsafe(storing.set)
        time.sleep(0.05)
        stored.extend(keep(visits))
        return stored

    crawl.keeper.keep = slowly  # type: ignore[method-assign]
    task = asyncio.create_task(crawler(crawl, Web(crawl)).run())
    await storing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(stored) == len(crawl.repository) == 1


async def test_visits_are_kept_together_unless_somebody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeds are all there is to visit at first: nobody waits before the last one is visited."""
    monkeypatch.setattr("webgeist.crawl.crawler._GATHER_SECONDS", 1000.0)
    pages = {f"http://h{number}/": () for number in range(20)}
    with lab(tmp_path, seeds=tuple(pages)) as crawl:
        keep, sizes = crawl.keeper.keep, []

        def counting(visits: Sequence[Visit]) -> list[Result]:
            sizes.append(len(visits))
            return keep(visits)

        crawl.keeper.keep = counting  # type: ignore[method-assign]
        assert await crawler(crawl, Web(crawl, pages)).run()
        assert sum(sizes) == len(crawl.repository) == 20
        assert len(sizes) <= 4
