"""Turning pages: a Playwright page goes through all pages of the list that it shows.

What to do is decided by a pure function of what is seen (`decide`); the two loops, synchronous and
asynchronous, only look and act. A list ends where nothing leads on, where an action changes
nothing, or where something was seen before. A jump is a turn that skips pages by their numbers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.addresses import INSIDE
from webgeist.analyses.blocks.pagination import page_pagination
from webgeist.capture.live import look, look_now
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator

    from playwright import async_api, sync_api

    from webgeist.analyses.blocks.pagination import PageLink, Pagination
    from webgeist.page.model import Page

_WAIT_MS = 5_000  # how long a click or a scroll may take to show something new
_VIEW = (1280, 800)
_CHANGED = (
    "before => document.body && document.body.innerText.length + '|' + location.href + '|' + \
document.body.innerText.slice(0, 20000) !== before"
)
_STATE = "document.body ? document.body.innerText.length + '|' + location.href + '|' + \
document.body.innerText.slice(0, 20000) : ''"
_SCROLL = "window.scrollTo(0, document.documentElement.scrollHeight)"


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

    def is_new(self, url: str, page: Page) -> bool:
        """Whether this page was not seen before: neither its words nor a page of its address with
        the same words.
        """
        words = hashlib.sha256(page.flow.text.encode("utf-8", "replace")).hexdigest()
        new = words not in self.seen
        self.seen.add(words)
        self.been.add(url.partition("#")[0])
        return new

    def decide(self, url: str, found: Pagination) -> Action | None:
        """The next action; None at the end."""
        link = found.next
        if link is None:
            return Action("scroll") if self.scrolling else None
        target = _target(url, link)
        if link.label == "load-more" or target is None:
            way = "load-more" if link.label == "load-more" else "button"
            return None if INSIDE in link.xpath else Action(way, xpath=link.xpath)
        if target in self.been:
            return None  # the list leads back: a loop
        return Action("link", url=target)


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
) -> AsyncGenerator[Turn]:
    """Go through all pages of the list that `page` shows. See `webgeist.paginate`.

    `go` has the page show an address; by default that is its own `goto`.
    """
    walk, number, way, jumped = _Walk(), 0, "start", False
    while most is None or number < most:
        seen = await look(page)
        if not walk.is_new(page.url, seen):
            return
        number += 1
        found = page_pagination(seen, page.url, _VIEW)
        yield Turn(number, page.url, way, found, jumped)
        action = walk.decide(page.url, found)
        if action is None or (most is not None and number >= most):
            return
        way, jumped = action.way, _jumped(found, action)
        if action.url is not None:
            await (go or page.goto)(action.url)
            continue
        before = await page.evaluate(_STATE)
        if action.xpath is not None:
            await page.locator(f"xpath={action.xpath}").first.click()
        else:
            await page.evaluate(_SCROLL)
        if not await _changed(page, before):
            return


async def _changed(page: async_api.Page, before: str) -> bool:
    from playwright.async_api import TimeoutError as TooLateError

    try:
        await page.wait_for_function(_CHANGED, arg=before, timeout=_WAIT_MS)
    except TooLateError:
        return False
    return True


def paginate_now(page: sync_api.Page, *, most: int | None = None) -> Iterator[Turn]:
    """The same for Playwright's synchronous form."""
    walk, number, way, jumped = _Walk(), 0, "start", False
    while most is None or number < most:
        seen = look_now(page)
        if not walk.is_new(page.url, seen):
            return
        number += 1
        found = page_pagination(seen, page.url, _VIEW)
        yield Turn(number, page.url, way, found, jumped)
        action = walk.decide(page.url, found)
        if action is None or (most is not None and number >= most):
            return
        way, jumped = action.way, _jumped(found, action)
        if action.url is not None:
            page.goto(action.url)
            continue
        before = page.evaluate(_STATE)
        if action.xpath is not None:
            page.locator(f"xpath={action.xpath}").first.click()
        else:
            page.evaluate(_SCROLL)
        if not _changed_now(page, before):
            return


def _changed_now(page: sync_api.Page, before: str) -> bool:
    from playwright.sync_api import TimeoutError as TooLateError

    try:
        page.wait_for_function(_CHANGED, arg=before, timeout=_WAIT_MS)
    except TooLateError:
        return False
    return True
