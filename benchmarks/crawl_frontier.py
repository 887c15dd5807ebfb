"""What the frontier takes for a page when very many are queued: lease it, end it, add its links.

Each step is a transaction of its own. A crawl completes and adds in one, for several pages at once.
"""

from __future__ import annotations

import statistics
import sys
import time
from itertools import pairwise, starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.spread import load
from webgeist.crawl import crawls
from webgeist.crawl.addresses import parse
from webgeist.crawl.frontier import Ending, Found, Frontier
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.scope import Step
from webgeist.crawl.statements import PageState
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.repository.repository import Repository

BAR_MS = 1.0
_HOSTS = 1_000
_LINKS = 20
_PORTION = 10_000
_SAME_SHAPE = 5_000
STEPS = ("lease", "leave", "complete", "add")


class Cost(NamedTuple):
    """Seconds that went by, and CPU seconds: on a busy machine they differ."""

    seconds: float
    cpu: float


def run(*, short: bool) -> dict[str, Any]:
    queued, visits = (50_000, 300) if short else (1_000_000, 2_000)
    with TemporaryDirectory() as folder:
        path = Path(folder, "repository")
        init_repository(path)
        with open_repository(path) as repository:
            repository.claim()
            crawl = _filled(repository, queued)
            times = [_visit(repository, crawl, number) for number in range(visits)]
    steps = {name: _summary([each[name] for each in times]) for name in STEPS}
    return {"queued": queued, "visits": visits, "steps": steps, "load": load()}


def _filled(repository: Repository, count: int) -> int:
    """The number of a crawl with so many pages to visit."""
    plan = Plan(("http://h0.example/",))
    with repository.transaction() as connection:
        crawl = crawls.begin(connection, plan, Bounds(), time.time())
    start = time.perf_counter()
    for first in range(0, count, _PORTION):
        with repository.transaction(durable=False) as connection:
            Frontier(connection, crawl).add(_pages("queued", first, _PORTION))
    print(f"  {count:,} queued in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return crawl


def _pages(what: str, first: int, count: int) -> Iterator[Found]:
    for number in range(first, first + count):
        address = parse(f"http://h{number % _HOSTS}.example/{what}/{number:x}/page.html")
        assert address is not None
        yield Found(address, Step(depth=1))


def _visit(repository: Repository, crawl: int, number: int) -> dict[str, Cost]:
    """What each step costs."""
    now = time.time()
    links = list(_pages("found", number * _LINKS, _LINKS))
    marks = [_mark()]
    with repository.transaction(durable=False) as connection:
        lease = Frontier(connection, crawl).lease(now)
    marks.append(_mark())
    assert lease is not None
    with repository.transaction(durable=False) as connection:
        Frontier(connection, crawl).leave(lease, now)
    marks.append(_mark())
    with repository.transaction(durable=False) as connection:
        frontier = Frontier(connection, crawl)
        frontier.end(lease, Ending(PageState.DONE, now, captures={"desktop": "a-capture"}))
        frontier.keep_bytes(1)
    marks.append(_mark())
    with repository.transaction(durable=False) as connection:
        frontier = Frontier(connection, crawl)
        frontier.crowded(links, _SAME_SHAPE)
        frontier.add(links)
    marks.append(_mark())
    return dict(zip(STEPS, starmap(_between, pairwise(marks)), strict=True))


def _mark() -> Cost:
    return Cost(time.perf_counter(), time.thread_time())


def _between(before: Cost, after: Cost) -> Cost:
    return Cost(after.seconds - before.seconds, after.cpu - before.cpu)


def _summary(costs: list[Cost]) -> dict[str, float]:
    """In milliseconds."""
    parts = statistics.quantiles((each.seconds for each in costs), n=100)
    cpu = statistics.median(each.cpu for each in costs)
    return {"median_ms": parts[49] * 1000, "p99_ms": parts[98] * 1000, "cpu_ms": cpu * 1000}


def report(figures: dict[str, Any]) -> list[str]:
    what = {"add": f"add {_LINKS} links to as many hosts"}
    return [
        f"The frontier with {figures['queued']:,} queued pages of {_HOSTS:,} hosts",
        "",
        f"{figures['visits']:,} visits; bar {BAR_MS:g} ms each ({figures['load']})",
        "",
        "| step | median ms | p99 ms | CPU ms |",
        "|---|--:|--:|--:|",
        *(
            f"| {what.get(name, name)} | {each['median_ms']:.2f} | {each['p99_ms']:.2f} "
            f"| {each['cpu_ms']:.2f} |"
            for name, each in figures["steps"].items()
        ),
    ]
