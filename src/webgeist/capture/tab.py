"""One tab of the browser: a context of its own, prepared once, used for page after page."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import resources
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.journal import Journal
from webgeist.capture.session import TargetSession
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from webgeist.capture.cdp import Connection
    from webgeist.capture.exchange import Attendant
    from webgeist.capture.viewport import Viewport
    from webgeist.settings import Settings

    Answerer = Callable[[str, str, str], tuple[str, dict[str, Any]]]

_SEED = 20130427
_CLOSE_SECONDS = 5.0
_WORKERS = frozenset({"worker", "service_worker", "shared_worker"})


def _script(name: str) -> str:
    return resources.files("webgeist.capture").joinpath("scripts", name).read_text("utf-8")


class Tab:
    """A page's place in the browser. Made by `Browser.tab`; `load` in `loader` drives it."""

    def __init__(
        self,
        connection: Connection,
        settings: Settings,
        viewport: Viewport,
        context: str,
        attendant: Attendant | None = None,
    ) -> None:
        self.settings = settings
        self.viewport = viewport
        self.context = context
        self.target = ""
        self.journal = self._new_journal("")
        self._connection = connection
        self._attendant = attendant
        self._session = ""
        self._children: set[str] = set()
        self._clock: datetime | None = None
        self._clock_script: str | None = None
        self._answer: Answerer | None = None

    async def open(self, user_agent: str | None, clock: datetime | None) -> None:
        """Make the tab and tell it, once, all that stays the same for every page."""
        made = await self._connection.send(
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": self.context}
            | {"width": self.viewport.width, "height": self.viewport.height},
        )
        self.target = made["targetId"]
        attached = await self._connection.send(
            "Target.attachToTarget", {"targetId": self.target, "flatten": True}
        )
        self._session = attached["sessionId"]
        page = TargetSession(self._connection, self._session, self._event)
        self.begin()
        await asyncio.gather(*(self.send(*command) for command in self._commands(user_agent)))
        self._attend(page)
        await self.set_clock(clock)

    def _commands(self, user_agent: str | None) -> list[tuple[str, dict[str, Any]]]:
        watch = {"source": _script("watch.js"), "worldName": "webgeist", "runImmediately": True}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            ("Runtime.enable", {}),
            ("Log.enable", {}),
            ("Network.enable", _KEEP_NOTHING),
            ("Target.setAutoAttach", _AUTO_ATTACH),
            ("Emulation.setDeviceMetricsOverride", self.viewport.metrics()),
            ("Emulation.setTouchEmulationEnabled", {"enabled": self.viewport.mobile}),
            ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
            ("Emulation.setLocaleOverride", {"locale": "en-US"}),
            ("Page.addScriptToEvaluateOnNewDocument", watch),
        ]
        if user_agent:
            override = {"userAgent": user_agent, "acceptLanguage": "en-US,en"}
            commands.append(("Network.setUserAgentOverride", override))
        return commands

    async def set_clock(self, clock: datetime | None) -> None:
        """What time it is for pages loaded from now on; None for the real time."""
        if clock == self._clock:
            return
        self._clock = clock
        if self._clock_script is not None:
            await self.send(
                "Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._clock_script}
            )
            self._clock_script = None
        if clock is not None:
            epoch = int(clock.timestamp() * 1000)
            source = f"{_script('clock.js')}({epoch}, {_SEED});"
            added = await self.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
            self._clock_script = added["identifier"]

    async def intercept(self, answer: Answerer) -> None:
        """From now on no request goes out: `answer` says for each one what command ends it."""
        self._answer = answer
        await self.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def stop_loading(self) -> None:
        """Break off whatever the page still waits for, so that what came of it can be painted."""
        await self.send("Page.stopLoading")

    @property
    def browser_ended(self) -> asyncio.Future[Exception | None]:
        """Done when Chromium is gone."""
        return self._connection.closed

    async def browser_answers(self) -> bool:
        """Whether Chromium itself still talks to us, whatever this tab does."""
        try:
            await self._connection.send("Browser.getVersion", seconds=_CLOSE_SECONDS)
        except (BrowserError, CommandTimeoutError):
            return False
        return True

    def begin(self) -> Journal:
        """Forget the page before; what comes now belongs to the next one."""
        self.journal = self._new_journal(self.target)  # the main frame has its target's name
        return self.journal

    def _new_journal(self, frame: str) -> Journal:
        limits = self.settings.limits
        return Journal(frame, limits.requests, limits.messages, limits.file_bytes)

    async def send(
        self, method: str, params: dict[str, Any] | None = None, seconds: float | None = None
    ) -> dict[str, Any]:
        return await self._connection.send(method, params, session=self._session, seconds=seconds)

    async def send_raw(self, method: str, params: dict[str, Any], seconds: float) -> bytes:
        return await self._connection.send_raw(
            method, params, session=self._session, seconds=seconds
        )

    async def call(self, expression: str, world: int, seconds: float) -> Any:
        """The value of an expression in one of our script's worlds, promises awaited."""
        answer = await self.send(
            "Runtime.evaluate",
            {"expression": f"webgeist.{expression}", "contextId": world}
            | {"awaitPromise": True, "returnByValue": True},
            seconds,
        )
        if "exceptionDetails" in answer:
            raise CommandError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def _attend(self, session: TargetSession) -> None:
        """Others tell a target what they want of it after we have, and before it runs."""
        if self._attendant is not None:
            self._attendant.attend(session)

    def _event(self, method: str, params: dict[str, Any]) -> None:
        self._family_event(method, params)
        if method == "Fetch.requestPaused" and self._answer is not None:
            command, answer = self._answer(
                params["requestId"], params["request"]["url"], params["resourceType"]
            )
            self._connection.post(command, answer, session=self._session)
        elif method == "Page.javascriptDialogOpening" and not self.journal.too_much.is_set():
            accept = params["type"] == "beforeunload"
            self._connection.post(
                "Page.handleJavaScriptDialog", {"accept": accept}, session=self._session
            )
        self.journal.handle(method, params, asyncio.get_running_loop().time())

    def _family_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self.adopt(params["sessionId"], params["targetInfo"]["type"])
        elif method == "Target.detachedFromTarget":
            self.disown(params["sessionId"])

    def adopt(self, session: str, kind: str) -> None:
        """A worker's requests are the page's requests, and so are those of its own workers."""
        self._children.add(session)
        child = TargetSession(self._connection, session, self._child_event)
        if kind in _WORKERS:
            child.post("Network.enable", _KEEP_NOTHING)
            child.post("Target.setAutoAttach", _AUTO_ATTACH)
        self._attend(child)
        child.post("Runtime.runIfWaitingForDebugger")

    def disown(self, session: str) -> None:
        self._connection.forget(session)
        self._children.discard(session)

    def _child_event(self, method: str, params: dict[str, Any]) -> None:
        self._family_event(method, params)
        if method.startswith("Network."):
            self.journal.handle(method, params, asyncio.get_running_loop().time())

    async def clear(self) -> bool:
        """Make room for another page: of this one nothing stays but what Chromium has cached.

        False if there is no telling what stays: then the tab should be closed.
        """
        journal = self.journal
        before = journal.pages
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.send("Page.navigate", {"url": "about:blank"})
                await journal.replaced(before)
                while not journal.loaded:
                    journal.changed.clear()
                    await journal.changed.wait()
                await asyncio.gather(
                    self.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"}),
                    self.send("Runtime.evaluate", {"expression": "window.name = ''"}),
                    self.send("Page.resetNavigationHistory"),
                )
        except (BrowserError, CommandError, CommandTimeoutError, TimeoutError):
            return False
        return True

    async def tidy(self) -> None:
        """Have the tab look for what nothing refers to any more: the pages that it had, which it
        would else do when it needs the room. If it does not answer, the next page will tell.
        """
        with suppress(BrowserError, CommandError, CommandTimeoutError):
            await self.send("HeapProfiler.collectGarbage", seconds=_CLOSE_SECONDS)

    async def close(self) -> bool:
        """Give the tab and its context back, however stuck its page is.

        False if Chromium no longer answers: then its process is what must end.
        """
        for session in (self._session, *self._children):
            self._connection.forget(session)
        context = {"browserContextId": self.context}
        try:
            # Cookies are kept by the thread that loads everything. A server can keep that thread
            # busy for ever (trailers without end do): then no other page would be loaded either.
            for method in ("Storage.getCookies", "Target.disposeBrowserContext"):
                with suppress(CommandError):  # the context is gone already
                    await self._connection.send(method, context, seconds=_CLOSE_SECONDS)
        except (BrowserError, CommandTimeoutError):
            return False
        return True


_KEEP_NOTHING = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
_AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
