"""What the browser told while one page was loaded: events in, facts out. Pure, but for a bell.

The tab feeds it every event; whoever waits for something rings with `changed`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.requests import Request, RequestLog

if TYPE_CHECKING:
    from collections.abc import Callable

_WORLD = "webgeist"


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

    def __init__(self, frame: str, request_limit: int, message_limit: int) -> None:
        self.frame = frame
        self.requests = RequestLog(request_limit)
        self.messages: list[Message] = []
        self.dropped_messages = 0
        self.answer: Answer | None = None
        self.navigations = 0
        self.loaded = False
        self.crashed = asyncio.Event()
        self.download: str | None = None
        self.changed = asyncio.Event()
        self.last_traffic = 0.0
        self.worlds: dict[int, str] = {}  # our script's world of each frame: context → frame
        self._document: str | None = None
        self._message_limit = message_limit
        self._handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceived": self._received,
            "Page.loadEventFired": self._load_fired,
            "Page.javascriptDialogOpening": self._dialog,
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

    def main_world(self) -> int | None:
        """Our script's world in the page's own frame."""
        return next((world for world, frame in self.worlds.items() if frame == self.frame), None)

    def say(self, kind: str, text: str, url: str | None = None) -> None:
        if len(self.messages) < self._message_limit:
            self.messages.append(Message(kind, text[:10_000], url))
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
        if params.get("type") == "Document" and params.get("frameId") == self.frame:
            if params["requestId"] != self._document:
                self.navigations += 1
                self.loaded = False
            self._document = params["requestId"]

    def _received(self, params: dict[str, Any]) -> None:
        if params["requestId"] == self._document:
            response = params["response"]
            self.answer = Answer(
                response["url"],
                response["status"],
                response.get("mimeType", ""),
                {name.lower(): str(value) for name, value in response["headers"].items()},
            )

    def _load_fired(self, _: dict[str, Any]) -> None:
        self.loaded = True

    def _world_made(self, params: dict[str, Any]) -> None:
        context = params["context"]
        if context["name"] == _WORLD:
            self.worlds[context["id"]] = context["auxData"]["frameId"]

    def _world_ended(self, params: dict[str, Any]) -> None:
        self.worlds.pop(params["executionContextId"], None)

    def _worlds_ended(self, _: dict[str, Any]) -> None:
        self.worlds.clear()

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

    def _download(self, params: dict[str, Any]) -> None:
        self.download = params.get("suggestedFilename") or params["url"]

    def _crash(self, _: dict[str, Any]) -> None:
        self.crashed.set()


def _worded(argument: dict[str, Any]) -> str:
    return str(argument.get("value", argument.get("description", argument["type"])))
