"""Puts what visits gave into the repository. The captures of a page, what became of it and the
pages that it leads to are made known by one transaction of state.db: all of it or nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.capture.decode import with_links
from webgeist.capture.memory import Leftovers
from webgeist.crawl.addresses import parse
from webgeist.crawl.frontier import Ending, Found
from webgeist.crawl.outgoing import FOLLOWED, Place
from webgeist.crawl.scope import Refusal
from webgeist.crawl.statements import PageState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import sqlalchemy as sa

    from webgeist.capture.model import Capture
    from webgeist.crawl.addresses import Address, Ignored
    from webgeist.crawl.frontier import Frontier
    from webgeist.crawl.outgoing import Outgoing
    from webgeist.crawl.visitor import Visit
    from webgeist.repository.batch import Batch
    from webgeist.repository.repository import Repository

SAME_SHAPE = "crawl.same_shape"


@dataclass
class Result:
    """What a visit comes to. `at` is where the page was found in the end; `links` are, for each
    capture by viewport, what its links lead to.
    """

    visit: Visit
    state: PageState
    reason: str
    at: Address
    ids: dict[str, str] = field(default_factory=dict)
    links: dict[str, list[Found | str]] = field(default_factory=dict)
    given_back: bool = False
    given_up: int = 0  # pages that failed because their host did

    @property
    def stored(self) -> bool:
        """Whether its captures are to be kept: a page that is tried again will have others."""
        return self.state in {PageState.DONE, PageState.FAILED} and not self.given_back

    @property
    def moved(self) -> bool:
        return self.at.url != self.visit.lease.url

    @property
    def found(self) -> list[Found]:
        """The pages that it leads to."""
        if self.state is not PageState.DONE or self.given_back:
            return []
        return [link for links in self.links.values() for link in links if isinstance(link, Found)]

    @property
    def bytes(self) -> int:
        """What it takes to store it: bodies as they were sent, and pictures."""
        captures = self.visit.captures.values() if self.stored else ()
        return sum(map(_bytes, captures))


class Keeper:
    """`frontier` opens the frontier of the crawl inside a transaction. `most_bytes` bounds what the
    crawl may store: a page that is one too many waits as if it had not been visited. Every
    `publish_seconds` what there is becomes a release; 0 is never.
    """

    def __init__(
        self,
        repository: Repository,
        frontier: Callable[[sa.Connection], Frontier],
        outgoing: Outgoing,
        *,
        older_than: float = 0.0,
        most_bytes: int | None = None,
        publish_seconds: float = 0.0,
    ) -> None:
        self._repository = repository
        self._frontier = frontier
        self._outgoing = outgoing
        self._older_than = older_than
        self._most_bytes = most_bytes
        self.full = False  # no more may be stored
        self._publish_seconds = publish_seconds
        self._published = time.monotonic()
        self._leftovers = Leftovers()

    def keep(self, visits: Sequence[Visit]) -> list[Result]:
        """Store visits, all or none of them. It may run in a thread; one call at a time."""
        self._leftovers.give_back()  # of the visits before these
        results = [self._result(visit) for visit in visits]
        with self._repository.transaction(durable=False) as connection:
            self._decide(results, self._frontier(connection))
        with self._repository.batch() as batch:
            for result in results:
                self._store(result, batch)
            batch.also(partial(self._record, results))
        if self._publish_seconds and time.monotonic() - self._published > self._publish_seconds:
            self._repository.publish()
            self._published = time.monotonic()
        return results

    # --- what becomes of each ------------------------------------------------------------------

    def _result(self, visit: Visit) -> Result:
        at = _arrival(visit, self._outgoing.ignored)
        result = Result(visit, visit.judgement.state, visit.reason, at)
        if result.moved and result.state is PageState.DONE:
            if visit.lease.step.depth == 0:
                self._outgoing.scope.add(result.at)  # where a seed leads to is what was meant
            elif self._is_outside(result):
                result.state = PageState.SKIPPED
                result.reason = f"redirects out of scope, to {result.at.url}"
        return result

    def _is_outside(self, result: Result) -> bool:
        lease = result.visit.lease
        before = replace(lease.step, depth=lease.step.depth - 1)  # a redirect is no link
        source = parse(lease.url)
        assert source is not None  # noqa: S101 - it came out of the frontier
        return isinstance(self._outgoing.scope.follow(source, before, result.at), Refusal)

    def _decide(self, results: Sequence[Result], frontier: Frontier) -> None:
        known = frontier.seen_to(each.at.url for each in results if each.moved)
        kept = frontier.bytes
        for result in results:
            if result.moved and result.state is PageState.DONE and result.at.url in known:
                result.state = PageState.SKIPPED
                result.reason = f"redirects to {result.at.url}, which is known"
            known.add(result.at.url)
            if self._most_bytes is not None and kept + result.bytes > self._most_bytes:
                result.given_back = self.full = True
            kept += result.bytes
            result.links = self._links(result)
        found = [page for result in results for page in result.found]
        crowded = frontier.crowded(found, self._outgoing.same_shape)
        for result in results:
            _refuse(result.links, crowded)

    def _links(self, result: Result) -> dict[str, list[Found | str]]:
        captures: dict[str, Capture] = {}
        if result.stored:
            captures = result.visit.captures
            if result.state is PageState.DONE and not captures:  # an earlier crawl has the page
                ids = result.visit.lease.captures
                captures = {view: self._repository.capture(id_) for view, id_ in ids.items()}
        place = Place(result.visit.lease.page, result.at, result.visit.lease.step)
        return {
            viewport: self._outgoing.judge_page(capture, place)
            for viewport, capture in captures.items()
        }

    # --- into the repository -------------------------------------------------------------------

    def _store(self, result: Result, batch: Batch) -> None:
        if result.stored:
            for viewport, capture in result.visit.captures.items():
                result.ids[viewport] = batch.add(_judged(capture, result.links[viewport]))

    def _record(self, results: Iterable[Result], connection: sa.Connection) -> None:
        frontier = self._frontier(connection)
        for result in results:
            if result.given_back:
                frontier.give_back(result.visit.lease)
            else:
                self._end(result, frontier)

    def _end(self, result: Result, frontier: Frontier) -> None:
        lease, judgement, ended = result.visit.lease, result.visit.judgement, result.visit.ended
        ending = Ending(
            result.state,
            now=ended,
            reason=result.reason,
            captures=result.ids,
            next_try=None if judgement.retry is None else ended + judgement.retry,
        )
        if result.moved and result.state is PageState.DONE:
            to = f"redirects to {result.at.url}"
            frontier.end(lease, replace(ending, state=PageState.SKIPPED, reason=to))
            frontier.mark_done(Found(result.at, lease.step, lease.page), ending)
        else:
            frontier.end(lease, ending)
        frontier.add(result.found, older_than=self._older_than)
        frontier.keep_bytes(result.bytes)
        if judgement.give_up:
            result.given_up = frontier.give_up(
                lease, f"its host was given up: {result.reason}", ended
            )


def _arrival(visit: Visit, ignored: Ignored) -> Address:
    """Where a visit ended; where it began, if there is no page."""
    urls = [capture.info.url for capture in visit.captures.values()]
    found = parse(urls[0], ignored) if urls else None
    begun = parse(visit.lease.url)
    assert begun is not None  # noqa: S101 - it came out of the frontier
    return found or begun


def _refuse(links: dict[str, list[Found | str]], crowded: set[str]) -> None:
    for viewport, each in links.items():
        links[viewport] = [
            SAME_SHAPE if isinstance(link, Found) and link.address.url in crowded else link
            for link in each
        ]


def _judged(capture: Capture, links: Sequence[Found | str]) -> Capture:
    """The capture, with a word for each of its links."""
    words = [FOLLOWED if isinstance(link, Found) else link for link in links]
    column = capture.links.schema.get_field_index("followed")
    table = capture.links.set_column(column, "followed", pa.array(words, pa.string()))
    return with_links(capture, table)


def _bytes(capture: Capture) -> int:
    shot = capture.screenshot
    bodies = sum(each.body.size for each in capture.exchanges if not each.cached)
    return bodies + sum(map(len, shot.tiles if shot else ())) + len(capture.thumbnail or b"")
