"""The requests of a page as Chromium tells of them, hop by hop. Pure: events in, hops out.

A redirect makes another hop of the same request. What was on the wire is told apart from what the
page saw, in events of their own that may come earlier or later (`…ExtraInfo`); each hop says
whether it has such.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from webgeist.capture.attribution import wire_url
from webgeist.capture.recorder.told import Answer, Head, answer_of, headers_of, posted, wire_head_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.capture.exchange import Headers

_SCHEMES = ("http:", "https:", "ws:", "wss:")


@dataclass
class Hop:
    """One request, and what was told of its answer. Times are Chromium's, in seconds."""

    request: str  # Chromium's name for it, the same for all its hops
    method: str
    url: str
    headers: Headers  # as planned; cookies and the like are added later
    posted: bytes | None
    wall: datetime
    began: float
    wired: bool | None = None  # whether there is word from the wire; None if that is not known yet
    asked: Headers | None = None  # the headers as they went over the wire
    head: Head | None = None  # the answer as it came over the wire
    answer: Answer | None = None
    cached: bool = False
    received: int = 0  # bytes of the body that the page got, decoded
    encoded: int = 0  # bytes of the whole answer on the wire
    followed: bool = False  # its answer was a redirect that led to another hop
    ended: float | None = None
    error: str = ""
    unsent: bool = False  # it failed, or was given up, for what is no matter of the network

    @property
    def got(self) -> Head | None:
        """The answer's head, as it came where that is told."""
        return self.head or (self.answer.head if self.answer else None)

    @property
    def on_wire(self) -> bool | None:
        """Whether it left the browser; None where only the network can tell."""
        if self.asked is not None or self.head is not None:
            return True
        if self.cached or self.unsent:
            return False
        return True if self.answer is not None else None


class Hops:
    """All hops in the order in which they were asked for; beyond `most` they are passed over."""

    def __init__(self, most: int) -> None:
        self.hops: list[Hop] = []
        self.latest = 0.0  # the time of the latest event
        self._most = most
        self._of: defaultdict[str, list[Hop]] = defaultdict(list)
        self._current: dict[str, Hop] = {}
        self._asked: defaultdict[str, list[Headers]] = defaultdict(list)
        self._heads: defaultdict[str, list[Head]] = defaultdict(list)
        self._handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "Network.requestWillBeSent": self._sent,
            "Network.requestWillBeSentExtraInfo": self._told_asked,
            "Network.responseReceivedExtraInfo": self._told_head,
            "Network.responseReceived": self._answered,
            "Network.requestServedFromCache": self._served_from_cache,
            "Network.dataReceived": self._data,
            "Network.loadingFinished": self._finished,
            "Network.loadingFailed": self._failed,
            "Network.webSocketCreated": self._socket,
            "Network.webSocketWillSendHandshakeRequest": self._shaking,
            "Network.webSocketHandshakeResponseReceived": self._shaken,
            "Network.webSocketFrameError": self._socket_failed,
            "Network.webSocketClosed": self._finished,
            "Page.downloadWillBegin": self._download,
        }

    def handle(self, method: str, params: dict[str, Any]) -> None:
        handler = self._handlers.get(method)
        if handler is not None:
            self.latest = max(self.latest, params.get("timestamp", 0.0))
            handler(params)

    def current(self, request: str) -> Hop | None:
        """The latest hop of a request."""
        return self._current.get(request)

    def settle(self) -> bool:
        """Give each hop its word from the wire. False while some that must come has not."""
        complete = True
        for request, hops in self._of.items():
            with_word = [hop for hop in hops if hop.wired is not False]
            for hop, asked in zip(with_word, self._asked[request], strict=False):
                hop.asked = asked
            for hop, head in zip(with_word, self._heads[request], strict=False):
                hop.head = head
            complete = complete and not any(hop.wired and hop.head is None for hop in hops)
        return complete

    def _sent(self, params: dict[str, Any]) -> None:
        request, sent = params["requestId"], params["request"]
        before = self._current.pop(request, None)
        if before is not None and "redirectResponse" in params:
            before.answer = answer_of(params["redirectResponse"])
            before.cached = before.cached or before.answer.cached
            before.wired = params["redirectHasExtraInfo"]
            before.followed, before.ended = True, params["timestamp"]
        headers = headers_of(sent["headers"])
        self._add(
            Hop(
                request,
                sent["method"],
                sent["url"],
                headers,
                posted(sent),
                datetime.fromtimestamp(params["wallTime"], UTC),
                params["timestamp"],
            )
        )

    def _add(self, hop: Hop) -> None:
        if not hop.url.startswith(_SCHEMES) or len(self.hops) >= self._most:
            return
        hop.url = wire_url(hop.url)
        self.hops.append(hop)
        self._of[hop.request].append(hop)
        self._current[hop.request] = hop

    def _told_asked(self, params: dict[str, Any]) -> None:
        self._asked[params["requestId"]].append(headers_of(params["headers"]))

    def _told_head(self, params: dict[str, Any]) -> None:
        self._heads[params["requestId"]].append(wire_head_of(params))

    def _answered(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.answer = answer_of(params["response"])
            hop.cached = hop.cached or hop.answer.cached
            hop.wired = params["hasExtraInfo"]

    def _served_from_cache(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.cached = True

    def _data(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.received += params["dataLength"]

    def _finished(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.ended = params["timestamp"]
            hop.encoded = int(params.get("encodedDataLength", 0))

    def _failed(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.ended, hop.error = params["timestamp"], params["errorText"]
            hop.unsent = any(
                params.get(why) for why in ("canceled", "blockedReason", "corsErrorStatus")
            )

    def _socket(self, params: dict[str, Any]) -> None:
        self._add(self._unheard(params["requestId"], params["url"]))

    def _shaking(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.wall = datetime.fromtimestamp(params["wallTime"], UTC)
            hop.began = params["timestamp"]
            hop.asked = headers_of(params["request"]["headers"])

    def _shaken(self, params: dict[str, Any]) -> None:
        if hop := self.current(params["requestId"]):
            hop.answer = answer_of(params["response"])
            hop.ended = params["timestamp"]

    def _socket_failed(self, params: dict[str, Any]) -> None:
        hop = self.current(params["requestId"])
        if hop is not None and hop.answer is None:
            hop.ended, hop.error = params["timestamp"], params["errorMessage"]

    def _download(self, params: dict[str, Any]) -> None:
        """A link's download is asked for by the browser itself: no other event tells of it."""
        url = params["url"]
        if not any(hop.url == wire_url(url) for hop in self.hops):
            download = self._unheard(params["guid"], url)
            download.ended, download.error = download.began, "a download, which is not shown"
            self._add(download)

    def _unheard(self, request: str, url: str) -> Hop:
        """A hop whose event has no time and no headers; it begins when the one before did."""
        wall = self.hops[-1].wall if self.hops else datetime.fromtimestamp(0, UTC)
        return Hop(request, "GET", url, (), b"", wall, self.latest)
