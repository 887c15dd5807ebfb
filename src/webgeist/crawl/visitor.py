"""Visits one page: asks whether it may, captures it in every viewport that is wanted, judges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.capture.target import Target
from webgeist.crawl.addresses import parse
from webgeist.crawl.politeness import Judgement, Visited, judge
from webgeist.crawl.statements import PageState

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.crawl.frontier import Lease
    from webgeist.crawl.manners import Manners
    from webgeist.crawl.plan import Plan
    from webgeist.crawl.robots import Robots
    from webgeist.settings import CrawlSettings


@dataclass
class Visit:
    """What a visit gave: captures by viewport, and what follows. `close` it when it is stored."""

    lease: Lease
    judgement: Judgement
    ended: float
    reason: str = ""
    captures: dict[str, Capture] = field(default_factory=dict)

    def close(self) -> None:
        for capture in self.captures.values():
            capture.close()


class Visitor:
    def __init__(
        self,
        camera: Camera,
        manners: Manners | None,
        plan: Plan,
        settings: CrawlSettings,
        clock: Callable[[], float],
    ) -> None:
        self._camera = camera
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
        return await self._capture(lease, wanted, robots)

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
        try:
            for viewport in wanted:
                taken = await self._camera.capture(Target(lease.url), viewport=viewport)
                captures[viewport] = taken
                if not taken.ok:
                    break
        except BaseException:
            for capture in captures.values():
                capture.close()
            raise
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
        return Visit(lease, judgement, now, reason, captures)


def _visited(capture: Capture) -> Visited:
    info = capture.info
    headers = {name.lower(): text for name, text in info.headers.items()}
    return Visited(info.outcome, info.status, headers.get("retry-after"))
