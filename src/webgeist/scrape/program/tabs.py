"""Tabs of a program, and what is done in them: looked at, clicked, typed into.

After each action a tab waits for what the action asked for, and hears whether the site gave it.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Protocol

from playwright.async_api import Error as PlaywrightError

from webgeist.capture.live import look
from webgeist.capture.traffic import Traffic, calm_down
from webgeist.scrape.program.answers import Refusals
from webgeist.scrape.program.element import Element
from webgeist.scrape.program.finding import View

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from playwright.async_api import Page

_LOOKS = 3  # at a page that is about to be left
_CALM_SECONDS = 10.0  # what an action asked for may take so long
_OPEN_LOOKS, _LOOK_MS = 40, 50.0  # for a tab that a click opens
_SERVER_ERROR = 500
_BUSY = 429
_GONE = 400
_OUR_NO = frozenset({403, 404})  # what our own proxy says of what it may not or cannot give
_DETAILS = re.compile(r'^webgeist;.* details="([^"]*)"')
# Forms are sent to a tab of their own for as long as one click takes, and it is heard of.
_ASIDE = """() => {
    window.webgeistSent = false;
    window.webgeistHear = event => { if (!event.defaultPrevented) window.webgeistSent = true; };
    window.addEventListener("submit", window.webgeistHear);
    for (const form of document.forms) {
        form.dataset.webgeistTarget = form.getAttribute("target") ?? ""; form.target = "_blank";
        form.submit = () => {
            window.webgeistSent = true; HTMLFormElement.prototype.submit.call(form); };
    } }"""
_SENT = "window.webgeistSent === true"
_BACK = """() => {
    window.removeEventListener("submit", window.webgeistHear);
    for (const form of document.forms) {
        const before = form.dataset.webgeistTarget; delete form.dataset.webgeistTarget;
        delete form.submit;
        if (before) form.target = before; else form.removeAttribute("target");
    } }"""


class SiteError(ConnectionError):
    """The site did not give a page: it may do so when asked again."""


class GoneError(Exception):
    """The site says that there is no such page, or that it may not be had."""


def judge(status: int | None, url: str, told: str = "") -> None:
    """SiteError or GoneError where an answer is no page. `told` is a Proxy-Status, if any."""
    if found := _DETAILS.search(told):
        raise (GoneError if status in _OUR_NO else SiteError)(f"{url}: {found[1]}")
    if status is not None and (status == _BUSY or status >= _SERVER_ERROR):
        raise SiteError(f"{url}: the server answered {status}")
    if status is not None and status >= _GONE:
        raise GoneError(f"{url}: the server answered {status}")


class Opener(Protocol):
    """Who lets tabs ask hosts: see `Browsing`."""

    async def go(self, page: Page, url: str) -> None: ...

    def turn(self, url: str) -> AbstractAsyncContextManager[None]: ...

    async def check(self, url: str) -> None: ...


class Tab:
    """One tab, and the place in it that a program is at."""

    def __init__(self, browsing: Opener, page: Page) -> None:
        self._browsing = browsing
        self._traffic = Traffic(page)
        self.refusals = Refusals(page)
        self.page = page
        self.lock = asyncio.Lock()  # for what is done to a list by several at once

    @property
    def url(self) -> str:
        return self.page.url

    async def go(self, url: str) -> None:
        await self._browsing.go(self.page, url)

    def has_left(self, view: View) -> bool:
        """Whether the last click took the tab to another page than was seen before it."""
        return self.url != view.url or self._traffic.status is not None

    async def back(self) -> None:
        """To the page before, until that is all there."""
        async with self._browsing.turn(self.url):
            self._traffic.stir()
            await self.page.go_back(wait_until="load")
            await self.calm()

    async def view(self) -> View:
        """What the tab shows now."""
        for _ in range(_LOOKS):
            try:
                return View(await look(self.page), self.page.url)
            except PlaywrightError:  # it goes elsewhere at this moment
                await self.page.wait_for_load_state("load")
        return View(await look(self.page), self.page.url)

    async def calm(self, seconds: float = _CALM_SECONDS) -> None:
        """Wait until the page is sent nothing more, for so long at most."""
        await calm_down(self.page, self._traffic, seconds)

    async def act(self, action: Callable[[], Awaitable[object]]) -> None:
        """Do something to the page, and wait for what that leads to."""
        async with self._browsing.turn(self.url):
            self._traffic.status = None
            self._traffic.stir()
            await action()
            await self.calm()
            await self.page.wait_for_load_state("load")
        judge(self._traffic.status, self.page.url)

    def element(self, view: View, node: int) -> Element:
        """The live element of a node that was seen."""
        return Element(self, view.page, node)

    async def click(self, view: View, node: int, *, aside: bool = False) -> Tab | None:
        """Click a node; the tab that this opened, if any. GoneError where robots.txt forbids what
        it leads to. `aside` has forms that the click sends answered in a new tab.
        """
        href = view.value(node, "href") or ""
        if href.startswith(("http:", "https:")):
            await self._browsing.check(href)
        opened: list[Page] = []

        def hear(page: Page) -> None:
            opened.append(page)

        self.page.on("popup", hear)
        try:
            if aside:
                await self.page.evaluate(_ASIDE)
            await self.element(view, node).click()
            sent = aside and await self.page.evaluate(_SENT)
            if sent or view.value(node, "target") == "_blank":
                await self._await_tab(opened)
            if aside:
                await self.page.evaluate(_BACK)
        finally:
            self.page.remove_listener("popup", hear)
        return await self._taken_over(opened)

    async def _await_tab(self, opened: list[Page]) -> None:
        """Wait for a tab to open, unless the page itself went elsewhere."""
        left = _OPEN_LOOKS
        while left and not opened and self._traffic.status is None:
            left -= 1
            await self.page.wait_for_timeout(_LOOK_MS)

    async def _taken_over(self, opened: list[Page]) -> Tab | None:
        """The first of the tabs that a click opened; further ones are closed."""
        for page in opened[1:]:
            await page.close()
        if not opened:
            return None
        tab = Tab(self._browsing, opened[0])
        await opened[0].wait_for_load_state("load")
        await tab.calm()
        return tab

    async def close(self) -> None:
        self._traffic.stop()
        self.refusals.stop()
        await self.page.close()
