"""The frontier against a plain model of it, and case by case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from webgeist.crawl.addresses import parse
from webgeist.crawl.frontier import Ending, Found, Frontier, Lease
from webgeist.crawl.scope import Step
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import CRAWLS, METADATA
from webgeist.repository.migrations import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

DONE, FAILED, LEFT = PageState.DONE, PageState.FAILED, PageState.LEFT
PENDING, SKIPPED, WAITING = PageState.PENDING, PageState.SKIPPED, PageState.WAITING


def new_database() -> sa.Connection:
    connection = sa.create_engine("sqlite://").connect()
    for step in MIGRATIONS[1:]:
        for statement in step:
            connection.exec_driver_sql(statement)
    return connection


def begin(connection: sa.Connection) -> None:
    row = {"crawl": 1, "plan": "{}", "bounds": "{}", "taken": 0, "started": 0.0, "bytes": 0}
    connection.execute(sa.insert(CRAWLS), row)


@pytest.fixture
def empty() -> Iterator[sa.Connection]:
    connection = new_database()
    yield connection
    connection.close()
    connection.engine.dispose()


@pytest.fixture
def connection(empty: sa.Connection) -> sa.Connection:
    begin(empty)
    return empty


def found(url: str, depth: int = 0, source: int | None = None) -> Found:
    address = parse(url)
    assert address is not None
    return Found(address, Step(depth), source)


def leased(frontier: Frontier, now: float = 0.0) -> Lease:
    lease = frontier.lease(now)
    assert lease is not None
    return lease


def ending(state: PageState, now: float = 0.0, **more: object) -> Ending:
    return Ending(state, now, **more)  # type: ignore[arg-type]


def over(frontier: Frontier, lease: Lease, end: Ending, ready: float | None = None) -> None:
    """The visit is over, and what became of the page is known."""
    frontier.leave(lease, end.now if ready is None else ready)
    frontier.end(lease, end)


def test_the_statements_make_what_sqlalchemy_knows(connection: sa.Connection) -> None:
    inspector = sa.inspect(connection)
    assert set(inspector.get_table_names()) >= set(METADATA.tables)
    for name, table in METADATA.tables.items():
        columns = [column["name"] for column in inspector.get_columns(name)]
        assert columns == table.columns.keys()


def test_the_nearest_page_comes_first_and_then_the_first_found(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    urls = {"http://a/2": 2, "http://b/1": 1, "http://a/0": 0, "http://a/3": 2}
    assert frontier.add(found(url, depth) for url, depth in urls.items()) == 4
    order = []
    while lease := frontier.lease(0.0):
        order.append(lease.url)
        over(frontier, lease, ending(DONE))
    assert order == ["http://a/0", "http://b/1", "http://a/2", "http://a/3"]


def test_a_host_is_asked_one_page_at_a_time_and_not_before_it_is_ready(
    connection: sa.Connection,
) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([found("http://a/1"), found("http://a/2")])
    lease = leased(frontier)
    assert frontier.lease(0.0) is None
    assert frontier.next_time() is None
    over(frontier, lease, ending(DONE, 2.0), ready=7.0)
    assert frontier.lease(6.9) is None
    assert frontier.next_time() == 7.0
    assert leased(frontier, 7.0).url == "http://a/2"


def test_a_page_to_be_tried_again_waits_for_its_time(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([found("http://a/1"), found("http://a/2", 1)])
    again = ending(WAITING, reason="reset", next_try=5.0)
    over(frontier, leased(frontier), again)
    assert leased(frontier, 1.0).url == "http://a/2"
    assert frontier.next_time() == 5.0
    assert frontier.counts() == {WAITING: 1, PageState.LEASED: 1}


def test_attempts_are_counted(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([found("http://a/1")])
    for attempt in range(3):
        lease = leased(frontier, float(attempt))
        assert lease.attempts == attempt
        over(frontier, lease, ending(WAITING, float(attempt), next_try=attempt + 1.0))


def test_never_more_pages_than_asked_for(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1, pages=2)
    frontier.add(found(f"http://{host}/") for host in "abcd")
    first, second = leased(frontier), leased(frontier)
    assert frontier.lease(0.0) is None
    over(frontier, first, ending(SKIPPED, reason="robots"))  # was not asked for
    third = leased(frontier)
    over(frontier, second, ending(FAILED))
    over(frontier, third, ending(DONE))
    assert frontier.lease(0.0) is None
    assert frontier.next_time() is None
    assert frontier.taken == 2


def test_never_more_pages_of_a_site_than_asked_for(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1, per_site=2)
    urls = ["http://a.example.org/", "http://b.example.org/", "http://c.example.org/"]
    frontier.add([*map(found, urls), found("http://other.org/", 9)])
    first, _second, other = leased(frontier), leased(frontier), leased(frontier)
    assert other.url == "http://other.org/"
    assert frontier.lease(0.0) is None
    over(frontier, first, ending(WAITING, next_try=100.0))
    assert leased(frontier).url == "http://c.example.org/"


def test_a_page_that_is_known_is_not_added(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    assert frontier.add([found("http://a/"), found("http://a/#again")]) == 1
    over(frontier, leased(frontier), ending(DONE, 10.0, captures={"desktop": "c1"}))
    assert frontier.add([found("http://a/")]) == 0
    assert frontier.add([found("http://a/")], older_than=10.5) == 0
    assert frontier.lease(20.0) is None


def test_a_host_that_is_given_up_has_no_pages_left(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([*(found(f"http://a/{page}") for page in range(4)), found("http://b/")])
    over(frontier, leased(frontier), ending(WAITING, next_try=1.0))
    lease = leased(frontier, 0.5)
    assert lease.host_name == "a"
    over(frontier, lease, ending(FAILED, 1.0))
    assert frontier.give_up(lease, "no answer eight times", 1.0) == 3
    assert frontier.counts() == {FAILED: 4, PENDING: 1}
    assert frontier.taken == 2  # two were never asked for
    assert leased(frontier, 9.0).url == "http://b/"
    assert frontier.lease(9.0) is None


def test_a_visit_that_is_broken_off_has_never_been(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1, pages=1, per_site=1)
    frontier.add([found("http://a/1", 1), found("http://a/2", 2)])
    lease = leased(frontier)
    assert frontier.lease(0.0) is None
    frontier.leave(lease, 0.0)
    frontier.give_back(lease)
    assert (frontier.taken, frontier.counts()) == (0, {PENDING: 2})
    assert leased(frontier) == lease


def test_a_page_that_is_found_on_the_way_is_done(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([found("http://a/old"), found("http://b/new", 3), found("http://b/next", 4)])
    lease = leased(frontier)
    end = ending(DONE, captures={"desktop": "c1"})
    over(frontier, lease, end)
    for url in ("http://b/new", "http://c/other"):
        frontier.mark_done(found(url, 0, lease.page), end)
    assert frontier.seen_to(["http://b/new", "http://c/other", "http://b/next"]) == {
        "http://b/new",
        "http://c/other",
    }
    assert leased(frontier).url == "http://b/next"
    assert frontier.lease(0.0) is None
    assert frontier.seen_to(["http://b/next"]) == {"http://b/next"}


def test_a_host_is_free_before_its_page_is_kept(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    frontier.add([found("http://a/1"), found("http://a/2")])
    first = leased(frontier)
    frontier.leave(first, 3.0, failures=2, recorder="browser")
    second = leased(frontier, 3.0)
    assert (second.host_failures, second.recorder) == (2, "browser")
    frontier.leave(second, 4.0)
    frontier.end(first, ending(WAITING, 4.0, next_try=4.0))
    assert leased(frontier, 4.0).recorder == "browser"


def test_a_redirect_takes_one_page_not_two(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1, pages=2)
    frontier.add([found("http://a/old"), found("http://a/next", 1)])
    lease = leased(frontier)
    over(frontier, lease, ending(SKIPPED, reason="redirects to http://b/new"))
    frontier.mark_done(found("http://b/new", 0, lease.page), ending(DONE))
    assert frontier.taken == 1
    over(frontier, leased(frontier), ending(DONE))
    assert frontier.taken == 2


def test_pages_of_one_shape_are_bounded(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    days = [found(f"http://a/calendar/{day}") for day in range(5)]
    assert frontier.crowded([*days, found("http://a/other")], 3) == {
        "http://a/calendar/3",
        "http://a/calendar/4",
    }
    frontier.add(days[:3])
    assert frontier.crowded(days, 3) == {"http://a/calendar/3", "http://a/calendar/4"}
    assert frontier.crowded(days[:3], 3) == set()  # they are known
    assert frontier.crowded(days, 5) == set()


def test_more_pages_at_once_than_sqlite_takes_values(connection: sa.Connection) -> None:
    frontier = Frontier(connection, 1)
    pages = [found(f"http://h{number}/") for number in range(40_000)]
    assert frontier.add(pages) == 40_000
    assert frontier.crowded(pages, 1) == set()


@dataclass
class Page:
    host: str
    depth: int
    number: int
    state: PageState = PENDING
    next_try: float = 0.0


@dataclass
class Model:
    pages: dict[str, Page] = field(default_factory=dict)
    ready: dict[str, float] = field(default_factory=dict)
    most: int = 6

    def candidates(self, now: float) -> list[tuple[int, float, int, str]]:
        """Depth of the host's first page, when it was ready, page: what comes first is leased."""
        if (
            sum(page.state in {DONE, FAILED, PageState.LEASED} for page in self.pages.values())
            >= self.most
        ):
            return []
        busy = {page.host for page in self.pages.values() if page.state is PageState.LEASED}
        return sorted(
            (page.depth, self.ready.get(page.host, 0.0), page.number, url)
            for url, page in self.pages.items()
            if page.host not in busy and self.ready.get(page.host, 0.0) <= now
            if page.state is PENDING or (page.state is WAITING and page.next_try <= now)
        )


HOSTS = st.sampled_from("abc")


class FrontierMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.connection = new_database()
        begin(self.connection)
        self.model = Model()
        self.frontier = Frontier(self.connection, 1, pages=self.model.most)
        self.now = 0.0
        self.leases: list[Lease] = []

    def teardown(self) -> None:
        self.connection.close()
        self.connection.engine.dispose()

    @rule(pages=st.lists(st.tuples(HOSTS, st.integers(0, 5), st.integers(0, 3)), max_size=5))
    def add(self, pages: list[tuple[str, int, int]]) -> None:
        new = 0
        for host, path, depth in pages:
            url = f"http://{host}/{path}"
            if url not in self.model.pages:
                self.model.pages[url] = Page(host, depth, len(self.model.pages))
                new += 1
        listed = {f"http://{host}/{path}": depth for host, path, depth in reversed(pages)}
        unique = [
            found(url, listed[url]) for url in dict.fromkeys(f"http://{h}/{p}" for h, p, _ in pages)
        ]
        assert self.frontier.add(unique) == new

    @rule(seconds=st.floats(0, 3))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def lease(self) -> None:
        candidates = self.model.candidates(self.now)
        lease = self.frontier.lease(self.now)
        if not candidates:
            assert lease is None
            return
        assert lease is not None
        chosen = self.model.pages[lease.url]
        best = [c for c in candidates if c[:2] == candidates[0][:2]]  # hosts may be equal
        assert lease.url in {
            min((c for c in best if self.model.pages[c[3]].host == host), key=lambda c: c[2])[3]
            for host in {self.model.pages[c[3]].host for c in best}
        }
        chosen.state = PageState.LEASED
        self.leases.append(lease)

    @precondition(lambda self: self.leases)
    @rule(
        state=st.sampled_from([DONE, FAILED, SKIPPED, WAITING]),
        pause=st.floats(0, 2),
        data=st.data(),
    )
    def end(self, state: PageState, pause: float, data: st.DataObject) -> None:
        lease = self.leases.pop(data.draw(st.integers(0, len(self.leases) - 1)))
        page = self.model.pages[lease.url]
        page.state, page.next_try = state, self.now + pause
        self.model.ready[page.host] = self.now + pause / 2
        again = self.now + pause if state is WAITING else None
        end = ending(state, self.now, next_try=again)
        over(self.frontier, lease, end, ready=self.now + pause / 2)

    @invariant()
    def counts_agree(self) -> None:
        counts: dict[PageState, int] = {}
        for page in self.model.pages.values():
            counts[page.state] = counts.get(page.state, 0) + 1
        merged = self.frontier.counts()
        # A page that waited may be called pending once its time has come.
        waiting = {PENDING, WAITING}
        for state in set(counts) | set(merged):
            if state not in waiting:
                assert merged.get(state, 0) == counts.get(state, 0)
        assert sum(merged.get(s, 0) for s in waiting) == sum(counts.get(s, 0) for s in waiting)


TestFrontierMachine = FrontierMachine.TestCase
TestFrontierMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
