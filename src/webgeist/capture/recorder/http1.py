"""HTTP/1.1 as a proxy hears and speaks it, over h11. Pure: bytes in, events out, and back.

A `PageSide` listens to the browser and speaks to it as a server; an `OriginSide` asks a server and
listens to its answer. Both turn what comes into the same few events, however the bytes are cut
into pieces. What is no valid HTTP ends in a `Broken` event, never in an exception. Bodies come
without their chunks and leave in new ones; trailers are dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

import h11

from webgeist.capture.recorder.framing import Framing, of_answer, of_request, written_head
from webgeist.capture.recorder.heads import (
    RequestHead,
    ResponseHead,
    for_origin,
    for_page,
    smuggles,
)
from webgeist.capture.recorder.origin import BadTargetError, Origin, parse_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD_BYTES = 256 * 1024  # Chromium's own limit
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_SWITCHING = 101
_TOO_LONG = 431
_WITHOUT_BODY = frozenset({204, 304})
# A request that has not come whole, or wants no other after it.
_LAST = frozenset({h11.IDLE, h11.SEND_BODY, h11.MUST_CLOSE, h11.CLOSED, h11.ERROR})
_CLOSE = ((b"Connection", b"close"),)


class Mark(Enum):
    """Events that are nothing but their name."""

    END = "the message is over"
    CLOSED = "the connection is over, between two messages"


@dataclass(frozen=True)
class Broken:
    """What came is no valid HTTP, or stopped too early. Nothing comes after it."""

    cause: str  # an error type of RFC 9209
    sentence: str


@dataclass(frozen=True)
class Interim:
    """An answer before the answer (1xx)."""

    head: ResponseHead


_MARKS: dict[type, Mark] = {h11.EndOfMessage: Mark.END, h11.ConnectionClosed: Mark.CLOSED}

Event = RequestHead | ResponseHead | Interim | Broken | Mark | bytes


class PageSide:
    """The browser's end of a connection. `tunnel` is the origin that it was put through to; without
    one, each request names its own.
    """

    def __init__(self, tunnel: Origin | None = None) -> None:
        self._tunnel = tunnel
        self._restart()

    def _restart(self) -> None:
        self._h11 = h11.Connection(h11.SERVER, HEAD_BYTES)  # only to listen with
        self._head: bytearray | None = bytearray()  # of a request that has not come whole
        self._method = ""
        self._modern = False
        self._framing: Framing | None = None  # of an answer with a body
        self._closes = False
        self._answered = False

    @property
    def expects(self) -> bool:
        """Whether a head has begun and not ended."""
        return bool(self._head)

    def receive(self, data: bytes) -> list[Event]:
        """What `data` makes known; no bytes are the end of the connection."""
        if self._head is None:
            self._h11.receive_data(data)
            return self._events()
        self._head += data
        if not self._head:
            return [Mark.CLOSED]
        end = _HEAD_END.search(self._head, max(0, len(self._head) - len(data) - 3))
        if (end.end() if end else len(self._head)) > HEAD_BYTES:
            return [_bad_request(f"its head is longer than {HEAD_BYTES} bytes")]
        if end is not None:
            return self._read_head(end.end())
        return [] if data else [_bad_request("it ends within its head")]

    def _read_head(self, size: int) -> list[Event]:
        received, self._head = bytes(self._head or b""), None
        if complaint := smuggles(received[:size]):
            return [_bad_request(complaint)]
        self._h11.receive_data(received)
        return self._events()

    def _events(self) -> list[Event]:
        return _merged(_read(self._h11, "http_request_error", self._request))

    def _request(self, event: h11.Event) -> Event:
        assert isinstance(event, h11.Request)  # noqa: S101 - the only other event of a client
        if not event.http_version.startswith(b"1."):
            return _bad_request("only HTTP/1.1 is spoken here")
        try:
            origin, target = parse_target(event.target, self._tunnel)
        except BadTargetError as error:
            return _bad_request(str(error))
        self._method, self._modern = event.method.decode("ascii"), event.http_version == b"1.1"
        headers, upgrade = for_origin(tuple(event.headers.raw_items()), origin)
        return RequestHead(self._method, origin, target, headers, upgrade)

    def next_request(self) -> list[Event]:
        """Be ready for the next request; what has come of it already is told at once."""
        left = self.left_over
        self._restart()
        return self.receive(left) if left else []

    @property
    def reusable(self) -> bool:
        """Whether the connection may be asked again: the request came whole, the answer is out."""
        return self._answered and not self._closes

    @property
    def left_over(self) -> bytes:
        """What came after the request."""
        return self._h11.trailing_data[0]

    def answer(self, head: ResponseHead) -> bytes:
        """The head of an answer, framed as this browser's connection needs it."""
        headers = for_page(head.headers)
        self._closes = self._h11.their_state in _LAST
        if self._method != "HEAD" and head.status not in _WITHOUT_BODY:
            headers, self._framing = of_answer(headers, chunks=self._modern)
            self._closes = self._closes or self._framing.by_close
        return written_head(_status_line(head), (*headers, *(_CLOSE if self._closes else ())))

    def interim(self, head: ResponseHead) -> bytes:
        return written_head(
            _status_line(head), for_page(head.headers, upgrade=head.status == _SWITCHING)
        )

    def body(self, data: bytes) -> bytes:
        """Part of an answer's body; nothing where an answer has none."""
        return self._framing.body(data) if self._framing else b""

    def end(self) -> bytes:
        self._answered = True
        return self._framing.end() if self._framing else b""


class OriginSide:
    """The server's end of a connection, for one request and its answer."""

    def __init__(self) -> None:
        self._h11 = h11.Connection(h11.CLIENT, HEAD_BYTES)  # only to listen with
        self._framing = Framing(())
        self._asked = False

    def ask(self, head: RequestHead) -> bytes:
        self._h11.send(_like(head.method, upgrade=head.upgrade))
        self._h11.send(h11.EndOfMessage())
        self._framing = of_request(head)
        return written_head(b"%b %b HTTP/1.1" % (head.method.encode(), head.target), head.headers)

    def body(self, data: bytes) -> bytes:
        return self._framing.body(data)

    def end(self) -> bytes:
        self._asked = True
        return self._framing.end()

    def receive(self, data: bytes) -> list[Event]:
        """What `data` makes known; no bytes are the end of the connection."""
        self._h11.receive_data(data)
        state = self._h11.their_state
        if not data and state is h11.SEND_RESPONSE and not self.left_over:
            return [Broken("connection_terminated", "the server hung up without an answer")]
        cut = not data and state is h11.SEND_BODY
        cause = "http_response_incomplete" if cut else "http_protocol_error"
        return _merged(_read(self._h11, cause, _response))

    @property
    def reusable(self) -> bool:
        """Whether the connection may be asked again: all was said, and not a byte more."""
        done = self._asked and self._h11.their_state is h11.DONE
        return done and self._h11.trailing_data == (b"", False)

    @property
    def left_over(self) -> bytes:
        """What came after the protocol was switched."""
        return self._h11.trailing_data[0]


@lru_cache(64)
def _like(method: str, *, upgrade: bool) -> h11.Request:
    """All that matters of a request for how its answer is read."""
    headers = [(b"Host", b"h"), *([(b"Upgrade", b"websocket")] if upgrade else [])]
    return h11.Request(method=method, target=b"/", headers=headers)


def _response(event: h11.Event) -> Event:
    assert isinstance(event, h11.Response | h11.InformationalResponse)  # noqa: S101 - as above
    if not event.http_version.startswith(b"1."):
        return Broken(
            "http_protocol_error", f"HTTP/{event.http_version.decode()} is not spoken here"
        )
    head = ResponseHead(
        event.status_code,
        bytes(event.reason).decode("latin-1"),
        tuple(event.headers.raw_items()),
        f"HTTP/{event.http_version.decode('ascii')}",
    )
    return head if isinstance(event, h11.Response) else Interim(head)


def _read(
    connection: h11.Connection, cause: str, of_head: Callable[[h11.Event], Event]
) -> Iterator[Event]:
    """All events that can be told now, up to the end of the message."""
    heard = connection.their_state is h11.SEND_BODY
    try:
        while isinstance(event := connection.next_event(), h11.Event):
            told = _MARKS.get(type(event)) or (
                bytes(event.data) if isinstance(event, h11.Data) else of_head(event)
            )
            yield told
            if isinstance(told, Mark | Broken):
                return
    except h11.RemoteProtocolError as error:
        if error.error_status_hint == _TOO_LONG and cause == "http_protocol_error":
            part = "trailer" if heard else "header"
            cause = f"http_response_{part}_section_size"
        yield Broken(cause, str(error))


def _merged(events: Iterator[Event]) -> list[Event]:
    """Neighbouring pieces of a body as one: a piece costs the same whatever its size."""
    merged: list[Event] = []
    pieces: list[bytes] = []
    for event in events:
        if isinstance(event, bytes):
            pieces.append(event)
            continue
        if pieces:
            merged.append(b"".join(pieces))
            pieces = []
        merged.append(event)
    if pieces:
        merged.append(b"".join(pieces))
    return merged


def _bad_request(sentence: str) -> Broken:
    return Broken("http_request_error", sentence)


def _status_line(head: ResponseHead) -> bytes:
    return b"HTTP/1.1 %d %b" % (head.status, head.reason.encode("latin-1"))
