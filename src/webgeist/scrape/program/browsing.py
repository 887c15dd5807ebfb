"""The browser of a program: behind the gate, polite to hosts, with a tab for each loop.

Chromium is driven by Playwright, as users' own scrapers do; every connection goes through the
tunnel, which asks the gate. robots.txt is obeyed and hosts have their pauses, as in a crawl.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Protocol, Self

import sqlalchemy as sa
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from webgeist.capture.fetch import Fetcher
from webgeist.capture.find import find_browser
from webgeist.capture.own_folder import OwnFolder
from webgeist.capture.process import FLAGS
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.viewport import parse_viewport
from webgeist.crawl.addresses import parse
from webgeist.crawl.manners import Manners
from webgeist.crawl.run import user_agent
from webgeist.crawl.tables import ROBOTS
from webgeist.errors import BrowserError
from webgeist.scrape.program.tabs import GoneError, SiteError, Tab, judge

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.async_api import BrowserContext, Page

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.recorder.port import PageSlot
    from webgeist.settings import Settings

    class Recorder(Protocol):
        """Whatever has slots that can be emptied while pages stay."""

        @property
        def arguments(self) -> tuple[str, ...]: ...

        async def slot(self) -> PageSlot: ...

        async def close(self) -> None: ...


_OURS = frozenset(  # that Playwright sees to; and a click may open a tab
    {"--remote-debugging-pipe", "--headless", "--no-startup-window", "--block-new-web-contents"}
)


class Browsing:
    """Tabs of one browser context: cookies and logins are shared by all of them.

    Without a `recorder` connections only pass the gate; `keep` gets what one has recorded, to close
    it. `offline` says that nothing is asked of the web, so that no host needs a pause.
    """

    def __init__(
        self,
        settings: Settings,
        viewport: str = "desktop",
        *,
        recorder: Recorder | None = None,
        offline: bool = False,
    ) -> None:
        self._settings = settings
        self._recorder: Recorder = recorder or Tunnel(settings)
        self._offline = offline
        self.keep: Callable[[list[Exchange]], None] = self.throw_away
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
        self._stack.push_async_callback(self._recorder.close)
        self._slot = await self._recorder.slot()
        self._slot.begin()
        self._stack.push_async_callback(self.drain)
        self._manners = Manners(
            Fetcher(settings, user_agent(settings)), self._stack.enter_context(_notes()), time.time
        )
        folder = OwnFolder("webgeist-scrape-")
        self._stack.callback(folder.remove)
        playwright = await self._stack.enter_async_context(async_playwright())
        flags = [flag for flag in FLAGS if flag not in _OURS]
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        try:
            browser = await playwright.chromium.launch(
                executable_path=str(found.path),
                args=[*flags, *root, *self._recorder.arguments],
                env={**os.environ, "TMPDIR": str(folder.path)},  # what it leaves goes with ours
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
        await self.check(url)
        async with self.turn(url):
            await self._load(page, url)

    async def check(self, url: str) -> None:
        """GoneError for what is no address, or one that robots.txt forbids."""
        address = parse(url)
        if address is None:
            raise GoneError(f"{url!r} is no address of a page")
        if self._offline or not self._settings.crawl.robots:
            return
        if not (await self._manners.of(address.origin)).allows(url):
            raise GoneError(f"robots.txt forbids {url}")

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncIterator[None]:
        """While it lasts, the host of an address may be asked: one at a time, with its pause."""
        address = parse(url)
        if address is None or self._offline:  # about:blank and the like
            yield
            return
        robots = await self._manners.of(address.origin)
        async with self._turns.setdefault(address.host, asyncio.Lock()):
            await asyncio.sleep(max(0.0, self._ready.get(address.host, 0.0) - time.monotonic()))
            try:
                yield
            finally:
                pause = max(self._settings.crawl.delay_seconds, robots.delay)
                self._ready[address.host] = time.monotonic() + pause
                await self.drain()

    @staticmethod
    def throw_away(exchanges: list[Exchange]) -> None:
        """What becomes of what was recorded, unless somebody keeps it."""
        for exchange in exchanges:
            exchange.close()

    async def drain(self) -> None:
        """Hand over what was recorded so far."""
        await asyncio.to_thread(self.keep, self._slot.drain())

    async def _load(self, page: Page, url: str) -> None:
        self._loads += 1
        try:
            answer = await page.goto(url, wait_until="load")
        except PlaywrightError as error:
            raise SiteError(f"{url}: {error.message.splitlines()[0][:200]}") from error
        if answer is not None:
            judge(answer.status, url, answer.headers.get("proxy-status", ""))

    @property
    def loads(self) -> int:
        """How many pages were loaded by address."""
        return self._loads


@contextmanager
def _notes() -> Iterator[Callable[[], AbstractContextManager[sa.Connection]]]:
    """What hosts said in their robots.txt, for as long as the program runs."""
    engine = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    ROBOTS.create(engine)
    try:
        yield engine.begin
    finally:
        engine.dispose()
