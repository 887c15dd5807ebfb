"""What the browser told while one page was loaded: events in, facts out. Pure, but for a bell.

The tab feeds it every event; whoever waits for something rings with `changed`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.outcome import Outcome
from webgeist.capture.requests import Request, RequestLog

if TYPE_CHECKING:
    from collections.abc import Callable

_WORLD = "webgeist"
_LONGEST = 10_000  # characters of one message, and of one address in it
_MOST_DIALOGS = 100
_SOON = 1.0  # seconds; a page that refreshes itself later is a page of its own


@dataclass(frozen=True)
class Message:
    """Something the page said that is no content: a console error, an exception, a dialog, …"""

    kind: str
    text: str
    url: str | None = None


@dataclass(frozen=True)
class Answer:
    """The response that the page's own document came with."""

    url: str
    status: int
    mime_type: str
    headers: dict[str, str]


class Journal:
    """All that is known of the page that a tab is loading."""

    def __init__(
        self,
        frame: str,
        request_limit: int,
        message_limit: int,
        document_limit: int = 100_000_000,
    ) -> None:
        self.frame = frame
        self.requests = RequestLog(request_limit)
        self.messages: list[Message] = []
        self.dropped_messages = 0
        self.navigations = 0  # how often a page was asked for
        self.pages = 0  # how often one came in place of the one before, the first of the empty one
        self.unreachable = False  # what is shown is Chromium's own page about an error
        self.lost: str | None = None  # why the last page that was asked for did not come
        self.parsed = False  # the document was read to its end
        self.document_bytes = 0  # how much of the document has come, unpacked
        self.redirect: str | None = None  # where the last answer sent us
        self.crashed = asyncio.Event()
        self.too_much = asyncio.Event()  # of something that has no end
        self.verdict: tuple[Outcome, str] | None = None  # what follows from that
        self.download: str | None = None
        self.changed = asyncio.Event()
        self.last_traffic = 0.0
        self.worlds: dict[int, str] = {}  # our script's world of each frame: context → frame
        self.own_worlds: dict[int, str] = {}  # the world of each frame's own scripts
        self._document: str | None = None  # the request for the page, or for the first one to come
        self._next: str | None = None  # the request for the page that is to take its place
        self._scheduled = False  # a page is to be asked for in a moment
        self._answers: dict[str, Answer] = {}
        self._loaded = False
        self._dialogs = 0
        self._document_limit = document_limit
        self._message_limit = message_limit
        self._handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceived": self._received,
            "Network.responseReceivedExtraInfo": self._headed,
            "Network.dataReceived": self._data,
            "Network.loadingFailed": self._failed,
            "Page.frameScheduledNavigation": self._schedule,
            "Page.frameClearedScheduledNavigation": self._unschedule,
            "Page.frameNavigated": self._navigated,
            "Page.domContentEventFired": self._content_fired,
            "Page.loadEventFired": self._load_fired,
            "Page.javascriptDialogOpening": self._dialog,
            "Page.windowOpen": self._pop_up,
            "Runtime.executionContextCreated": self._world_made,
            "Runtime.executionContextDestroyed": self._world_ended,
            "Runtime.executionContextsCleared": self._worlds_ended,
            "Runtime.consoleAPICalled": self._console,
            "Runtime.exceptionThrown": self._exception,
            "Log.entryAdded": self._log,
            "Browser.downloadWillBegin": self._download,
            "Page.downloadWillBegin": self._download,
            "Inspector.targetCrashed": self._crash,
            "Target.targetCrashed": self._crash,
        }

    @property
    def document(self) -> Request | None:
        """The request for the page's own document, as far as it got."""
        return self.requests.get(self._document) if self._document else None

    @property
    def answer(self) -> Answer | None:
        """The answer that the page's own document came with."""
        return self._answers.get(self._document) if self._document else None

    @property
    def shown(self) -> bool:
        """Whether a page has come in place of the empty one."""
        return self.pages > 0

    @property
    def loaded(self) -> bool:
        """Whether the load event has fired and no other page is on its way."""
        return self._loaded and self._next is None and not self._scheduled

    @property
    def broken_off(self) -> bool:
        """Whether the document ended early, so that no load event will come."""
        document = self.document
        return document is not None and document.error is not None and self._next is None

    def open_requests(self) -> list[Request]:
        """What the page still waits for. Of what a page before asked for, no end is told."""
        document = self.document
        first = document.request if document else 0
        return [request for request in self.requests.open_requests() if request.request >= first]

    async def replaced(self, pages: int) -> None:
        """Returns when another page has come in place of the one that was there at `pages`."""
        while self.pages == pages:
            self.changed.clear()
            await self.changed.wait()

    def main_world(self) -> int | None:
        """Our script's world in the page's own frame."""
        return self.world_of(self.frame)

    def world_of(self, frame: str) -> int | None:
        """Our script's world in a frame."""
        return next((world for world, its in self.worlds.items() if its == frame), None)

    def say(self, kind: str, text: str, url: str | None = None) -> None:
        if len(self.messages) < self._message_limit:
            self.messages.append(Message(kind, text[:_LONGEST], url[:_LONGEST] if url else url))
        else:
            self.dropped_messages += 1

    def handle(self, method: str, params: dict[str, Any], now: float) -> None:
        """Take one event of the page or of one of its workers; `now` is the loop's time."""
        if method.startswith("Network."):
            self.last_traffic = now
            self.requests.handle(method, params)
        handler = self._handlers.get(method)
        if handler is not None:
            handler(params)
        self.changed.set()

    def _sent(self, params: dict[str, Any]) -> None:
        number = params["requestId"]
        if params.get("type") != "Document" or params.get("frameId") != self.frame:
            return
        if number in {self._document, self._next}:  # a redirect of the same navigation
            return
        self.navigations += 1
        if self._document is None:
            self._document = number
        else:
            self._next = number

    def _received(self, params: dict[str, Any]) -> None:
        if params["requestId"] in {self._document, self._next}:
            response = params["response"]
            self._answers[params["requestId"]] = Answer(
                response["url"],
                response["status"],
                response.get("mimeType", ""),
                {name.lower(): str(value) for name, value in response["headers"].items()},
            )

    def _headed(self, params: dict[str, Any]) -> None:
        """Headers as they came, also of a redirect that Chromium does not follow."""
        if params["requestId"] in {self._document, self._next}:
            named = {name.lower(): value for name, value in params["headers"].items()}
            self.redirect = named.get("location")

    def _data(self, params: dict[str, Any]) -> None:
        if params["requestId"] == self._document:
            self.document_bytes += params["dataLength"]
            if self.document_bytes > self._document_limit:
                self._give_up(
                    Outcome.TOO_LARGE,
                    f"a document of more than limits.file_bytes = {self._document_limit}",
                )

    def _give_up(self, outcome: Outcome, reason: str) -> None:
        self.verdict = self.verdict or (outcome, reason)
        self.too_much.set()

    def _failed(self, params: dict[str, Any]) -> None:
        if params["requestId"] in {self._document, self._next}:
            self.lost = params["errorText"]
        if params["requestId"] == self._next:  # the page before stays
            self._next = None

    def _schedule(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and params["delay"] <= _SOON:
            self._scheduled = True

    def _unschedule(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame:
            self._scheduled = False

    def _navigated(self, params: dict[str, Any]) -> None:
        frame = params["frame"]
        if frame["id"] != self.frame:
            return
        loader = frame["loaderId"]
        self.unreachable = "unreachableUrl" in frame
        if loader == self._next or self.requests.get(loader) is not None:
            self._document = loader
        elif self.pages:  # about:blank and the like are not asked for
            self.navigations += 1
        self._next, self._scheduled, self.document_bytes = None, False, 0
        self._loaded = self.parsed = False
        self.pages += 1

    def _content_fired(self, _: dict[str, Any]) -> None:
        self.parsed = True

    def _load_fired(self, _: dict[str, Any]) -> None:
        self._loaded = True

    def _world_made(self, params: dict[str, Any]) -> None:
        context = params["context"]
        if context["name"] == _WORLD:
            self.worlds[context["id"]] = context["auxData"]["frameId"]
        elif context["auxData"].get("isDefault"):
            self.own_worlds[context["id"]] = context["auxData"]["frameId"]

    def _world_ended(self, params: dict[str, Any]) -> None:
        self.worlds.pop(params["executionContextId"], None)
        self.own_worlds.pop(params["executionContextId"], None)

    def _worlds_ended(self, _: dict[str, Any]) -> None:
        self.worlds.clear()
        self.own_worlds.clear()

    def _console(self, params: dict[str, Any]) -> None:
        if params["type"] in {"error", "assert", "warning"}:
            words = [_worded(argument) for argument in params["args"]]
            frames = params.get("stackTrace", {}).get("callFrames", [])
            self.say(
                f"console-{params['type']}", " ".join(words), frames[0]["url"] if frames else None
            )

    def _exception(self, params: dict[str, Any]) -> None:
        details = params["exceptionDetails"]
        thrown = details.get("exception", {})
        self.say("exception", thrown.get("description") or details["text"], details.get("url"))

    def _log(self, params: dict[str, Any]) -> None:
        entry = params["entry"]
        if entry["level"] == "error":
            self.say(f"log-{entry['source']}", entry["text"], entry.get("url"))

    def _dialog(self, params: dict[str, Any]) -> None:
        self.say(f"dialog-{params['type']}", params["message"], params["url"])
        self._dialogs += 1
        if self._dialogs > _MOST_DIALOGS:
            self._give_up(Outcome.UNRESPONSIVE, "the page opens dialogs without an end")

    def _pop_up(self, params: dict[str, Any]) -> None:
        self.say("pop-up", params["url"])

    def _download(self, params: dict[str, Any]) -> None:
        name = params.get("suggestedFilename") or params["url"]
        if not self.shown and params.get("frameId", self.frame) == self.frame:
            self.download = name
        elif Message("download", name, params["url"]) not in self.messages:  # told twice
            self.say("download", name, params["url"])

    def _crash(self, _: dict[str, Any]) -> None:
        self.crashed.set()


def _worded(argument: dict[str, Any]) -> str:
    return str(argument.get("value", argument.get("description", argument["type"])))
