"""Which exchange on the wire a request of the page is, and what that says of the page. Pure."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from webgeist.capture.outcome import Outcome, of_cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.requests import Request

_NEVER_SENT = ("(csp)", "(mixed-content)")
_WEB_SOCKET = re.compile(r"^ws(?=s?:)")
_USER = re.compile(r"(?<=://)[^/?#@]*@")

Key = tuple[str, str]


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


def wire_url(url: str) -> str:
    """An address as it looks on the wire: no fragment, no user, web sockets as HTTP."""
    return _USER.sub("", _WEB_SOCKET.sub("http", url.partition("#")[0]), count=1)


def _was_blocked(request: Request) -> bool:
    return request.error is not None and request.error.endswith(_NEVER_SENT)


def withheld(document: Request | None, exchanges: Sequence[Exchange]) -> tuple[Outcome, str] | None:
    """What became of a page whose document has no answer but the recorder's own."""
    if document is None or document.exchange is None:
        return None
    found = next(each for each in exchanges if each.number == document.exchange)
    outcome = of_cause(found.cause)
    return (outcome, found.error) if found.status is None and outcome else None
