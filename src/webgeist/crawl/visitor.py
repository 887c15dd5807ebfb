"""Visits one page: asks whether it may, captures it in every viewport that is wanted, judges."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Protocol

from webgeist.capture.outcome import Outcome
from webgeist.crawl.addresses import parse
from webgeist.crawl.politeness import GOOD, Judgement, Visited, judge
from webgeist.crawl.statements import PageState

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.capture.model import Capture
    from webgeist.crawl.frontier import Lease
    from webgeist.crawl.manners import Manners
    from webgeist.crawl.plan import Plan
    from webgeist.crawl.robots import Robots
    from webgeist.settings import CrawlSettings

_BROWSER = "browser"


class LostError(Exception):
    """Whoever was to capture a page is gone, and nobody knows what became of it."""


class Captures(Protocol):
    """Captures pages, by the form of recording that is asked for. LostError: it did not."""

    async def capture(self, url: str, viewport: str, form: str | None) -> Capture: ...


@dataclass
class Visit:
    """What a visit gave: captures by viewport, and what follows. `close` it when it is stored."""

    lease: Lease
    judgement: Judgement
    ended: float
    reason: str = ""
    captures: dict[str, Capture] = field(default_factory=dict)
    recorder: str | None = None  # the form that its host has turned out to want

    def close(self) -> None:
        for capture in self.captures.values():
            capture.close()


class Visitor:
    """`manners` is None where robots.txt is not obeyed."""

    def __init__(
        self,
        cameras: Captures,
        manners: Manners | None,
        plan: Plan,
        settings: CrawlSettings,
        clock: Callable[[], float],
    ) -> None:
        self._cameras = cameras
        self._manners = manners
        self._plan = plan
        self._settings = settings
        self._clock = clock

    async def visit(self, lease: Lease) -> Visit:
        """Visit a page; whatever goes wrong is said in what comes back."""
        wanted = [name for name in self._plan.viewports if name not in lease.captures]
        if not wanted:  # an earlier crawl has it: only its links are new to this one
            return Visit(lease, Judgement(PageState.DONE, 0.0), self._clock())
        address = parse(lease.url)
        assert address is not None  # noqa: S101 - only such addresses come into the frontier
        robots = await self._manners.of(address.origin) if self._manners else None
        if robots is not None and not robots.allows(lease.url):
            return self._forbidden(lease, robots)
        try:
            return await self._capture(lease, wanted, robots)
        except LostError as error:
            more = lease.attempts + 1 < self._settings.attempts
            state, pause = PageState.WAITING if more else PageState.FAILED, self._pause(robots)
            ends = Judgement(state, pause, pause if more else None, lease.host_failures)
            return Visit(lease, ends, self._clock(), str(error))

    def _pause(self, robots: Robots | None) -> float:
        """How long a host that was asked for something is left alone."""
        wanted = max(self._settings.delay_seconds, robots.delay if robots else 0.0)
        return min(wanted, self._settings.longest_delay_seconds)

    def _forbidden(self, lease: Lease, robots: Robots) -> Visit:
        if robots.known:
            ends, reason = Judgement(PageState.SKIPPED, 0.0), "robots.txt forbids it"
        elif lease.attempts + 1 < self._settings.attempts:
            wait = robots.kept_seconds
            ends = Judgement(PageState.WAITING, wait, wait)
            reason = f"robots.txt cannot be had: {robots.reason}"
        else:
            ends = Judgement(PageState.FAILED, robots.kept_seconds)
            reason = f"robots.txt cannot be had: {robots.reason}"
        return Visit(lease, ends, self._clock(), reason)

    async def _capture(self, lease: Lease, wanted: list[str], robots: Robots | None) -> Visit:
        captures: dict[str, Capture] = {}
        form = lease.recorder
        try:
            for viewport in wanted:
                taken, form = await self._take(lease.url, viewport, form)
                captures[viewport] = taken = self._stamped(taken, lease)
                if taken.info.outcome not in GOOD:
                    break
            strayed = taken.info.outcome in GOOD and await self._strayed(lease, taken)
        except BaseException:
            for capture in captures.values():
                capture.close()
            raise
        if strayed:
            for capture in captures.values():
                capture.close()
            reason = f"redirects to {taken.info.url}, which robots.txt forbids"
            skipped = Judgement(PageState.SKIPPED, self._pause(robots))
            return Visit(lease, skipped, self._clock(), reason)
        now = self._clock()
        judgement = judge(
            _visited(taken),
            self._settings,
            attempts=lease.attempts,
            host_failures=lease.host_failures,
            robots_delay=robots.delay if robots else 0.0,
            now=now,
        )
        reason = "" if taken.ok else f"{taken.info.outcome}: {taken.info.reason}".rstrip(": ")
        return Visit(lease, judgement, now, reason, captures, form)

    def _stamped(self, taken: Capture, lease: Lease) -> Capture:
        """The capture, which knows what it was taken with, and under which rules."""
        visit = f"{lease.crawl}.{lease.page}.{lease.attempts + 1}"
        ignored = self._manners is None
        return replace(taken, info=replace(taken.info, visit=visit, robots_ignored=ignored))

    async def _take(self, url: str, viewport: str, form: str | None) -> tuple[Capture, str | None]:
        """A capture, and the form of recording that the host has turned out to want.

        Some hosts turn away whoever does not talk like a browser. The first time that a host does
        so to the proxy, the browser itself tries; what is found out goes for the host from then on.
        """
        taken = await self._cameras.capture(url, viewport, form)
        if form or taken.info.recorder == _BROWSER or not _turned_away(taken):
            return taken, form
        try:
            other = await self._cameras.capture(url, viewport, _BROWSER)
        except BaseException:
            taken.close()
            raise
        better = other.info.outcome in GOOD
        (taken if better else other).close()
        return (other, _BROWSER) if better else (taken, taken.info.recorder)

    async def _strayed(self, lease: Lease, taken: Capture) -> bool:
        """Whether a page turned out to be where robots.txt forbids to go."""
        at = parse(taken.info.url)
        if self._manners is None or at is None or at.url == lease.url:
            return False
        robots = await self._manners.of(at.origin)
        return robots.known and not robots.allows(at.url)


def _turned_away(capture: Capture) -> bool:
    info = capture.info
    if info.status == HTTPStatus.TOO_MANY_REQUESTS:
        return False  # it would be once more too many
    return info.outcome is Outcome.BLOCKED or info.status == HTTPStatus.FORBIDDEN


def _visited(capture: Capture) -> Visited:
    info = capture.info
    headers = {name.lower(): text for name, text in info.headers.items()}
    return Visited(info.outcome, info.status, headers.get("retry-after"))
