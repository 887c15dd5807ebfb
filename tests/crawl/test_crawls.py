"""Beginning a crawl and going on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.crawl.test_frontier import empty, ending, found, leased, over

from webgeist.crawl import crawls
from webgeist.crawl.frontier import Frontier
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.statements import PageState
from webgeist.errors import DamagedError

if TYPE_CHECKING:
    import sqlalchemy as sa

__all__ = ["empty"]  # a fixture

PLAN, OTHER = Plan(("http://a/",)), Plan(("http://b/",))
DONE, PENDING = PageState.DONE, PageState.PENDING


def begun(connection: sa.Connection, plan: Plan, per_site: int | None = None) -> Frontier:
    number = crawls.begin(connection, plan, Bounds(), 0.0)
    crawls.resume(connection, number, per_site=per_site)
    return Frontier(connection, number, per_site=per_site)


def test_the_same_plan_goes_on_and_another_begins(empty: sa.Connection) -> None:
    first = crawls.begin(empty, PLAN, Bounds(), 1.0)
    assert crawls.begin(empty, PLAN, Bounds(), 2.0) == first
    assert crawls.latest(empty) == (PLAN, Bounds())
    assert crawls.begin(empty, OTHER, Bounds(pages=3), 3.0) == first + 1
    assert crawls.latest(empty) == (OTHER, Bounds(pages=3))


def test_leases_of_a_run_that_died_come_back(empty: sa.Connection) -> None:
    frontier = begun(empty, PLAN)
    frontier.add(found(f"http://{host}/{page}", page) for host in "ab" for page in (1, 2))
    over(frontier, leased(frontier), ending(DONE))
    lost = {leased(frontier).url, leased(frontier).url}
    assert frontier.lease(0.0) is None
    again = begun(empty, PLAN)
    assert again.taken == 1
    assert {leased(again).url, leased(again).url} == lost
    assert again.lease(0.0) is None


def test_what_an_earlier_crawl_left_is_visited_only_if_found_again(
    empty: sa.Connection,
) -> None:
    before = begun(empty, PLAN)
    before.add([found("http://a/"), found("http://a/left"), found("http://a/seen", 1)])
    over(before, leased(before), ending(DONE, captures={"desktop": "c1"}))
    frontier = begun(empty, OTHER)
    assert (frontier.lease(9.0), frontier.taken) == (None, 0)
    assert frontier.add([found("http://a/"), found("http://a/left", 2)]) == 2
    first = leased(frontier, 9.0)
    assert (first.url, first.captures) == ("http://a/", {"desktop": "c1"})  # for its links
    over(frontier, first, ending(DONE))
    assert leased(frontier, 9.0).url == "http://a/left"
    assert frontier.add([found("http://a/")]) == 0


def test_the_bound_of_a_site_may_change_from_run_to_run(empty: sa.Connection) -> None:
    frontier = begun(empty, PLAN, per_site=1)
    frontier.add(found(f"http://a/{page}") for page in range(5))
    over(frontier, leased(frontier), ending(DONE))
    assert frontier.lease(0.0) is None
    wider = begun(empty, PLAN, per_site=3)
    for _ in range(2):
        over(wider, leased(wider), ending(DONE))
    assert wider.lease(0.0) is None
    assert wider.counts() == {DONE: 3, PENDING: 2}


def test_a_plan_that_cannot_be_read_is_told(empty: sa.Connection) -> None:
    crawls.begin(empty, PLAN, Bounds(), 0.0)
    empty.exec_driver_sql("UPDATE crawls SET plan = '{}'")
    with pytest.raises(DamagedError, match="plan of the last crawl"):
        crawls.latest(empty)
    assert crawls.begin(empty, PLAN, Bounds(), 0.0) == 2  # as the remedy says


def test_old_pages_are_visited_again(empty: sa.Connection) -> None:
    frontier = begun(empty, PLAN)
    frontier.add([found("http://a/old"), found("http://a/new"), found("http://a/left")])
    over(frontier, leased(frontier), ending(DONE, 10.0, captures={"desktop": "c1"}))
    over(frontier, leased(frontier, 20.0), ending(DONE, 20.0))
    assert crawls.refresh(empty, 1, 15.0) == 1
    again = begun(empty, PLAN)
    assert again.taken == 1
    lease = leased(again, 30.0)
    assert (lease.url, lease.captures, lease.attempts) == ("http://a/old", {}, 0)


def test_where_seeds_lead_to_is_known_again(empty: sa.Connection) -> None:
    frontier = begun(empty, PLAN)
    frontier.add([found("http://a/"), found("http://a/deep", 1)])
    frontier.mark_done(found("http://www.a/"), ending(DONE))
    assert sorted(crawls.starts(empty, 1)) == ["http://a/", "http://www.a/"]
