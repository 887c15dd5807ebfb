"""A crawl over pages made by hand: the repository, the frontier and the keeper are real."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from tests.repository.making import make_capture, new_repository

from webgeist.capture.decode import with_links
from webgeist.crawl import crawls
from webgeist.crawl.addresses import parse
from webgeist.crawl.frontier import Found, Frontier
from webgeist.crawl.keeper import Keeper
from webgeist.crawl.outgoing import Outgoing
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.politeness import Judgement
from webgeist.crawl.scope import Rules, Scope, Step
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import FRONTIER
from webgeist.crawl.visitor import Visit
from webgeist.page.schema import LINKS
from webgeist.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import sqlalchemy as sa

    from webgeist.capture.model import Capture
    from webgeist.crawl.frontier import Lease
    from webgeist.repository.repository import Repository

SEED = "http://h/"


def page(number: int, url: str, *links: str, asked: str | None = None) -> Capture:
    """A capture of `url`, found there when `asked` was asked for."""
    rows = [
        {"node": 3, "href": link, "url": link, "text": "", "rel": None, "followed": None}
        for link in links
    ]
    made = make_capture(number, url=url)
    info = replace(made.info, requested_url=asked or url)
    return with_links(replace(made, info=info), pa.Table.from_pylist(rows, schema=LINKS))


@dataclass
class Lab:
    """A repository with a crawl of `SEED` in it."""

    repository: Repository
    bounds: Bounds = field(default_factory=Bounds)
    rules: Rules = field(default_factory=Rules)
    settings: CrawlSettings = field(default_factory=CrawlSettings)
    seeds: Sequence[str] = (SEED,)
    made: int = 0

    def __post_init__(self) -> None:
        with self.repository.transaction() as connection:
            plan = Plan(tuple(self.seeds), self.rules)
            self.number = crawls.begin(connection, plan, self.bounds, 0.0)
            crawls.resume(connection, self.number, per_site=self.bounds.per_site)
            seeds = [address for seed in self.seeds if (address := parse(seed))]
            self.open(connection).add([Found(seed, Step()) for seed in seeds])
        outgoing = Outgoing(Scope(self.rules, seeds), self.settings)
        most = self.bounds.bytes
        self.keeper = Keeper(self.repository, self.open, outgoing, most_bytes=most)

    def open(self, connection: sa.Connection) -> Frontier:
        pages, per_site = self.bounds.pages, self.bounds.per_site
        return Frontier(connection, self.number, pages=pages, per_site=per_site)

    @contextmanager
    def frontier(self) -> Iterator[Frontier]:
        with self.repository.transaction(durable=False) as connection:
            yield self.open(connection)

    def lease(self, now: float = 0.0) -> Lease:
        with self.frontier() as frontier:
            lease = frontier.lease(now)
            assert lease is not None
            frontier.leave(lease, now)
        return lease

    def visit(self, *links: str, lease: Lease | None = None, at: str | None = None) -> Visit:
        """The next page was captured; it has these links."""
        lease = lease or self.lease()
        self.made += 1
        taken = page(self.made, at or lease.url, *links, asked=lease.url)
        return Visit(lease, Judgement(PageState.DONE, 0.0), 1.0, captures={"desktop": taken})

    def rows(self) -> dict[str, Any]:
        """What the frontier knows, by address."""
        with self.repository.transaction() as connection:
            return {row.url: row for row in connection.execute(FRONTIER.select())}

    def states(self) -> dict[str, str]:
        return {url: row.state for url, row in self.rows().items()}


@contextmanager
def lab(folder: Path, **more: Any) -> Iterator[Lab]:
    with new_repository(folder / "repository") as repository:
        yield Lab(repository, **more)
