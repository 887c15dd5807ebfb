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
from typing import TYPE_CHECKING

import h11

from webgeist.capture.heads import RequestHead, ResponseHead, for_origin, for_page, smuggles
from webgeist.capture.origin import BadTargetError, Origin, parse_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD_BYTES = 256 * 1024  # Chromium's own limit
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_SWITCHING = 101
_TOO_LONG = 431


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
        self._h11 = h11.Connection(h11.SERVER, HEAD_BYTES)
        self._head: bytearray | None = bytearray()  # of a request that has not come whole

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
        headers, upgrade = for_origin(tuple(event.headers.raw_items()), origin)
        return RequestHead(event.method.decode("ascii"), origin, target, headers, upgrade)

    def next_request(self) -> list[Event]:
        """Be ready for the next request; what has come of it already is told at once."""
        left = self._h11.trailing_data[0]
        self._h11 = h11.Connection(h11.SERVER, HEAD_BYTES)
        self._head = bytearray()
        return self.receive(left) if left else []

    @property
    def reusable(self) -> bool:
        return self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE

    @property
    def left_over(self) -> bytes:
        """What came after a request to switch protocols."""
        return self._h11.trailing_data[0]

    def answer(self, head: ResponseHead) -> bytes:
        """The head of an answer, framed as this browser's connection needs it."""
        return _sent(self._h11, h11.Response(
            status_code=head.status, reason=head.reason.encode("latin-1"),
            headers=list(for_page(head.headers)),
        ))  # fmt: skip

    def interim(self, head: ResponseHead) -> bytes:
        headers = for_page(head.headers, upgrade=head.status == _SWITCHING)
        return _sent(self._h11, h11.InformationalResponse(
            status_code=head.status, reason=head.reason.encode("latin-1"), headers=list(headers)
        ))  # fmt: skip

    def body(self, data: bytes) -> bytes:
        return _sent(self._h11, h11.Data(data=data))

    def end(self) -> bytes:
        return _sent(self._h11, h11.EndOfMessage())


class OriginSide:
    """The server's end of a connection, for one request and its answer."""

    def __init__(self) -> None:
        self._h11 = h11.Connection(h11.CLIENT, HEAD_BYTES)

    def ask(self, head: RequestHead) -> bytes:
        event = h11.Request(method=head.method, target=head.target, headers=list(head.headers))
        return _sent(self._h11, event)

    def body(self, data: bytes) -> bytes:
        return _sent(self._h11, h11.Data(data=data))

    def end(self) -> bytes:
        return _sent(self._h11, h11.EndOfMessage())

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
        done = self._h11.our_state is h11.DONE and self._h11.their_state is h11.DONE
        return done and self._h11.trailing_data == (b"", False)

    @property
    def left_over(self) -> bytes:
        """What came after the protocol was switched."""
        return self._h11.trailing_data[0]


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


def _sent(connection: h11.Connection, event: h11.Event) -> bytes:
    return connection.send(event) or b""
