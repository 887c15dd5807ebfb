"""Which exchange on the wire a request of the page is, and what that says of the page. Pure."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webgeist.capture.gate import plain_name
from webgeist.capture.outcome import Outcome, of_cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.requests import Request

_NEVER_SENT = ("(csp)", "(mixed-content)")
_NOT_CONNECTED = ("net::ERR_SOCKS_", "net::ERR_CERT_")  # what Chromium makes of our reasons
_BROKEN_OFF = "net::ERR_ABORTED"
_CONNECT = "CONNECT"
_PORTS = {"http": 80, "https": 443}
_WEB_SOCKET = re.compile(r"^ws(?=s?:)")
_USER = re.compile(r"(?<=://)[^/?#@]*@")

Key = tuple[str, str]
Place = tuple[str, int]


def link(requests: Sequence[Request], exchanges: Sequence[Exchange]) -> None:
    """Set `exchange` of each request: equal method and address, in the order of asking.

    What came from a cache, or with an answer that several waited for, has the exchange that
    brought its body. What a service worker answered has none; the worker's own requests have.
    """
    left: defaultdict[Key, deque[int]] = defaultdict(deque)
    for exchange in exchanges:
        left[exchange.method, exchange.url].append(exchange.number)
    latest: dict[Key, int] = {}
    for request in requests:
        key = request.method, wire_url(request.url)
        if request.cache == "service-worker" or _was_blocked(request):
            continue
        if request.cache is None and left[key]:
            latest[key] = left[key].popleft()
            request.exchange = latest[key]
        elif request.status is not None:
            request.exchange = latest.get(key)


def broken_off(requests: Sequence[Request], exchanges: Sequence[Exchange]) -> list[Exchange]:
    """The exchanges, with those that the page itself broke off marked as that.

    Chromium may keep the connection of a body that nobody reads any more for five seconds, in the
    hope to use it again: on the wire it looks as if the page's time was up while it was reading.
    """
    left = {each.exchange for each in requests if each.error == _BROKEN_OFF}
    return [
        replace(exchange, truncated="disconnect", error="the page broke it off")
        if exchange.truncated == "time" and exchange.number in left
        else exchange
        for exchange in exchanges
    ]


def wire_url(url: str) -> str:
    """An address as it looks on the wire: no fragment, no user, web sockets as HTTP."""
    return _USER.sub("", _WEB_SOCKET.sub("http", url.partition("#")[0]), count=1)


def _was_blocked(request: Request) -> bool:
    return request.error is not None and request.error.endswith(_NEVER_SENT)


class Traffic:
    """The exchanges of a page, as its requests look for them."""

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._numbered = {exchange.number: exchange for exchange in exchanges}
        self._connections: defaultdict[Place | None, list[Exchange]] = defaultdict(list)
        for exchange in exchanges:
            if exchange.method == _CONNECT:
                self._connections[place(exchange.url)].append(exchange)

    def of(self, request: Request) -> Exchange | None:
        """The exchange of a request; if it did not get to one, the connection that failed it."""
        if request.exchange is not None:
            return self._numbered[request.exchange]
        if not _was_not_connected(request):
            return None
        tried = self._connections[place(request.url)]
        return next((each for each in reversed(tried) if each.cause), None)

    def address(self, request: Request) -> str | None:
        """Who answered a request, where that is certain: a name may have led to two."""
        if request.exchange is not None:
            return self._numbered[request.exchange].address
        reached = {each.address for each in self._connections[place(request.url)]} - {None}
        return reached.pop() if len(reached) == 1 else None


def place(url: str) -> Place | None:
    """The host and port that an address leads to."""
    try:
        parts = urlsplit(wire_url(url))
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):  # it leads nowhere: data, blob, …
        return None
    return plain_name(parts.hostname or ""), port


def _was_not_connected(request: Request) -> bool:
    """No error is told of web sockets, and of others not always in time."""
    error = request.error
    return request.status is None and (error is None or error.startswith(_NOT_CONNECTED))


def withheld(document: Request | None, exchanges: Sequence[Exchange]) -> tuple[Outcome, str] | None:
    """What became of a page whose document has no answer but the recorder's own."""
    found = Traffic(exchanges).of(document) if document else None
    outcome = of_cause(found.cause) if found else None
    return (outcome, found.error) if found and found.status is None and outcome else None


def explain(requests: Sequence[Request], exchanges: Sequence[Exchange]) -> None:
    """Tell each request what only the recorder knows of it: the address that answered, and in place
    of Chromium's word for it why it was refused or not connected. An answer of the recorder's own,
    such as its 403, is none.
    """
    traffic = Traffic(exchanges)
    for request in requests:
        found = traffic.of(request)
        if found is not None and found.cause and found.status is None:
            request.error, request.status, request.mime_type = found.error, None, None
        if request.address is not None:  # Chromium knows that of our port
            request.address = traffic.address(request)
