"""A running Chromium that tabs are taken from."""

from __future__ import annotations

import logging
import os
import shlex
from contextlib import asynccontextmanager, contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Self

from webgeist.capture import process
from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.find import find_browser
from webgeist.capture.tab import Tab
from webgeist.closing import Closing
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from datetime import datetime

    from webgeist.capture.exchange import Attendant
    from webgeist.capture.viewport import Viewport
    from webgeist.settings import Settings

_log = logging.getLogger(__name__)

# Where nothing listens: a tab that must not reach the network has this as its proxy.
NOWHERE = "http://127.0.0.1:1"


@cache
def _sandbox_flags() -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    _log.warning("running as root: Chromium's own sandbox is off (--no-sandbox)")
    return ("--no-sandbox",)


class Browser(Closing):
    """One Chromium process. Use it as an async context manager; it ends with the block.

    `properties` are the CSS longhands this Chromium computes; `version` names it.
    `arguments` are what a recorder needs beside the settings' own. `signature` is what its own user
    agent has at its end.
    """

    def __init__(
        self, settings: Settings, arguments: Sequence[str] = (), signature: str = ""
    ) -> None:
        self.settings = settings
        self._arguments = arguments
        self._signature = signature
        self._agent = ""
        self.version = ""
        self.properties: tuple[str, ...] = ()
        self._process: process.Process | None = None
        self._tabs: dict[str, Tab] = {}
        self._hangs = False

    async def __aenter__(self) -> Self:
        found = find_browser(self.settings.browser.executable, environ=os.environ)
        self._process = await process.start(
            found.path,
            [*_sandbox_flags(), *self._arguments, *shlex.split(self.settings.browser.arguments)],
            self.settings.browser.command_seconds,
        )
        self._hangs = True  # until it has answered
        try:
            await self._greet()
        except (BrowserError, CommandError, CommandTimeoutError) as error:
            words = self._process.last_words()
            await self.close()
            raise BrowserError(
                f"{found.path} did not start: {words or error}",
                remedy="set another one with browser.executable",
            ) from error
        except BaseException:  # interrupted: nobody else would end it
            await self.close()
            raise
        self._hangs = False
        return self

    async def _greet(self) -> None:
        seconds = self.settings.browser.start_seconds
        send = partial(self._running.connection.send, seconds=seconds)
        said = await send("Browser.getVersion")
        self.version, self._agent = said["product"], said["userAgent"]
        self._running.connection.listen("", self._event)
        await send("Target.setDiscoverTargets", {"discover": True})
        await send("Target.setAutoAttach", _AUTO_ATTACH)
        made = await send("Target.createTarget", {"url": "about:blank"})
        attached = await send(
            "Target.attachToTarget", {"targetId": made["targetId"], "flatten": True}
        )
        listed = await send(
            "Runtime.evaluate",
            {
                "expression": "[...getComputedStyle(document.documentElement)]",
                "returnByValue": True,
            },
            session=attached["sessionId"],
        )
        self.properties = tuple(listed["result"]["value"])
        await send("Target.closeTarget", {"targetId": made["targetId"]})

    @property
    def _running(self) -> process.Process:
        if self._process is None:
            raise BrowserError(
                "this browser is not running", remedy="use it in an async with block"
            )
        return self._process

    @property
    def pid(self) -> int:
        return self._running.pid

    @property
    def alive(self) -> bool:
        """Whether tabs can be taken from it; one that hangs is as good as dead."""
        if self._process is None or self._hangs:
            return False
        return not self._process.connection.closed.done()

    @property
    def idle(self) -> bool:
        """Whether no tab of it is open."""
        return not self._tabs

    async def give_back(self) -> bool:
        """Have all its processes give back the memory that they only hold in case: what tabs have
        cleared, pictures that were decoded, compiled scripts, most of the caches. What pages show
        stays the same. Whether it heard.
        """
        try:
            await self._running.connection.send(
                "Memory.simulatePressureNotification", {"level": "critical"}
            )
        except (BrowserError, CommandError, CommandTimeoutError):
            return False
        return True

    @asynccontextmanager
    async def tab(
        self,
        viewport: Viewport,
        clock: datetime | None,
        *,
        proxy: str | None = None,
        attendant: Attendant | None = None,
    ) -> AsyncIterator[Tab]:
        """A tab with its own cookies, cache and storage. No request goes beside its proxy.

        `attendant` gets to see each of its targets: the page, its workers.
        """
        tab = await self._new_tab(viewport, proxy, attendant)
        self._tabs[tab.context] = tab
        try:
            with self._must_answer():
                await tab.open(self._user_agent(viewport), clock)
            yield tab
        finally:
            self._tabs.pop(tab.context, None)
            if not await tab.close():
                self._hangs = True

    async def _new_tab(
        self, viewport: Viewport, proxy: str | None, attendant: Attendant | None
    ) -> Tab:
        connection = self._running.connection
        options: dict[str, Any] = {"disposeOnDetach": True}
        if proxy:
            options |= {"proxyServer": proxy, "proxyBypassList": "<-loopback>"}
        with self._must_answer():
            made = await connection.send("Target.createBrowserContext", options)
            context = made["browserContextId"]
            await connection.send(
                "Browser.setDownloadBehavior",
                {"behavior": "deny", "browserContextId": context, "eventsEnabled": True},
            )
        return Tab(connection, self.settings, viewport, context, attendant)

    @contextmanager
    def _must_answer(self) -> Iterator[None]:
        """No page is at fault yet: if a command fails here, it is Chromium that fails."""
        try:
            yield
        except (CommandError, CommandTimeoutError) as error:
            self._hangs = True
            raise BrowserError(f"Chromium gave no tab: {error}", remedy="try again") from error

    def _user_agent(self, viewport: Viewport) -> str | None:
        """The one of the settings, or Chromium's own with our signature; None: left as it is."""
        if self.settings.capture.user_agent:
            return self.settings.capture.user_agent
        if not (viewport.mobile or self._signature):
            return None
        return (
            f"{self._mobile_agent() if viewport.mobile else self._agent} {self._signature}".strip()
        )

    def _mobile_agent(self) -> str:
        number = self.version.rpartition("/")[2].partition(".")[0]
        return (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
            f"HeadlessChrome/{number}.0.0.0 Mobile Safari/537.36"
        )

    def _event(self, method: str, params: dict[str, Any]) -> None:
        """Events of the browser itself: what is made in a tab's context belongs to the tab."""
        if method == "Target.attachedToTarget":
            self._attached(params["sessionId"], params["targetInfo"])
        elif method == "Target.detachedFromTarget":
            for tab in self._tabs.values():
                tab.disown(params["sessionId"])
        elif method in {"Browser.downloadWillBegin", "Target.targetCrashed"}:
            page = params.get("frameId") or params.get("targetId", "")
            for tab in self._tabs.values():
                if tab.target == page:
                    tab.journal.handle(method, params, 0.0)

    def _attached(self, session: str, info: dict[str, Any]) -> None:
        """A target that waits to be run: a shared worker, or a tab of our own."""
        tab = self._tabs.get(info.get("browserContextId", ""))
        if tab is not None and info["type"] == "shared_worker":
            tab.adopt(session, info["type"])
        else:
            self._running.connection.post("Runtime.runIfWaitingForDebugger", session=session)

    async def close(self) -> None:
        if self._process is not None:
            running, self._process = self._process, None
            if self._hangs:  # it would not hear that it shall end
                running.kill()
            await running.stop()


_AUTO_ATTACH = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": "page"}, {"type": "shared_worker"}, {"exclude": True}],
}
