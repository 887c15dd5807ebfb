"""One tab of the browser: a context of its own, prepared once, used for page after page."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import resources
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.journal import Journal
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from webgeist.capture.cdp import Connection
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
        self, connection: Connection, settings: Settings, viewport: Viewport, context: str
    ) -> None:
        self.settings = settings
        self.viewport = viewport
        self.target = ""
        self.journal = self._new_journal("")
        self._connection = connection
        self._context = context
        self._session = ""
        self._children: set[str] = set()
        self._clock_script: str | None = None
        self._answer: Answerer | None = None

    async def open(self, user_agent: str | None, clock: datetime | None) -> None:
        """Make the tab and tell it, once, all that stays the same for every page."""
        made = await self._connection.send(
            "Target.createTarget",
            {"url": "about:blank", "browserContextId": self._context}
            | {"width": self.viewport.width, "height": self.viewport.height},
        )
        self.target = made["targetId"]
        attached = await self._connection.send(
            "Target.attachToTarget", {"targetId": self.target, "flatten": True}
        )
        self._session = attached["sessionId"]
        self._connection.listen(self._session, self._event)
        self.begin()
        await asyncio.gather(*(self.send(*command) for command in self._commands(user_agent)))
        await self.set_clock(clock)

    def _commands(self, user_agent: str | None) -> list[tuple[str, dict[str, Any]]]:
        watch = {"source": _script("watch.js"), "worldName": "webgeist", "runImmediately": True}
        commands: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            ("Runtime.enable", {}),
            ("Log.enable", {}),
            ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
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

    def _event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._adopt(params["sessionId"], params["targetInfo"]["type"])
        elif method == "Target.detachedFromTarget":
            self._connection.forget(params["sessionId"])
            self._children.discard(params["sessionId"])
        elif method == "Fetch.requestPaused" and self._answer is not None:
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

    def _adopt(self, session: str, kind: str) -> None:
        """A worker's requests are the page's requests."""
        self._children.add(session)
        self._connection.listen(session, self._worker_event)
        if kind in _WORKERS:
            self._connection.post("Network.enable", session=session)
        self._connection.post("Runtime.runIfWaitingForDebugger", session=session)

    def _worker_event(self, method: str, params: dict[str, Any]) -> None:
        if method.startswith("Network."):
            self.journal.handle(method, params, asyncio.get_running_loop().time())

    async def close(self) -> bool:
        """Give the tab and its context back, however stuck its page is.

        False if Chromium no longer answers: then its process is what must end.
        """
        for session in (self._session, *self._children):
            self._connection.forget(session)
        context = {"browserContextId": self._context}
        try:
            # Cookies are kept by the thread that loads everything. A server can keep that thread
            # busy for ever (trailers without end do): then no other page would be loaded either.
            for method in ("Storage.getCookies", "Target.disposeBrowserContext"):
                with suppress(CommandError):  # the context is gone already
                    await self._connection.send(method, context, seconds=_CLOSE_SECONDS)
        except (BrowserError, CommandTimeoutError):
            return False
        return True


_AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
