"""Beginning a crawl, or going on with it, in state.db."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from webgeist.crawl.frontier import COUNTED
from webgeist.crawl.plan import dump_bounds, dump_plan, load
from webgeist.crawl.statements import PageState, is_in
from webgeist.crawl.tables import CRAWLS, FRONTIER, HOSTS, SHAPES, SITES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.crawl.plan import Bounds, Plan

_LATEST = sa.select(CRAWLS).order_by(CRAWLS.c.crawl.desc()).limit(1)
_VISITED = (PageState.DONE, PageState.FAILED, PageState.SKIPPED)
_UNVISITED = (PageState.PENDING, PageState.WAITING, PageState.LEASED)

_AGAIN = sa.update(FRONTIER).values(
    state=PageState.PENDING, attempts=0, reason="", captures={}
)  # fmt: skip


def latest(connection: sa.Connection) -> tuple[Plan, Bounds] | None:
    """What the last crawl of this repository was to do, if there was one."""
    found = connection.execute(_LATEST).one_or_none()
    return None if found is None else load(found.plan, found.bounds)


def begin(connection: sa.Connection, plan: Plan, bounds: Bounds, now: float) -> int:
    """The number of the crawl with this plan: the last one if that had the same, or a new one."""
    text, ends = dump_plan(plan), dump_bounds(bounds)
    known = connection.execute(_LATEST).one_or_none()
    if known is not None and known.plan == text:
        same = sa.update(CRAWLS).where(CRAWLS.c.crawl == known.crawl)
        connection.execute(same.values(bounds=ends))
        return int(known.crawl)
    leave_all(connection)
    row = {"plan": text, "bounds": ends, "taken": 0, "started": now, "bytes": 0}
    return int(connection.execute(sa.insert(CRAWLS).returning(CRAWLS.c.crawl), row).scalar_one())


def leave_all(connection: sa.Connection) -> None:
    """What earlier crawls have not visited is left; a new one may find it again."""
    unvisited = sa.update(FRONTIER).where(FRONTIER.c.state.in_(_UNVISITED))
    connection.execute(unvisited.values(state=PageState.LEFT, next_try=None))
    connection.execute(sa.delete(SHAPES))


def refresh(connection: sa.Connection, crawl: int, older_than: float) -> int:
    """Pages of this crawl that were visited before are to be visited again; how many."""
    old = FRONTIER.c.crawl == crawl, FRONTIER.c.visited < older_than
    again = _AGAIN.where(*old, FRONTIER.c.state.in_(_VISITED))
    return connection.execute(again).rowcount


def visits(connection: sa.Connection, crawl: int) -> dict[str, float]:
    """When each page of this crawl was visited last."""
    asked = sa.select(FRONTIER.c.url, FRONTIER.c.visited).where(
        FRONTIER.c.crawl == crawl, FRONTIER.c.state.in_(_VISITED), FRONTIER.c.visited.is_not(None)
    )
    return {row.url: row.visited for row in connection.execute(asked)}


def visit_again(connection: sa.Connection, crawl: int, urls: Iterable[str]) -> int:
    """These pages of this crawl are to be visited again; how many. `resume` counts them."""
    again = _AGAIN.where(FRONTIER.c.crawl == crawl, FRONTIER.c.url == sa.bindparam("page_url"))
    rows = [{"page_url": url} for url in urls]
    return connection.execute(again, rows).rowcount if rows else 0


def number(connection: sa.Connection) -> int | None:
    """The number of the last crawl of this repository, if there was one."""
    found = connection.execute(_LATEST).one_or_none()
    return None if found is None else int(found.crawl)


def visit_changed(
    connection: sa.Connection, crawl: int, changed: Iterable[tuple[str, float]]
) -> int:
    """Pages of this crawl that have changed since they were visited, each with the time when, are
    to be visited again; how many. `resume` counts them.
    """
    again = _AGAIN.where(
        FRONTIER.c.crawl == crawl,
        FRONTIER.c.url == sa.bindparam("page_url"),
        FRONTIER.c.visited < sa.bindparam("changed"),
        sa.or_(*map(is_in, (*_VISITED, PageState.PENDING))),
    )
    rows = [{"page_url": url, "changed": time} for url, time in changed]
    return connection.execute(again, rows).rowcount if rows else 0


def starts(connection: sa.Connection, crawl: int) -> list[str]:
    """The addresses of the seeds, and of the pages that they lead to."""
    asked = sa.select(FRONTIER.c.url).where(FRONTIER.c.crawl == crawl, FRONTIER.c.depth == 0)
    return list(connection.execute(asked).scalars())


def resume(connection: sa.Connection, crawl: int, *, per_site: int | None) -> None:
    """Give back the leases of a run that died, and count anew what waits and what was visited."""
    leased = sa.update(FRONTIER).where(FRONTIER.c.state == PageState.LEASED)
    connection.execute(leased.values(state=PageState.PENDING))
    _count_visited(connection, crawl)
    _count_pending(connection)
    full: sa.ColumnElement[bool] = sa.false()
    if per_site is not None:
        taken = sa.select(SITES.c.taken).where(SITES.c.site == HOSTS.c.site).scalar_subquery()
        full = sa.func.coalesce(taken, 0) >= per_site
    connection.execute(sa.update(HOSTS).values(leased=0, full=full))


def _count_visited(connection: sa.Connection, crawl: int) -> None:
    tried = FRONTIER.c.attempts > 0  # others failed with their host
    visited = sa.and_(FRONTIER.c.crawl == crawl, FRONTIER.c.state.in_(COUNTED), tried)
    of_sites = (
        sa.select(HOSTS.c.site, sa.func.count())
        .join(FRONTIER, FRONTIER.c.host == HOSTS.c.host)
        .where(visited)
        .group_by(HOSTS.c.site)
    )
    connection.execute(sa.delete(SITES))
    connection.execute(sa.insert(SITES).from_select(["site", "taken"], of_sites))
    number = sa.select(sa.func.count()).select_from(FRONTIER).where(visited).scalar_subquery()
    connection.execute(sa.update(CRAWLS).where(CRAWLS.c.crawl == crawl).values(taken=number))


def _count_pending(connection: sa.Connection) -> None:
    connection.execute(sa.update(HOSTS).values(pending=0, next_depth=0))
    waiting = (
        sa.select(FRONTIER.c.host, sa.func.count(), sa.func.min(FRONTIER.c.depth))
        .where(is_in(PageState.PENDING))
        .group_by(FRONTIER.c.host)
    )
    rows = [
        {"which": host, "number": number, "depth": depth}
        for host, number, depth in connection.execute(waiting)
    ]
    if rows:
        counted = sa.update(HOSTS).where(HOSTS.c.host == sa.bindparam("which"))
        values = counted.values(pending=sa.bindparam("number"), next_depth=sa.bindparam("depth"))
        connection.execute(values, rows)
