"""How far a crawl has come: numbers for a display, a summary and JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sqlalchemy as sa

from webgeist.crawl.statements import PageState, is_in
from webgeist.crawl.tables import FRONTIER, HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.crawl.keeper import Result

_SHOWN_HOSTS = 8
_SHOWN_REASONS = 20


@dataclass(frozen=True)
class HostState:
    """A host that has something to do. `ready`: seconds until it may be asked again; `reason`: why
    its next page waits longer than that.
    """

    name: str
    queued: int
    visiting: bool
    ready: float
    failures: int
    reason: str = ""


@dataclass(frozen=True)
class Progress:
    """Pages of this crawl; `visited` and `seconds` are of this run."""

    done: int
    failed: int
    skipped: int
    queued: int
    bytes: int
    visited: int
    seconds: float

    @property
    def per_minute(self) -> float:
        return 60 * self.visited / self.seconds if self.seconds else 0.0


@dataclass
class Tally:
    """Counts along with a run, so that nobody has to count a million rows to show a number."""

    pages: Counter[PageState] = field(default_factory=Counter)
    bytes: int = 0
    visited: int = 0

    def add(self, results: Iterable[Result]) -> None:
        for result in results:
            if result.given_back:
                continue
            if result.state is not PageState.WAITING:
                self.pages[result.state] += 1
                self.visited += 1
            if result.moved and result.state is PageState.DONE:
                self.pages[PageState.SKIPPED] += 1  # the address that led there
            self.pages[PageState.FAILED] += result.given_up
            self.bytes += result.bytes


_BUSY = sa.or_(HOSTS.c.pending > 0, HOSTS.c.leased > 0)


def queued(connection: sa.Connection) -> int:
    """Pages that wait to be visited, now or later."""
    pending = sa.select(sa.func.coalesce(sa.func.sum(HOSTS.c.pending), 0)).where(_BUSY)
    later = sa.select(sa.func.count()).select_from(FRONTIER).where(is_in(PageState.WAITING))
    number: int = connection.execute(
        sa.select(pending.scalar_subquery() + later.scalar_subquery())
    ).scalar_one()
    return number


def busy_hosts(connection: sa.Connection, now: float) -> list[HostState]:
    """The hosts that are being visited, and those that most pages wait for."""
    asked = sa.select(HOSTS).where(_BUSY)
    rows = connection.execute(
        asked.order_by(HOSTS.c.leased.desc(), HOSTS.c.pending.desc()).limit(_SHOWN_HOSTS)
    )
    busy = [
        HostState(row.name, row.pending, row.leased > 0, max(0.0, row.ready - now), row.failures)
        for row in rows
    ]
    return (busy + _waiting_hosts(connection, now))[:_SHOWN_HOSTS]


def _waiting_hosts(connection: sa.Connection, now: float) -> list[HostState]:
    """The hosts all of whose pages wait to be tried again, the first to be asked first."""
    first = sa.func.min(FRONTIER.c.next_try)
    asked = (
        sa.select(HOSTS.c.name, HOSTS.c.failures, sa.func.count(), first, FRONTIER.c.reason)
        .join(HOSTS, HOSTS.c.host == FRONTIER.c.host)
        .where(is_in(PageState.WAITING), ~_BUSY)
        .group_by(FRONTIER.c.host)
        .order_by(first)
        .limit(_SHOWN_HOSTS)
    )
    return [
        HostState(name, pages, False, max(0.0, time - now), failures, reason)
        for name, failures, pages, time, reason in connection.execute(asked)
    ]


def reasons(connection: sa.Connection, crawl: int, state: PageState) -> dict[str, int]:
    """Why pages failed or were skipped, most frequent first."""
    kind = sa.func.substr(FRONTIER.c.reason, 1, 200)
    asked = (
        sa.select(kind, sa.func.count())
        .where(FRONTIER.c.crawl == crawl, FRONTIER.c.state == state)
        .group_by(kind)
        .order_by(sa.func.count().desc(), kind)
        .limit(_SHOWN_REASONS)
    )
    return dict(iter(connection.execute(asked)))
