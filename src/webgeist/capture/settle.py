"""When a page counts as settled, and how it is brought to a stand.

The rule: the load event has fired; no request is open and none was for a moment; the DOM has not
changed for a moment; fonts are there; no short timer is pending; what loads on scrolling was
scrolled to; then everything that moves is finished or frozen. Each wait has a ceiling. Whatever the
page still did at a ceiling is the reason that is stored.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError
from webgeist.capture.hidden import find_hidden, look_at, look_back, plan_views
from webgeist.capture.pending import pending

if TYPE_CHECKING:
    from webgeist.capture.pending import Pending
    from webgeist.capture.tab import Tab

QUIET_MS = 100  # of a page with scripts whose timers we know
BLIND_QUIET_MS = 500  # of a page with scripts whose timers we don't know
_MOST_NAVIGATIONS = 20


class RedirectLoopError(Exception):
    """The page sends its reader from page to page without an end."""


@dataclass(frozen=True)
class Settled:
    """`at_rest` with reason "quiet", or the first thing that was still going on at the ceiling."""

    at_rest: bool
    reason: str
    scrolled: bool
    ms: float


class Settler:
    """Brings the page in a tab to rest, within the settings' limits."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._loop = asyncio.get_running_loop()
        self._limits = tab.settings.limits
        self._deadline = 0.0
        self.page = 0  # which of the tab's pages was brought to rest

    async def wait_for_load(self, deadline: float) -> bool:
        """Whether the document came, and all that it needs, before `deadline`."""
        journal = self._tab.journal
        while not (journal.loaded or journal.broken_off or journal.download):
            self._check_patience()
            if not await self._bell(deadline):
                return False
        return True

    async def settle(self, *, complete: bool) -> Settled:
        """Wait until the page is at rest; scroll it if it keeps something back; freeze it.

        A page that is not `complete` has had its time: it is taken as it is.
        """
        start = self._loop.time()
        self._deadline = start + self._limits.settle_seconds
        height, visited = 0, False
        if complete:
            # What already waits for scrolling need not be waited for twice.
            height = await self._scroll(0)
            reason = await self._rest()
            if not reason and (more := await self._scroll(height)):
                height, reason = more, await self._rest()
            if await self._show_hidden():
                visited, reason = True, await self._rest()
        else:
            reason = f"no load event; {self._open_requests() or 'the page is being built'}"
            await self._tab.stop_loading()
        self.page = self._tab.journal.pages
        if self._tab.settings.capture.deterministic:
            await self.in_all_frames("freeze()")
        ms = (self._loop.time() - start) * 1000
        return Settled(not reason, reason or "quiet", visited or height > 0, round(ms, 1))

    async def _rest(self) -> str:
        """Empty once nothing moves; else what was still going on when time was up."""
        while True:
            busy = await self._network_rest()
            busy = busy or await self._page_rest()
            if busy and self._time_left() <= 0:
                return busy
            if not busy and not self._waiting_for():
                return ""

    async def _network_rest(self) -> str:
        while busy := self._waiting_for():
            if not await self._bell(self._deadline):
                return busy
        return ""

    def _waiting_for(self) -> str:
        """What the network still owes the page, in words."""
        self._check_patience()
        journal = self._tab.journal
        if not journal.loaded and not journal.broken_off:
            return "another page is being loaded"
        return self._open_requests()

    def _check_patience(self) -> None:
        if self._tab.journal.navigations > _MOST_NAVIGATIONS:
            raise RedirectLoopError(f"the page went on more than {_MOST_NAVIGATIONS} times")

    def _open_requests(self) -> str:
        requests = self._tab.journal.open_requests()
        return f"{len(requests)} requests open, first {requests[0].url[:200]}" if requests else ""

    async def _page_rest(self) -> str:
        """The page's own part: DOM, fonts, timers. It may go away while we ask; then ask again."""
        world = self._tab.journal.main_world()
        if world is None:
            await self._bell(min(self._deadline, self._loop.time() + 0.05))
            return "no document yet"
        try:
            facts, waits = await asyncio.gather(self._facts(world), self._pending())
            if not facts["scripted"]:
                return await self._dom_rest(0)
            if waits is None:
                return await self._dom_rest(BLIND_QUIET_MS)
            if (waits.timers or waits.frames) and self._time_left() > 0:
                await asyncio.sleep(0.02)
                return "a timer is pending"
            return await self._dom_rest(QUIET_MS)
        except CommandError:
            return "the page was replaced"

    async def _dom_rest(self, quiet_ms: int) -> str:
        quiet_since = self._tab.journal.last_traffic + quiet_ms / 1000
        if (left := quiet_since - self._loop.time()) > 0:
            await asyncio.sleep(min(left, max(0.0, self._time_left())))
        limit = max(0.0, self._time_left()) * 1000
        rests = await self._in_worlds(f"rest({quiet_ms}, {limit:.0f})")
        return next((rest for rest in rests if rest), "")

    async def _facts(self, world: int) -> dict[str, Any]:
        facts: dict[str, Any] = await self._call("facts()", world)
        return facts

    async def _pending(self) -> Pending | None:
        return await pending(self._tab, self._seconds())

    async def _scroll(self, before: int) -> int:
        """Scroll through a page that waits for it; its height then, or 0 if it was not scrolled.

        A page that was scrolled `before`, at that height, is scrolled again only where a screen
        or more has come since.
        """
        world = self._tab.journal.main_world()
        if world is None or not self._may_scroll():
            return 0
        try:
            facts, known = await asyncio.gather(self._facts(world), self._pending())
            if facts["height"] <= before + facts["screen"]:
                return 0
            waits = facts["lazy"] or known is None or known.observes
            if not waits and not (facts["scripted"] and await self._listens_to_scrolling()):
                return 0
            await self._call(f"scroll({self._limits.scroll_screens})", world)
            # Else the network and timers would decide what still comes while the end is in view.
            await self._rest()
            await self._call("scrollBack()", world)
        except CommandError:  # the page was replaced: the next one is looked at when it has come
            return 0
        return int(facts["height"])

    async def _show_hidden(self) -> bool:
        """Have the frames in view once that Chromium keeps still elsewhere; whether there are any.

        What they wait to do when they are seen, they do now: the picture will show them.
        """
        if not self._may_scroll():
            return False
        try:
            hidden = await find_hidden(self._tab, self._seconds())
            for view in plan_views(hidden.frames, self._tab.viewport, self._limits.scroll_screens):
                if self._time_left() <= 0:
                    break
                shown = await look_at(self._tab, view, self._seconds())
                if shown:
                    await self._frames_rest()
            if hidden.frames:
                await look_back(self._tab, hidden.home, self._seconds())
        except CommandError:  # the page was replaced
            return False
        return bool(hidden.frames)

    async def _frames_rest(self) -> None:
        """Wait until no animation frame is to come, or time is up."""
        while (waits := await self._pending()) and waits.frames:
            if self._time_left() <= 0:
                return
            await asyncio.sleep(0.02)

    def _may_scroll(self) -> bool:
        return self._tab.settings.capture.scroll and self._limits.scroll_screens > 0

    async def _listens_to_scrolling(self) -> bool:
        for name in ("window", "document"):
            found = await self._tab.send("Runtime.evaluate", {"expression": name}, self._seconds())
            handle = found["result"].get("objectId")
            if handle is None:
                continue
            listed = await self._tab.send(
                "DOMDebugger.getEventListeners", {"objectId": handle}, self._seconds()
            )
            if any(listener["type"] == "scroll" for listener in listed["listeners"]):
                return True
        return False

    async def painted(self) -> bool:
        """Whether Chromium paints the page. A picture of one that it does not would never come."""
        world = self._tab.journal.main_world()
        return world is not None and bool(await self._call("painted()", world))

    async def in_all_frames(self, expression: str) -> None:
        await self._in_worlds(expression)

    async def _in_worlds(self, expression: str) -> list[Any]:
        """What our script answers in each frame."""
        calls = (self._call(expression, world) for world in self._tab.journal.worlds)
        answers = await asyncio.gather(*calls, return_exceptions=True)
        for answer in answers:
            # A frame may go away while it is asked: it is no part of the page then.
            if isinstance(answer, BaseException) and not isinstance(answer, CommandError):
                raise answer
        return [answer for answer in answers if not isinstance(answer, BaseException)]

    async def _call(self, expression: str, world: int) -> Any:
        return await self._tab.call(expression, world, self._seconds())

    def _seconds(self) -> float:
        """How long the page may take to answer: its time to settle and a grace for its scripts."""
        return max(0.0, self._time_left()) + self._tab.settings.browser.command_seconds

    def _time_left(self) -> float:
        return self._deadline - self._loop.time()

    async def _bell(self, deadline: float) -> bool:
        """Wait for the journal to change; False when the deadline came first."""
        self._tab.journal.changed.clear()
        try:
            async with asyncio.timeout_at(deadline):
                await self._tab.journal.changed.wait()
        except TimeoutError:
            return False
        return True
