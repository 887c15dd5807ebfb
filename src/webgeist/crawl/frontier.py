"""The pages to visit, in state.db: which is next, and what became of each.

    pending ──lease──→ leased ──→ done | failed | skipped
       ↑                 │
       └──── waiting ←───┘ to be tried again later

One page of a host at a time, and not before the host is ready for it; among ready hosts the page
nearest to a seed comes first. Each call is part of the caller's transaction: what a visit found is
known together with the capture that it was found on, or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.crawl import statements
from webgeist.crawl.scope import Step
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import CRAWLS, FRONTIER, HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webgeist.crawl.addresses import Address


@dataclass(frozen=True)
class Found:
    """A page to visit, and the page (by number) that has a link to it."""

    address: Address
    step: Step
    source: int | None = None


@dataclass(frozen=True)
class Lease:
    """A page that is being visited. `captures` are those that it has already, by viewport."""

    page: int
    url: str
    host: int
    host_name: str
    site: str
    step: Step
    attempts: int
    captures: Mapping[str, str]
    host_failures: int
    recorder: str | None


@dataclass(frozen=True)
class Ending:
    """What became of a visit. `ready` is when its host may be asked again."""

    state: PageState
    ready: float
    now: float
    reason: str = ""
    captures: Mapping[str, str] = field(default_factory=dict)
    next_try: float | None = None
    host_failures: int = 0


COUNTED = frozenset({PageState.DONE, PageState.FAILED})


class Frontier:
    """The frontier of one crawl, inside one transaction.

    `pages` and `per_site` bound how many pages are visited, in all and of each site. Pages that
    failed count: they were asked for.
    """

    def __init__(
        self,
        connection: sa.Connection,
        crawl: int,
        *,
        pages: int | None = None,
        per_site: int | None = None,
    ) -> None:
        self._connection = connection
        self._crawl = crawl
        self._pages = pages
        self._per_site = per_site

    # --- pages come in -------------------------------------------------------------------------

    def add(self, found: Iterable[Found], *, older_than: float = 0.0) -> int:
        """Make pages known; how many are to be visited because of it.

        A page that this crawl knows stays as it is, unless it was visited before `older_than`. One
        that an earlier crawl has captured is to be visited for its links alone.
        """
        pages = {each.address.url: each for each in found}
        if not pages:
            return 0
        hosts = self._hosts({each.address.host: each.address.site for each in pages.values()})
        rows = [_row(each, hosts[each.address.host], self._crawl) for each in pages.values()]
        added = self._connection.execute(statements.adding(older_than), rows).all()
        self._expect(added)
        return len(added)

    def _hosts(self, sites: dict[str, str]) -> dict[str, int]:
        rows = [statements.NEW_HOST | {"name": name, "site": site} for name, site in sites.items()]
        self._connection.execute(sqlite.insert(HOSTS).on_conflict_do_nothing(), rows)
        asked = sa.select(HOSTS.c.name, HOSTS.c.host).where(HOSTS.c.name.in_(sites))
        return dict(iter(self._connection.execute(asked)))

    def _expect(self, pages: Iterable[sa.Row[int, int] | tuple[int, int]]) -> None:
        """Tell the hosts of pages (with their depths) that these are pending."""
        depths = defaultdict(list)
        for host, depth in pages:
            depths[host].append(depth)
        more = [
            {"which": host, "more": len(each), "first": min(each)} for host, each in depths.items()
        ]
        if more:
            self._connection.execute(statements.EXPECT, more)

    # --- pages go out --------------------------------------------------------------------------

    def lease(self, now: float) -> Lease | None:
        """The next page to visit; None if there is none now, or no more may be visited."""
        if self._pages is not None and self.taken >= self._pages:
            return None
        self._expect(self._connection.execute(statements.WAKE, {"now": now}).all())
        host = self._connection.execute(statements.NEXT_HOST, {"now": now}).one_or_none()
        if host is None:
            return None
        page = self._connection.execute(statements.NEXT_PAGE, {"which": host.host}).one()
        self._connection.execute(statements.LEASE, {"which": page.page})
        self._connection.execute(statements.BEGIN_VISIT, {"which": host.host})
        self._take(1, host.site)
        step = Step(page.depth, page.hops)
        where = host.host, host.name, host.site
        how = page.captures, host.failures, host.recorder
        return Lease(page.page, page.url, *where, step, page.attempts, *how)

    def end(self, lease: Lease, ending: Ending) -> None:
        """A visit has come to its end."""
        captures = {**lease.captures, **ending.captures}
        said = _said(ending, attempts=lease.attempts + 1, captures=captures)
        host = {"ready": ending.ready, "failures": ending.host_failures}
        self._connection.execute(statements.END, {"which": lease.page} | said)
        self._connection.execute(statements.END_VISIT, {"which": lease.host} | host)
        if ending.state not in COUNTED:
            self._take(-1, lease.site)

    def give_back(self, lease: Lease) -> None:
        """A visit was broken off: the page waits as if it had never begun."""
        self._connection.execute(statements.GIVE_BACK, {"which": lease.page})
        self._connection.execute(statements.LEAVE, {"which": lease.host})
        self._expect([(lease.host, lease.step.depth)])
        self._take(-1, lease.site)

    def seen_to(self, urls: Iterable[str]) -> set[str]:
        """Those of the addresses whose pages this crawl has captured, or is capturing."""
        asked = sa.select(FRONTIER.c.url).where(
            FRONTIER.c.state.in_([PageState.DONE, PageState.LEASED]),
            FRONTIER.c.crawl == self._crawl,
            FRONTIER.c.url.in_(list(urls)),
        )
        return set(self._connection.execute(asked).scalars())

    def mark_done(self, found: Found, ending: Ending) -> None:
        """A page was captured on the way: another one's address leads to it."""
        self.add([found], older_than=ending.now)
        asked = sa.select(FRONTIER.c.page, FRONTIER.c.host, FRONTIER.c.state)
        row = self._connection.execute(asked.where(FRONTIER.c.url == found.address.url)).one()
        said = _said(ending, attempts=1, captures=ending.captures)
        self._connection.execute(statements.END, {"which": row.page} | said)
        if row.state == PageState.PENDING:
            self._connection.execute(statements.NOT_PENDING, {"which": row.host})

    @property
    def taken(self) -> int:
        """How many pages are being visited or have been."""
        asked = sa.select(CRAWLS.c.taken).where(CRAWLS.c.crawl == self._crawl)
        taken: int = self._connection.execute(asked).scalar_one()
        return taken

    def _take(self, pages: int, site: str) -> None:
        """Count pages of a site as visited, or no longer."""
        self._connection.execute(statements.TAKE, {"which": self._crawl, "more": pages})
        counted = self._connection.execute(statements.TAKE_OF_SITE, {"site": site, "taken": pages})
        taken: int = counted.scalar_one()
        if self._per_site is not None and self._per_site in {taken, taken - pages}:
            hosts = sa.update(HOSTS).where(HOSTS.c.site == site)
            self._connection.execute(hosts.values(full=taken >= self._per_site))

    def next_time(self) -> float | None:
        """When there may be something to visit, leases that end aside; None for never."""
        if self._pages is not None and self.taken >= self._pages:
            return None
        times = self._connection.execute(statements.NEXT_TIME).one()
        return min((time for time in times if time is not None), default=None)

    def give_up(self, host: int, reason: str, now: float) -> int:
        """All pages that wait for this host have failed; how many."""
        found = self._connection.execute(
            statements.GIVE_UP, {"which": host, "reason": reason, "now": now}
        )
        self._connection.execute(statements.NOTHING_PENDING, {"which": host})
        return found.rowcount

    def counts(self) -> dict[PageState, int]:
        """How many pages of this crawl are in each state."""
        asked = sa.select(FRONTIER.c.state, sa.func.count()).where(FRONTIER.c.crawl == self._crawl)
        rows = self._connection.execute(asked.group_by(FRONTIER.c.state))
        return {PageState(state): number for state, number in rows}


def _said(ending: Ending, *, attempts: int, captures: Mapping[str, str]) -> dict[str, Any]:
    return {
        "state": ending.state,
        "reason": ending.reason,
        "next_try": ending.next_try,
        "attempts": attempts,
        "visited": ending.now,
        "captures": dict(captures),
    }


def _row(found: Found, host: int, crawl: int) -> dict[str, Any]:
    return {
        "url": found.address.url,
        "host": host,
        "state": PageState.PENDING,
        "depth": found.step.depth,
        "hops": found.step.hops,
        "attempts": 0,
        "reason": "",
        "source": found.source,
        "crawl": crawl,
        "captures": {},
    }
