"""The pages to visit, in state.db: which is next, and what became of each.

    pending ──lease──→ leased ──→ done | failed | skipped
       ↑                 │
       └──── waiting ←───┘ to be tried again later

One page of a host at a time, and not before the host is ready for it; among ready hosts the page
nearest to a seed comes first. Each call is part of the caller's transaction: what a visit found is
known together with the capture that it was found on, or not at all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from webgeist.crawl import statements
from webgeist.crawl.scope import Step
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import FRONTIER, HOSTS
from webgeist.crawl.traps import shape

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

    crawl: int
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
    """What became of a page."""

    state: PageState
    now: float
    reason: str = ""
    captures: Mapping[str, str] = field(default_factory=dict)
    next_try: float | None = None


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

        A page that this crawl knows stays as it is. One that an earlier crawl has captured is to be
        visited for its links alone, unless that was before `older_than`.
        """
        pages = {each.address.url: each for each in found}
        if not pages:
            return 0
        hosts = self._hosts({each.address.host: each.address.site for each in pages.values()})
        rows = [_row(each, hosts[each.address.host], self._crawl) for each in pages.values()]
        added = self._connection.execute(statements.adding(older_than), rows).all()
        self._expect((row.host, row.depth) for row in added)
        self._count_shapes(pages[row.url].address for row in added)
        return len(added)

    def _count_shapes(self, added: Iterable[Address]) -> None:
        counts = Counter(map(shape, added))
        if counts:
            rows = [{"shape": each, "pages": number} for each, number in counts.items()]
            self._connection.execute(statements.COUNT_SHAPE, rows)

    def crowded(self, found: Iterable[Found], limit: int) -> set[str]:
        """Those of the addresses that are new and one too many of their shape."""
        pages = {each.address.url: each.address for each in found}
        for url in self._known(pages):
            pages.pop(url)
        shapes = {url: shape(address) for url, address in pages.items()}
        counts = self._of_shapes(shapes.values())
        refused = set()
        for url, its in shapes.items():
            counts[its] += 1
            if counts[its] > limit:
                refused.add(url)
        return refused

    def _known(self, urls: Iterable[str]) -> list[str]:
        found: list[str] = []
        for some in statements.portions(urls):
            asked = {"which": self._crawl, "values": some}
            found += self._connection.execute(statements.KNOWN, asked).scalars()
        return found

    def _of_shapes(self, shapes: Iterable[str]) -> Counter[str]:
        counts: Counter[str] = Counter()
        for some in statements.portions(set(shapes)):
            rows = self._connection.execute(statements.OF_SHAPES, {"values": some})
            counts.update(dict(iter(rows)))
        return counts

    def _hosts(self, sites: dict[str, str]) -> dict[str, int]:
        numbers = self._hosts_named(sites)
        new = [
            statements.NEW_HOST | {"name": name, "site": site}
            for name, site in sites.items()
            if name not in numbers
        ]
        if new:
            self._connection.execute(statements.NEW_HOSTS, new)
            numbers |= self._hosts_named(row["name"] for row in new)
        return numbers

    def _hosts_named(self, names: Iterable[str]) -> dict[str, int]:
        numbers: dict[str, int] = {}
        for some in statements.portions(names):
            found = self._connection.execute(statements.HOSTS_NAMED, {"values": some})
            numbers.update(iter(found))
        return numbers

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
        return Lease(self._crawl, page.page, page.url, *where, step, page.attempts, *how)

    def end(self, lease: Lease, ending: Ending) -> None:
        """What became of a page that was visited."""
        captures = {**lease.captures, **ending.captures}
        said = _said(ending, attempts=lease.attempts + 1, captures=captures)
        self._connection.execute(statements.END, {"which": lease.page} | said)
        if ending.state not in COUNTED:
            self._take(-1, lease.site)

    def leave(
        self, lease: Lease, ready: float, *, failures: int = 0, recorder: str | None = None
    ) -> None:
        """A visit is over, whatever it gave: the host may have the next one when it is `ready`."""
        said = {"ready": ready, "failures": failures, "recorder": recorder or lease.recorder}
        self._connection.execute(statements.LEAVE, {"which": lease.host} | said)

    def give_back(self, lease: Lease) -> None:
        """Nothing came of a visit: the page waits as if there had been none."""
        self._connection.execute(statements.GIVE_BACK, {"which": lease.page})
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

    def page_of(self, address: Address) -> int:
        """The number of a page that is known."""
        asked = sa.select(FRONTIER.c.page).where(FRONTIER.c.url == address.url)
        page: int = self._connection.execute(asked).scalar_one()
        return page

    def mark_done(self, found: Found, ending: Ending) -> None:
        """A page was captured on the way: another one's address leads to it."""
        self.add([found])
        asked = sa.select(FRONTIER.c.page, FRONTIER.c.host, FRONTIER.c.state)
        row = self._connection.execute(asked.where(FRONTIER.c.url == found.address.url)).one()
        said = _said(ending, attempts=1, captures=ending.captures)
        self._connection.execute(statements.END, {"which": row.page} | said)
        if row.state == PageState.PENDING:
            self._connection.execute(statements.NOT_PENDING, {"which": row.host})
        if row.state not in COUNTED:
            self._take(1, found.address.site)

    @property
    def taken(self) -> int:
        """How many pages are being visited or have been."""
        asked = {"which": self._crawl}
        taken: int = self._connection.execute(statements.TAKEN, asked).scalar_one()
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

    def give_up(self, lease: Lease, reason: str, now: float) -> int:
        """All pages that wait for this host have failed; how many. Those never tried count not."""
        said = {"which": lease.host, "reason": reason, "now": now}
        attempts = self._connection.execute(statements.GIVE_UP, said).scalars().all()
        self._connection.execute(statements.NOTHING_PENDING, {"which": lease.host})
        self._take(sum(number > 0 for number in attempts), lease.site)
        return len(attempts)

    def keep_bytes(self, number: int) -> None:
        """So many bytes more were stored."""
        self._connection.execute(statements.KEEP_BYTES, {"which": self._crawl, "more": number})

    @property
    def bytes(self) -> int:
        """How many bytes this crawl has stored: bodies as they were sent, and pictures."""
        asked = {"which": self._crawl}
        kept: int = self._connection.execute(statements.BYTES, asked).scalar_one()
        return kept

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
