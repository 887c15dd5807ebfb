"""An element of a live page: found by its place, clicked although something may cover it.

What covers an element is told by name: a click that went through it would hit what no reader can
reach, and what a program collects next could be of another row.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, cast

from playwright.async_api import TimeoutError as TooLateError

from webgeist.analyses.blocks.addresses import INSIDE, xpaths
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import ElementHandle, FrameLocator, Locator
    from playwright.async_api import Page as LivePage

    from webgeist.page.model import Page

_SOON_MS, _CLICK_MS = 1_500.0, 8_000.0  # for what is to be enabled, come to rest, be uncovered
_COVERED = re.compile(r"(<[^>]{1,200}>)[^\n]* intercepts pointer events")
_FRAME = re.compile(r"/i?frame(\[\d+\])?$")
# The element at the end of a path of names and numbers below a host, as the page is painted: what
# is in a shadow tree stands below its host, and what a slot shows below the slot.
_WALK = """(host, path) => {
    const below = each => {
        const shown = each.localName === "slot" ? each.assignedElements() : [];
        return shown.length ? shown : [...(each.shadowRoot ?? each).children];
    };
    return path.split("/").filter(Boolean).reduce((above, step) => {
        const [, name, number] = /^(.+?)(?:\\[(\\d+)\\])?$/.exec(step);
        const alike = above ? below(above).filter(each => each.localName === name) : [];
        return alike[(number ?? 1) - 1];
    }, host);
}"""


class Acting(Protocol):
    """A tab, as an element needs it."""

    @property
    def page(self) -> LivePage: ...

    async def act(self, action: Callable[[], Awaitable[object]]) -> None: ...

    async def calm(self) -> None: ...


class Element:
    """A node of a page that was seen, on the page as it is now."""

    def __init__(self, tab: Acting, page: Page, node: int) -> None:
        self._tab = tab
        self._path = xpaths(page, [node])[node]

    async def _found(self) -> Locator | ElementHandle:
        """Through the frames and shadow trees that it is in."""
        where: LivePage | FrameLocator = self._tab.page
        *hosts, last = self._path.split(INSIDE)
        for at, host in enumerate(hosts):
            found = where.locator(f"xpath={host}")
            if not _FRAME.search(host):
                return await _in_shadow(found, [*hosts[at + 1 :], last])
            where = found.content_frame
        return where.locator(f"xpath={last}")

    async def click(self) -> None:
        found = await self._found()
        await self._tab.act(lambda: self._clicked(found))

    async def _clicked(self, found: Locator | ElementHandle) -> None:
        try:
            await found.click(timeout=_SOON_MS)
        except TooLateError as error:
            if _COVERED.search(error.message):
                await self._tab.page.keyboard.press("Escape")  # as readers close what is in front
            await _patiently(found)

    async def type(self, text: str, *, enter: bool) -> None:
        found = await self._found()
        await found.fill(text)
        if enter:
            await self._tab.act(lambda: found.press("Enter"))

    async def select(self, option: str) -> None:
        found = await self._found()
        await self._tab.act(lambda: found.select_option(label=option))

    async def scroll(self) -> None:
        await (await self._found()).scroll_into_view_if_needed()
        await self._tab.calm()


async def _patiently(found: Locator | ElementHandle) -> None:
    try:
        await found.click(timeout=_CLICK_MS)
    except TooLateError as error:
        covered = _COVERED.search(error.message)
        if covered is None:
            raise
        raise NotFoundError(
            f"it cannot be clicked, because {covered[1]} is in front of it",
            remedy="close that first, by a click step on its button",
        ) from error


async def _in_shadow(host: Locator, paths: list[str]) -> ElementHandle:
    """The element that is reached by paths, each below the shadow root of the one before."""
    element: Locator | ElementHandle = host
    for path in paths:
        inner = (await element.evaluate_handle(_WALK, path)).as_element()
        if inner is None:
            raise NotFoundError(f"{path} is no longer on the page")
        element = inner
    return cast("ElementHandle", element)
