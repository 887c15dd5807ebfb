"""The browser of a program: behind the gate, polite to hosts, with a tab for each loop.

Chromium is driven by Playwright, as users' own scrapers do; every connection goes through the
tunnel, which asks the gate. robots.txt is obeyed and hosts have their pauses, as in a crawl.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from webgeist.analyses.blocks.addresses import xpaths
from webgeist.capture.fetch import Fetcher
from webgeist.capture.find import find_browser
from webgeist.capture.live import look
from webgeist.capture.process import FLAGS
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.viewport import parse_viewport
from webgeist.crawl.addresses import parse
from webgeist.crawl.manners import Manners
from webgeist.crawl.run import user_agent
from webgeist.crawl.tables import ROBOTS
from webgeist.errors import BrowserError
from webgeist.scrape.program.finding import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.async_api import BrowserContext, Page

    from webgeist.settings import Settings

_OURS = frozenset({"--remote-debugging-pipe", "--headless", "--no-startup-window"})
_LOADS = 50  # pages after which the tunnel's notes are thrown away
_LOOKS = 3  # at a page that is about to be left
_SERVER_ERROR = 500
_BUSY = 429
_GONE = 400


class SiteError(ConnectionError):
    """The site did not give a page: it may do so when asked again."""


class GoneError(Exception):
    """The site says that there is no such page, or that it may not be had."""


class Browsing:
    """Tabs of one browser context: cookies and logins are shared by all of them."""

    def __init__(self, settings: Settings, viewport: str = "desktop") -> None:
        self._settings = settings
        self._viewport = parse_viewport(viewport)
        self._stack = AsyncExitStack()
        self._ready: dict[str, float] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._loads = 0

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _open(self) -> None:
        settings = self._settings
        found = find_browser(settings.browser.executable, environ=os.environ)
        tunnel = Tunnel(settings)
        self._stack.push_async_callback(tunnel.close)
        self._slot = await tunnel.slot()
        self._slot.begin()
        self._manners = Manners(
            Fetcher(settings, user_agent(settings)), self._stack.enter_context(_notes()), time.time
        )
        playwright = await self._stack.enter_async_context(async_playwright())
        flags = [flag for flag in FLAGS if flag not in _OURS]
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        try:
            browser = await playwright.chromium.launch(
                executable_path=str(found.path), args=[*flags, *root]
            )
        except PlaywrightError as error:
            raise BrowserError(f"Chromium does not start: {error.message[:200]}") from error
        self._stack.push_async_callback(browser.close)
        self._context: BrowserContext = await browser.new_context(
            proxy={"server": self._slot.proxy, "bypass": "<-loopback>"},
            viewport={"width": self._viewport.width, "height": self._viewport.height},
            device_scale_factor=self._viewport.scale,
            is_mobile=self._viewport.mobile,
            has_touch=self._viewport.mobile,
        )
        self._context.set_default_timeout(settings.limits.navigation_seconds * 1000)

    async def tab(self) -> Tab:
        """A new tab."""
        return Tab(self, await self._context.new_page())

    async def go(self, page: Page, url: str) -> None:
        """Have a tab show an address, when its host may be asked."""
        address = parse(url)
        if address is None:
            raise GoneError(f"{url!r} is no address of a page")
        robots = await self._manners.of(address.origin)
        if self._settings.crawl.robots and not robots.allows(url):
            raise GoneError(f"robots.txt forbids {url}")
        async with self._turns.setdefault(address.host, asyncio.Lock()):
            await asyncio.sleep(max(0.0, self._ready.get(address.host, 0.0) - time.monotonic()))
            try:
                await self._load(page, url)
            finally:
                pause = max(self._settings.crawl.delay_seconds, robots.delay)
                self._ready[address.host] = time.monotonic() + pause

    async def _load(self, page: Page, url: str) -> None:
        self._loads += 1
        if self._loads % _LOADS == 0:
            for exchange in await self._slot.end():
                exchange.close()
            self._slot.begin()
        try:
            answer = await page.goto(url, wait_until="load")
        except PlaywrightError as error:
            raise SiteError(f"{url}: {error.message.splitlines()[0][:200]}") from error
        status = answer.status if answer else 200
        if status == _BUSY or status >= _SERVER_ERROR:
            raise SiteError(f"{url}: the server answered {status}")
        if status >= _GONE:
            raise GoneError(f"{url}: the server answered {status}")

    @property
    def loads(self) -> int:
        """How many pages were loaded by address."""
        return self._loads


class Tab:
    """One tab, and the place in it that a program is at."""

    def __init__(self, browsing: Browsing, page: Page) -> None:
        self._browsing = browsing
        self.page = page

    @property
    def url(self) -> str:
        return self.page.url

    async def go(self, url: str) -> None:
        await self._browsing.go(self.page, url)

    async def view(self) -> View:
        """What the tab shows now."""
        for _ in range(_LOOKS):
            try:
                return View(await look(self.page), self.page.url)
            except PlaywrightError:  # it goes elsewhere at this moment
                await self.page.wait_for_load_state("load")
        return View(await look(self.page), self.page.url)

    def element(self, view: View, node: int) -> Element:
        """The live element of a node that was seen."""
        return Element(self.page, xpaths(view.page, [node])[node])

    async def close(self) -> None:
        await self.page.close()


class Element:
    """An element of a live page, by its place."""

    def __init__(self, page: Page, xpath: str) -> None:
        self._page = page
        self._found = page.locator(f"xpath={xpath}")

    async def click(self) -> None:
        """Click, and wait for the page that it may lead to."""
        await self._found.click()
        await self._page.wait_for_load_state("load")

    async def type(self, text: str, *, enter: bool) -> None:
        await self._found.fill(text)
        if enter:
            await self._found.press("Enter")
            await self._page.wait_for_load_state("load")

    async def select(self, option: str) -> None:
        await self._found.select_option(label=option)
        await self._page.wait_for_load_state("load")

    async def scroll(self) -> None:
        await self._found.scroll_into_view_if_needed()


@contextmanager
def _notes() -> Iterator[Callable[[], AbstractContextManager[sa.Connection]]]:
    """What hosts said in their robots.txt, for as long as the program runs."""
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    ROBOTS.create(engine)
    try:
        yield engine.begin
    finally:
        engine.dispose()
