"""Turning pages: a Playwright page goes through all pages of the list that it shows.

What to do is decided by a pure function of what is seen (`decide`); the two loops, synchronous and
asynchronous, only look and act. A list ends where nothing leads on, where an action changes
nothing, or where something was seen before. A jump is a turn that skips pages by their numbers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.addresses import INSIDE, xpaths
from webgeist.analyses.blocks.pagination import page_pagination
from webgeist.analyses.blocks.plainly import more_button, next_button, retry_button
from webgeist.capture.live import look, look_now
from webgeist.capture.traffic import Traffic, calm_down, calm_down_now
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator

    from playwright import async_api, sync_api

    from webgeist.analyses.blocks.pagination import PageLink, Pagination
    from webgeist.page.model import Page

_WAIT_MS = 5_000  # how long a click or a scroll may take to show something new
_CLICK_MS = 5_000  # until what leads on can be clicked
_COVERED = "intercepts pointer events"  # as Playwright says it
_CALM_SECONDS = 5.0  # how long what it asked for may take to come
_STILL = 3  # changes of a page in a row that added nothing: a clock, a carousel
_LITTLE = 8  # characters
_VIEW = (1280, 800)
_CHANGED = (
    "before => document.body && document.body.innerText.length + '|' + location.href + '|' + \
document.body.innerText.slice(0, 20000) !== before"
)
_STATE = "document.body ? document.body.innerText.length + '|' + location.href + '|' + \
document.body.innerText.slice(0, 20000) : ''"
_IN_PLACE = frozenset({"button", "load-more", "scroll"})
# To the end of the page, and of what scrolls inside of it, view by view: until it says more (late
# pictures only make it taller), or until much of what it said is gone, because it keeps nothing but
# what is in view.
SCROLL_ON = """async () => {
    const inner = [...document.querySelectorAll("body *")].filter(each =>
        each.scrollHeight > each.clientHeight + 20 && each.clientHeight > 100
        && /auto|scroll/.test(getComputedStyle(each).overflowY));
    const places = () => [window.scrollY, ...inner.map(each => each.scrollTop)].join();
    const lines = () => new Set(document.body.innerText.split("\\n"));
    const before = [...lines()];
    for (let step = 0; step < 500; step++) {
        const place = places();
        window.scrollBy({top: 0.8 * window.innerHeight, behavior: "instant"});
        for (const each of inner) each.scrollTop += 0.8 * each.clientHeight;
        await new Promise(done => setTimeout(done, 50));
        const now = lines(), gone = before.filter(line => !now.has(line)).length;
        const stuck = places() === place, grown = now.size - before.length + gone > 2;
        if (stuck || grown || gone > 2 + before.length / 5) return;
    }
}"""


@dataclass(frozen=True)
class Turn:
    """One page of the list. `number` counts from 1; `way` is how it was reached: start, link,
    button, load-more or scroll; `jumped` says that the address skipped pages.
    """

    number: int
    url: str
    way: str
    pagination: Pagination
    jumped: bool = False


@dataclass(frozen=True)
class Action:
    """What leads on: an address to go to, an element to click, or scrolling."""

    way: str
    url: str | None = None
    xpath: str | None = None


@dataclass
class _Walk:
    """What was seen so far."""

    seen: set[str] = field(default_factory=set)
    been: set[str] = field(default_factory=set)
    scrolling: bool = True
    still: int = 0
    lines: set[str] = field(default_factory=set)

    def is_new(self, url: str, page: Page, way: str) -> bool:
        """Whether this page was not seen before: neither its words nor a page of its address with
        the same words.
        """
        text = page.flow.text
        words = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        new = words not in self.seen
        self.seen.add(words)
        self.been.add(url.partition("#")[0])
        lines = set(text.splitlines())
        little = way in _IN_PLACE and sum(map(len, lines - self.lines)) <= _LITTLE
        self.still = self.still + 1 if little else 0
        self.lines |= lines
        return new

    def goes_on(self, way: str) -> bool:
        """Whether a page that shows what was seen before may still be on its way."""
        return way != "start" and self.still < _STILL

    def decide(self, url: str, found: Pagination, page: Page) -> Action | None:
        """The next action; None at the end."""
        link = found.next
        if link is None and (node := next_button(page)) is not None:
            return _click("button", page, node)
        if link is None and (node := more_button(page)) is not None and self.still < _STILL:
            return _click("load-more", page, node)
        if link is None and (node := retry_button(page)) is not None and self.still < _STILL:
            return _click("load-more", page, node)
        if link is None:
            return Action("scroll") if self.scrolling and self.still < _STILL else None
        target = _target(url, link)
        if link.label == "load-more" or target is None:
            way = "load-more" if link.label == "load-more" else "button"
            return None if INSIDE in link.xpath else Action(way, xpath=link.xpath)
        if target in self.been:
            return None  # the list leads back: a loop
        return Action("link", url=target)


def _click(way: str, page: Page, node: int) -> Action | None:
    (xpath,) = xpaths(page, [node]).values()
    return None if INSIDE in xpath else Action(way, xpath=xpath)


def _target(url: str, link: PageLink) -> str | None:
    href = (link.href or "").strip()
    if not href or href.startswith("#") or href.lower().startswith("javascript:"):
        return None
    target = resolve(url, href)
    return None if target is None else target.partition("#")[0]


def _jumped(before: Pagination, action: Action) -> bool:
    """The link taken is not the page that follows by number."""
    numbers = [link for link in before.links if link.label == "page" and link.immediate]
    return (
        bool(numbers)
        and action.way == "link"
        and before.next is not None
        and not any(link.href == before.next.href for link in numbers)
    )


async def paginate(
    page: async_api.Page,
    *,
    most: int | None = None,
    go: Callable[[str], Awaitable[object]] | None = None,
    settle: Callable[[], Awaitable[object]] | None = None,
) -> AsyncGenerator[Turn]:
    """Go through all pages of the list that `page` shows. See `webgeist.paginate`.

    `go` has the page show an address; by default that is its own `goto`. `settle` waits until what
    is of interest is there; by default until the page is sent nothing more.
    """
    traffic = Traffic(page)
    try:
        async for turn in _turns(page, most, go or page.goto, settle or _settling(page, traffic)):
            yield turn
    finally:
        traffic.stop()


def _settling(page: async_api.Page, traffic: Traffic) -> Callable[[], Awaitable[None]]:
    return lambda: calm_down(page, traffic, _CALM_SECONDS)


async def _turns(
    page: async_api.Page,
    most: int | None,
    go: Callable[[str], Awaitable[object]],
    settle: Callable[[], Awaitable[object]],
) -> AsyncGenerator[Turn]:
    walk, number, way, jumped = _Walk(), 0, "start", False
    while most is None or number < most:
        await settle()
        before = await page.evaluate(_STATE)
        seen = await look(page)
        if not walk.is_new(page.url, seen, way):
            if walk.goes_on(way) and await _changed(page, before):
                continue
            return
        number += 1
        found = page_pagination(seen, page.url, _VIEW)
        yield Turn(number, page.url, way, found, jumped)
        action = walk.decide(page.url, found, seen)
        if action is None or (most is not None and number >= most):
            return
        way, jumped = action.way, _jumped(found, action)
        if action.url is not None:
            await go(action.url)
            continue
        if action.xpath is not None:
            before = await page.evaluate(_STATE)
            await _press(page, action.xpath)
        else:
            await page.evaluate(SCROLL_ON)
        if not await _changed(page, before):
            return


async def _press(page: async_api.Page, xpath: str) -> None:
    """Click what leads on; where a banner lies over it, tell the element itself."""
    from playwright.async_api import TimeoutError as TooLateError

    found = page.locator(f"xpath={xpath}").first
    try:
        await found.click(timeout=_CLICK_MS)
    except TooLateError as error:
        if _COVERED not in error.message:
            raise
        await found.dispatch_event("click")


async def _changed(page: async_api.Page, before: str) -> bool:
    from playwright.async_api import TimeoutError as TooLateError

    try:
        await page.wait_for_function(_CHANGED, arg=before, timeout=_WAIT_MS)
    except TooLateError:
        return False
    return True


def paginate_now(page: sync_api.Page, *, most: int | None = None) -> Iterator[Turn]:
    """The same for Playwright's synchronous form."""
    traffic = Traffic(page)
    try:
        yield from _turns_now(page, most, traffic)
    finally:
        traffic.stop()


def _turns_now(page: sync_api.Page, most: int | None, traffic: Traffic) -> Iterator[Turn]:
    walk, number, way, jumped = _Walk(), 0, "start", False
    while most is None or number < most:
        calm_down_now(page, traffic, _CALM_SECONDS)
        before = page.evaluate(_STATE)
        seen = look_now(page)
        if not walk.is_new(page.url, seen, way):
            if walk.goes_on(way) and _changed_now(page, before):
                continue
            return
        number += 1
        found = page_pagination(seen, page.url, _VIEW)
        yield Turn(number, page.url, way, found, jumped)
        action = walk.decide(page.url, found, seen)
        if action is None or (most is not None and number >= most):
            return
        way, jumped = action.way, _jumped(found, action)
        if action.url is not None:
            page.goto(action.url)
            continue
        if action.xpath is not None:
            before = page.evaluate(_STATE)
            _press_now(page, action.xpath)
        else:
            page.evaluate(SCROLL_ON)
        if not _changed_now(page, before):
            return


def _press_now(page: sync_api.Page, xpath: str) -> None:
    from playwright.sync_api import TimeoutError as TooLateError

    found = page.locator(f"xpath={xpath}").first
    try:
        found.click(timeout=_CLICK_MS)
    except TooLateError as error:
        if _COVERED not in error.message:
            raise
        found.dispatch_event("click")


def _changed_now(page: sync_api.Page, before: str) -> bool:
    from playwright.sync_api import TimeoutError as TooLateError

    try:
        page.wait_for_function(_CHANGED, arg=before, timeout=_WAIT_MS)
    except TooLateError:
        return False
    return True
