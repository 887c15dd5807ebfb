"""The requests of a page, from the browser's network events. Pure: events in, rows out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

# Those that stay open as long as the page does; no page waits for them.
_OPEN_ENDED = frozenset(
    {"WebSocket", "EventSource", "Ping", "Media", "Prefetch", "CSPViolationReport"}
)

REQUESTS = pa.schema(
    [
        pa.field("request", pa.int32(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("method", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("frame", pa.string()),
        pa.field("initiator", pa.string()),
        pa.field("redirected_from", pa.int32()),
        pa.field("status", pa.int16()),
        pa.field("mime_type", pa.string()),
        pa.field("protocol", pa.string()),
        pa.field("address", pa.string()),
        pa.field("cache", pa.string()),
        pa.field("error", pa.string()),
        pa.field("started_ms", pa.float64()),
        pa.field("answered_ms", pa.float64()),
        pa.field("finished_ms", pa.float64()),
        pa.field("bytes", pa.int64()),
        pa.field("exchange", pa.int32()),
    ]
)


@dataclass
class Request:
    """One request of a page; a redirect is a request of its own that names the one before."""

    request: int
    url: str
    method: str
    type: str
    frame: str | None
    initiator: str | None
    redirected_from: int | None
    started: float
    status: int | None = None
    mime_type: str | None = None
    protocol: str | None = None
    address: str | None = None
    cache: str | None = None
    error: str | None = None
    answered: float | None = None
    finished: float | None = None
    bytes: int | None = None
    exchange: int | None = None  # set by `attribution.link` where there is a recorder

    @property
    def open(self) -> bool:
        return self.finished is None and self.type not in _OPEN_ENDED


class RequestLog:
    """Requests in the order in which they were made."""

    def __init__(self, limit: int) -> None:
        self.requests: list[Request] = []
        self.dropped = 0
        self._limit = limit
        self._current: dict[str, Request] = {}

    def open_requests(self) -> list[Request]:
        return [request for request in self._current.values() if request.open]

    def get(self, request_id: str) -> Request | None:
        """The latest hop of a request."""
        return self._current.get(request_id)

    def handle(self, method: str, params: dict[str, Any]) -> None:
        """Take one `Network.*` event; others are none of our business."""
        match method:
            case "Network.requestWillBeSent":
                self._sent(params)
            case "Network.webSocketCreated":
                self._opened_socket(params)
            case "Network.responseReceived" | "Network.webSocketHandshakeResponseReceived":
                self._answered(params["requestId"], params["response"], params["timestamp"], params)
            case "Network.requestServedFromCache":
                if request := self.get(params["requestId"]):
                    request.cache = "memory"
            case "Network.loadingFinished":
                self._finished(params, None)
            case "Network.loadingFailed":
                reason = params.get("blockedReason")
                self._finished(params, params["errorText"] + (f" ({reason})" if reason else ""))
            case "Network.webSocketClosed":
                self._finished(params, None)

    def _sent(self, params: dict[str, Any]) -> None:
        before = self.get(params["requestId"])
        redirect = params.get("redirectResponse")
        if before and redirect:
            self._answered(params["requestId"], redirect, params["timestamp"], {})
            before.finished = params["timestamp"]
            before.bytes = int(redirect.get("encodedDataLength", 0))
        sent = params["request"]
        self._add(
            params["requestId"],
            Request(
                request=len(self.requests),
                url=sent["url"] + sent.get("urlFragment", ""),
                method=sent["method"],
                type=params.get("type", "Other"),
                frame=params.get("frameId"),
                initiator=_initiator(params.get("initiator", {})),
                redirected_from=before.request if before and redirect else None,
                started=params["timestamp"],
            ),
        )

    def _opened_socket(self, params: dict[str, Any]) -> None:
        opened = Request(
            request=len(self.requests),
            url=params["url"],
            method="GET",
            type="WebSocket",
            frame=None,
            initiator=_initiator(params.get("initiator", {})),
            redirected_from=None,
            started=max((request.started for request in self.requests), default=0.0),
        )
        self._add(params["requestId"], opened)

    def _add(self, request_id: str, request: Request) -> None:
        if len(self.requests) >= self._limit:
            self.dropped += 1
            self._current.pop(request_id, None)
            return
        self.requests.append(request)
        self._current[request_id] = request

    def _answered(
        self, request_id: str, response: dict[str, Any], time: float, params: dict[str, Any]
    ) -> None:
        request = self.get(request_id)
        if request is None:
            return
        request.type = params.get("type", request.type)
        request.status = response["status"]
        request.mime_type = response.get("mimeType") or None
        request.protocol = response.get("protocol")
        request.address = response.get("remoteIPAddress") or None
        request.cache = _cache(response) or request.cache
        request.answered = time

    def _finished(self, params: dict[str, Any], error: str | None) -> None:
        request = self.get(params["requestId"])
        if request is None:
            return
        request.finished = params["timestamp"]
        request.error = error
        if "encodedDataLength" in params:
            request.bytes = int(params["encodedDataLength"])

    def table(self, start: float) -> pa.Table:
        """All requests as rows; times are milliseconds since `start`, on the browser's clock."""

        def since(time: float | None) -> float | None:
            return None if time is None else round((time - start) * 1000, 3)

        names = [field.name for field in REQUESTS if not field.name.endswith("_ms")]
        rows = [
            {name: getattr(request, name) for name in names}
            | {
                "started_ms": since(request.started),
                "answered_ms": since(request.answered),
                "finished_ms": since(request.finished),
            }
            for request in self.requests
        ]
        return pa.Table.from_pylist(rows, schema=REQUESTS)


def _initiator(initiator: dict[str, Any]) -> str | None:
    """Which document, script or style sheet asked, as far as the browser says."""
    frames = initiator.get("stack", {}).get("callFrames", [])
    return initiator.get("url") or (frames[0]["url"] if frames else None) or initiator.get("type")


def _cache(response: dict[str, Any]) -> str | None:
    for flag, name in (
        ("fromServiceWorker", "service-worker"),
        ("fromPrefetchCache", "prefetch"),
        ("fromDiskCache", "disk"),
    ):
        if response.get(flag):
            return name
    return None
