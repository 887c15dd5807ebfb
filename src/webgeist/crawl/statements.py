"""What the frontier asks of SQLite. `which` is always the number of what it is about.

States are written into the statements: SQLite uses an index of some rows only where it sees which.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.crawl.tables import CRAWLS, FRONTIER, HOSTS, SHAPES, SITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.sql.dml import ReturningInsert


class PageState(StrEnum):
    PENDING = "pending"
    WAITING = "waiting"  # pending, but not before next_try
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"  # robots.txt forbids it, or it redirects to a page that is known
    LEFT = "left"  # an earlier crawl did not come to it


_MOST_VALUES = 10_000  # in one question; SQLite takes 32,766


def portions(values: Iterable[str]) -> Iterator[list[str]]:
    """The values in as many lists as questions are needed."""
    rest = iter(values)
    while some := list(islice(rest, _MOST_VALUES)):
        yield some


NEW_HOST: dict[str, Any] = {
    "pending": 0,
    "leased": 0,
    "next_depth": 0,
    "ready": 0.0,
    "failures": 0,
    "full": False,
}
_WHICH: sa.BindParameter[int] = sa.bindparam("which")
_PAGE = FRONTIER.c.page == _WHICH
_HOST = HOSTS.c.host == _WHICH


def is_in(state: PageState) -> sa.ColumnElement[bool]:
    return FRONTIER.c.state == sa.literal_column(f"'{state}'")


@lru_cache(maxsize=8)  # making the statement takes longer than carrying it out
def adding(older_than: float) -> ReturningInsert[int, int, str]:
    insert = sqlite.insert(FRONTIER)
    old = FRONTIER.c.visited < older_than
    over = sa.or_(*map(is_in, (PageState.DONE, PageState.FAILED, PageState.SKIPPED)))
    elsewhere = FRONTIER.c.crawl != insert.excluded.crawl
    new = ("state", "depth", "hops", "attempts", "reason", "source", "crawl")
    good = sa.and_(is_in(PageState.DONE), ~old)
    again = insert.on_conflict_do_update(
        index_elements=["url"],
        set_={name: insert.excluded[name] for name in new}
        | {"captures": sa.case((good, FRONTIER.c.captures), else_=insert.excluded.captures)},
        where=is_in(PageState.LEFT) | (over & elsewhere),
    )
    return again.returning(FRONTIER.c.host, FRONTIER.c.depth, FRONTIER.c.url)


EXPECT = sa.update(HOSTS).where(_HOST).values(
    pending=HOSTS.c.pending + sa.bindparam("more"),
    next_depth=sa.case(
        (HOSTS.c.pending > 0, sa.func.min(HOSTS.c.next_depth, sa.bindparam("first"))),
        else_=sa.bindparam("first"),
    ),
)  # fmt: skip
WAKE = (
    sa.update(FRONTIER)
    .where(is_in(PageState.WAITING), FRONTIER.c.next_try <= sa.bindparam("now"))
    .values(state=PageState.PENDING, next_try=None)
    .returning(FRONTIER.c.host, FRONTIER.c.depth)
)
_WAITS = sa.and_(
    HOSTS.c.pending > sa.literal_column("0"),
    HOSTS.c.leased == sa.literal_column("0"),
    HOSTS.c.full == sa.literal_column("0"),
)
NEXT_HOST = (
    sa.select(HOSTS)
    .where(_WAITS, HOSTS.c.ready <= sa.bindparam("now"))
    .order_by(HOSTS.c.next_depth, HOSTS.c.ready)
    .limit(1)
)
NEXT_PAGE = (
    sa.select(FRONTIER)
    .where(is_in(PageState.PENDING), FRONTIER.c.host == _WHICH)
    .order_by(FRONTIER.c.depth, FRONTIER.c.page)
    .limit(1)
)
_FIRST_DEPTH = (
    sa.select(FRONTIER.c.depth)
    .where(is_in(PageState.PENDING), FRONTIER.c.host == HOSTS.c.host)
    .order_by(FRONTIER.c.depth)
    .limit(1)
    .scalar_subquery()
)
LEASE = sa.update(FRONTIER).where(_PAGE).values(state=PageState.LEASED)
BEGIN_VISIT = sa.update(HOSTS).where(_HOST).values(
    leased=HOSTS.c.leased + 1,
    pending=HOSTS.c.pending - 1,
    next_depth=sa.func.coalesce(_FIRST_DEPTH, 0),
)  # fmt: skip
_SAID = ("state", "reason", "next_try", "attempts", "visited", "captures")
END = sa.update(FRONTIER).where(_PAGE).values(
    {name: sa.bindparam(name) for name in _SAID}
)  # fmt: skip
LEAVE = sa.update(HOSTS).where(_HOST).values(
    {"leased": HOSTS.c.leased - 1}
    | {name: sa.bindparam(name) for name in ("ready", "failures", "recorder")}
)  # fmt: skip
_VALUES: sa.BindParameter[list[str]] = sa.bindparam("values", expanding=True)
KNOWN = sa.select(FRONTIER.c.url).where(FRONTIER.c.crawl == _WHICH, FRONTIER.c.url.in_(_VALUES))
OF_SHAPES = sa.select(SHAPES).where(SHAPES.c.shape.in_(_VALUES))
HOSTS_NAMED = sa.select(HOSTS.c.name, HOSTS.c.host).where(HOSTS.c.name.in_(_VALUES))
NEW_HOSTS = sa.insert(HOSTS)
TAKEN = sa.select(CRAWLS.c.taken).where(CRAWLS.c.crawl == _WHICH)
BYTES = sa.select(CRAWLS.c.bytes).where(CRAWLS.c.crawl == _WHICH)
KEEP_BYTES = sa.update(CRAWLS).where(CRAWLS.c.crawl == _WHICH).values(
    bytes=CRAWLS.c.bytes + sa.bindparam("more")
)  # fmt: skip
TAKE = sa.update(CRAWLS).where(CRAWLS.c.crawl == _WHICH).values(
    taken=CRAWLS.c.taken + sa.bindparam("more")
)  # fmt: skip
_SITE = sqlite.insert(SITES)
TAKE_OF_SITE = _SITE.on_conflict_do_update(
    index_elements=["site"], set_={"taken": SITES.c.taken + _SITE.excluded.taken}
).returning(SITES.c.taken)
_SHAPE = sqlite.insert(SHAPES)
COUNT_SHAPE = _SHAPE.on_conflict_do_update(
    index_elements=["shape"], set_={"pages": SHAPES.c.pages + _SHAPE.excluded.pages}
)
NEXT_TIME = sa.select(
    sa.select(sa.func.min(HOSTS.c.ready)).where(_WAITS).scalar_subquery(),
    sa.select(sa.func.min(FRONTIER.c.next_try)).where(is_in(PageState.WAITING)).scalar_subquery(),
)
GIVE_UP = (
    sa.update(FRONTIER)
    .where(FRONTIER.c.host == _WHICH, is_in(PageState.PENDING) | is_in(PageState.WAITING))
    .values(
        state=PageState.FAILED,
        reason=sa.bindparam("reason"),
        visited=sa.bindparam("now"),
        next_try=None,
    )
    .returning(FRONTIER.c.attempts)
)
GIVE_BACK = sa.update(FRONTIER).where(_PAGE).values(state=PageState.PENDING)
NOT_PENDING = sa.update(HOSTS).where(_HOST).values(
    pending=HOSTS.c.pending - 1, next_depth=sa.func.coalesce(_FIRST_DEPTH, 0)
)  # fmt: skip
NOTHING_PENDING = sa.update(HOSTS).where(_HOST).values(pending=0)
