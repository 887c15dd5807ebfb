"""Rounds of a watch for the command line: crawl what is due, look at it, tell what changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist import blocking
from webgeist.cli.crawling import Wanted, crawl_shown, plan_of, publish_shown
from webgeist.cli.output import one_line
from webgeist.cli.schedule import Schedule
from webgeist.crawl import crawls
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.scope import Reach, Rules
from webgeist.errors import NotFoundError
from webgeist.repository.init import make_if_missing
from webgeist.repository.locks import WriterLock
from webgeist.repository.repository import open_repository
from webgeist.watch import outbox
from webgeist.watch.delivering import deliver
from webgeist.watch.looking import look_at_pages, look_at_query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta
    from pathlib import Path

    from webgeist.cli.crawling import Stops
    from webgeist.cli.output import Output
    from webgeist.crawl.progress import Progress
    from webgeist.crawl.revisits import Seconds
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings
    from webgeist.watch.channels import Channel
    from webgeist.watch.delivering import Delivered
    from webgeist.watch.looking import Seen

_LONGEST_WAIT = 86_400.0
_AT_LEAST = 1.0


@dataclass(frozen=True)
class Watched:
    """What is to be watched: these pages, or those of the last crawl; `every` None is by how often
    each changed.
    """

    urls: tuple[str, ...]
    every: timedelta | None
    query: str | None = None


@dataclass
class Round:
    """What one round did. `wait` is how long until the next is due."""

    visited: int = 0
    failed: int = 0
    important: int = 0
    undelivered: int = 0
    stopped: bool = False
    wait: float = 0.0


@dataclass
class Watch:
    """Rounds over one repository; there is one watch of it at a time, which `open` sees to."""

    repo: Path
    watched: Watched
    settings: Settings
    output: Output
    channels: Sequence[Channel]
    clock: Callable[[], float] = time.time
    _lock: WriterLock | None = field(default=None, repr=False)

    def open(self) -> None:
        """DamagedError where another watch is at work; NotFoundError without anything to watch."""
        if self.watched.urls:
            make_if_missing(self.repo)
        with open_repository(self.repo, readonly=True) as repository:
            self._lock = WriterLock(repository.layout.watch_lock)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def round(self, stops: Stops) -> Round:
        """One look at everything that is due. The repository is free again afterwards."""
        with open_repository(self.repo) as repository:
            repository.claim()
            keys = [channel.key for channel in self.channels]
            urls = self.watched.urls or None
            look_at_pages(repository, keys, self.clock(), urls)  # what is there is no news
            seconds = self._seconds(repository)
            crawl, end = self._crawl(repository, seconds, stops)
            seen = look_at_pages(repository, keys, self.clock(), urls)
            self._tell_strange(seen)
            asked = self._ask(repository, keys)
            done = blocking.run(
                deliver(repository, self.channels, self.clock, attempts=self._attempts)
            )
            self._tell_failures(done)
            progress = crawl.progress()
            return Round(
                visited=progress.visited,
                failed=self._failed(progress),
                important=len(seen.notices) + asked,
                undelivered=len(done.failures),
                stopped=end is End.STOPPED or stops.asked,
                wait=self._wait(repository, seconds, keys),
            )

    @property
    def _attempts(self) -> int:
        return self.settings.watch.attempts

    def _seconds(self, repository: Repository) -> Seconds:
        every = self.watched.every
        if every is not None:
            return lambda _: every.total_seconds()
        return Schedule.of(repository, self.settings, self.output).seconds

    def _crawl(self, repository: Repository, seconds: Seconds, stops: Stops) -> tuple[Crawl, End]:
        plan = Plan(self.watched.urls, Rules(reach=Reach.PAGE)) if self.watched.urls else None
        plan, bounds = plan_of(repository, Wanted(plan, Bounds(), None, None))
        crawl = Crawl(repository, plan, bounds, self.settings, revisits=seconds)
        return crawl, crawl_shown(crawl, self.output, stops)

    def _failed(self, progress: Progress) -> int:
        return progress.visited if progress.failed and not progress.done else 0

    def _ask(self, repository: Repository, keys: Sequence[str]) -> int:
        """Publish, and ask the query; whether its answer is another one."""
        if self.watched.query is not None:
            from webgeist.cli.analyse import analyse_opened

            analyse_opened(repository, self.settings, self.output)
        publish_shown(repository, self.output)
        if self.watched.query is None or not len(repository):
            return 0
        notice = look_at_query(repository, self.watched.query, keys, self.clock())
        return int(notice is not None)

    def _tell_strange(self, seen: Seen) -> None:
        for url, reason in seen.strange:
            self.output.warn(one_line(f"{url}: {reason}"))

    def _tell_failures(self, done: Delivered) -> None:
        for channel, notice, reason in done.failures:
            self.output.warn(one_line(f"notice {notice} did not reach {channel}: {reason}"))
        if done.given_up:
            self.output.warn(
                f"{done.given_up} notices are given up after {self._attempts} attempts"
            )

    def _wait(self, repository: Repository, seconds: Seconds, keys: Sequence[str]) -> float:
        """Seconds until a page is due, or a notice is to be tried again."""
        now = self.clock()
        with repository.transaction() as connection:
            number = crawls.number(connection)
            visited = crawls.visits(connection, number) if number is not None else {}
            waiting = outbox.waiting(connection)
        times = [at + seconds(url) for url, at in visited.items()]
        times += [first for key, (_, first) in waiting.items() if key in keys]
        wait = min(times, default=now + _LONGEST_WAIT) - now
        return min(max(wait, _AT_LEAST), _LONGEST_WAIT)


@dataclass(frozen=True)
class Due:
    """When a page is due, as `--dry-run` tells."""

    url: str
    seconds: float
    visits: int
    changes: int
    due_in: float


def intervals(repo: Path, watched: Watched, settings: Settings, output: Output) -> list[Due]:
    """The interval of each page, and how long until it is due; those that are due first."""
    from webgeist.crawl.revisits import Interval

    with open_repository(repo) as repository:
        repository.claim()
        schedule = None if watched.every else Schedule.of(repository, settings, output)
        with repository.transaction() as connection:
            number = crawls.number(connection)
            visited = crawls.visits(connection, number) if number is not None else {}
    if not visited:
        raise NotFoundError(f"no page of {repo} was crawled", remedy="webgeist crawl")
    now, found = time.time(), []
    for url, at in visited.items():
        if not watched.urls or url in watched.urls:
            every = watched.every.total_seconds() if watched.every else 0.0
            chosen = schedule.interval(url) if schedule else Interval(every, 0, 0)
            left = max(at + chosen.seconds - now, 0.0)
            found.append(Due(url, chosen.seconds, chosen.visits, chosen.changes, left))
    return sorted(found, key=lambda each: (each.due_in, each.url))
