"""A crawl of a few pages made by hand, on a disk that breaks; repository and crawler are real.

    work = Work(path)
    work(disk)                 # crawls to the end, or goes on to it; publishes on the way
    held(path)                 # what the repository holds, comparable with that of another run

Besides those of the disk there are failure points before every commit of state.db
(`before_commit`), and between a page's lease and its captures (`visiting`).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from tests.crawl.making import SEED, Lab, page
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.faulty import Counting, Failing
from tests.repository.making import NOON, make_capture, plain, with_time

from webgeist.capture.viewport import VIEWPORTS
from webgeist.crawl.crawler import Crawler
from webgeist.crawl.politeness import Judgement
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import CRAWLS, FRONTIER, HOSTS, SHAPES, SITES
from webgeist.crawl.visitor import Visit
from webgeist.repository.files import unfinished
from webgeist.repository.layout import layout_of
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.crawl.frontier import Lease
    from webgeist.crawl.keeper import Result
    from webgeist.repository.files import Files
    from webgeist.repository.repository import Repository

GONE, MOVED, SHY = "http://h/gone", "http://h/moved", "http://h/shy"
WEB = {  # where each page is found, and what it links to
    SEED: (SEED, [MOVED, "http://other/"]),
    MOVED: ("http://h/found", [SEED, GONE, SHY]),
    GONE: (GONE, []),
    SHY: (SHY, []),  # comes when it is asked for the second time
}
STATES = {
    **dict.fromkeys((SEED, "http://h/found", SHY), "done"),
    MOVED: "skipped",
    GONE: "failed",
}
VIEWS = ("desktop", "mobile")


class Web:
    """Visits those pages. Each visit waits until the last one is kept: so the number of failure
    points is the same each time, though tabs and keeper work side by side.
    """

    def __init__(self, began: float, reached: Callable[[str], None]) -> None:
        self._began = began
        self._reached = reached
        self._kept = asyncio.Event()
        self._kept.set()

    def on_kept(self) -> None:
        self._kept.set()

    async def visit(self, lease: Lease) -> Visit:
        self._reached("visiting")
        await self._kept.wait()
        self._kept.clear()
        return self._visit(lease)

    def _visit(self, lease: Lease) -> Visit:
        if lease.url == SHY and not lease.attempts:
            again = Judgement(PageState.WAITING, 0.0, 0.0)
            return Visit(lease, again, self._began, "connection: reset")
        captures = {view: self._capture(lease.url, view) for view in VIEWS}
        if lease.url == GONE:
            ends = Judgement(PageState.FAILED, 0.0)
            return Visit(lease, ends, self._began, "timeout: no page within 30 s", captures)
        return Visit(lease, Judgement(PageState.DONE, 0.0), self._began, "", captures)

    def _capture(self, url: str, view: str) -> Capture:
        """What is captured is the same each time, but for the time: twice would be two captures."""
        number = list(WEB).index(url)
        at, links = WEB[url]
        made = make_capture(number, url=url, nodes=0) if url == GONE else None
        made = made or page(number, at, *links, asked=url)
        info = replace(made.info, viewport=VIEWPORTS[view])
        made = with_time(replace(made, info=info), NOON + timedelta(seconds=self._began))
        bodies = (b"only of page %d" % number, b"a style that all pages share")
        return replace(made, exchanges=tuple(make_exchange(url, data=body) for body in bodies))


class Work:
    """The crawl in the repository at `path`, from wherever it is to its end.

    With `full`, state.db may not grow: SQLite says that the disk is full.
    """

    def __init__(self, path: Path, *, full: bool = False) -> None:
        self.path = path
        self._full = full

    def __call__(self, files: Files) -> None:
        reached = _points(files)
        with open_repository(self.path, files=files) as repository:
            repository.claim()
            assert repository._writer is not None
            engine = repository._writer.state._engine
            sa.event.listen(engine, "commit", lambda _: reached("before_commit"))
            if self._full:
                sa.event.listen(engine, "begin", _keep_from_growing)
            try:
                asyncio.run(self._crawl(repository, reached))
            finally:
                close_bodies()
            repository.publish()

    async def _crawl(self, repository: Repository, reached: Callable[[str], None]) -> None:
        crawl = Lab(repository)
        web = Web(time.time(), reached)

        def on_kept(results: Sequence[Result]) -> None:
            now = 1e-9 if results[0].visit.lease.url == SEED else 0.0
            crawl.keeper._publish_seconds = now  # with the page after the seed
            web.on_kept()

        crawler = Crawler(
            crawl.frontier, web, crawl.keeper, visits=2, clock=time.time, on_kept=on_kept
        )
        assert await crawler.run()


def _keep_from_growing(connection: sa.Connection) -> None:
    connection.exec_driver_sql("PRAGMA max_page_count = 1")  # or as many as it has


def _points(files: Files) -> Callable[[str], None]:
    """What hears of the points that no disk has; they can kill, but raise no error of a disk."""
    if isinstance(files, Counting) and not isinstance(files, Failing):
        return files.reached
    return lambda _: None


# --- what there is in the end ------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """What must not depend on how often a crawl was broken off."""

    pages: dict[str, tuple[object, ...]]
    counts: list[Any]
    captures: dict[tuple[str, str, str], object]
    bodies: Counter[str | None]
    stored: Counter[str | None]  # bodies that are no mere references


def held(path: Path, comparable: Callable[[Capture], object] | None = None) -> Held:
    """What a repository holds. Each page must be there once per viewport, and published.

    `comparable` is what must be the same in captures of one page; all but the time by default.
    """
    layout = layout_of(path)
    assert [each for each in unfinished(path) if layout.damaged not in each.parents] == []
    assert list(layout.staging.iterdir()) == []
    with open_repository(path) as repository:
        release = repository.release()
        assert len(release) == len(repository)
        what = comparable or _all_but_time
        captures = {_key(capture): what(capture) for capture in repository}
        assert len(captures) == len(repository), "a page was captured twice"
        rows = release.table("resources").to_pylist()
        return Held(
            pages=_pages(repository),
            counts=_counts(repository),
            captures=captures,
            bodies=Counter(row["sha256"] for row in rows),
            stored=Counter(row["sha256"] for row in rows if not row["revisit"]),
        )


def _key(capture: Capture) -> tuple[str, str, str]:
    return capture.info.requested_url, capture.info.url, capture.info.viewport.name


def _all_but_time(capture: Capture) -> object:
    nodes = plain(capture.page.nodes) if capture.page else None
    info = replace(capture.info, time=NOON)
    return info, plain(capture.links), plain(capture.requests), nodes, capture.screenshot


def _pages(repository: Repository) -> dict[str, tuple[object, ...]]:
    """Everything that the frontier says of a page but times and the ids of captures."""
    with repository.transaction() as connection:
        rows = connection.execute(FRONTIER.select()).all()
    urls = {row.page: row.url for row in rows}
    ids = {entry.capture for entry in repository.captures()}
    assert {each for row in rows for each in row.captures.values()} == ids
    return {
        row.url: (
            *(row.state, row.reason, row.depth, row.attempts, row.next_try),
            *(urls.get(row.source), sorted(row.captures)),
        )
        for row in rows
    }


def _counts(repository: Repository) -> list[Any]:
    """What the crawl has counted along."""
    with repository.transaction() as connection:
        hosts = sa.select(HOSTS.c.name, HOSTS.c.pending, HOSTS.c.leased, HOSTS.c.failures)
        shapes = sa.select(SHAPES).order_by(SHAPES.c.shape)
        questions = (hosts, shapes, sa.select(SITES), sa.select(CRAWLS.c.taken, CRAWLS.c.bytes))
        return [connection.execute(question).all() for question in questions]
