"""What the cache of a browser's context may answer with: the exchanges that brought it there.

Chromium answers from its cache without a word on the wire. A capture is to be whole by itself all
the same: it gets a copy of the exchange that an earlier page of the same context had.
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from webgeist.capture.attribution import wire_url
from webgeist.capture.exchange import Body, Spool
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.requests import Request

    Key = tuple[str, str]

_BY_SCRIPTS = frozenset({"Fetch", "XHR"})  # they may have asked themselves whether it still holds
_PREFLIGHT = "OPTIONS"
_REMEMBERED = frozenset({"GET", "HEAD", _PREFLIGHT})
_PARTS = frozenset({HTTPStatus.NOT_MODIFIED, HTTPStatus.PARTIAL_CONTENT})  # no whole answers
_TO = b"location"
_MOST_HOPS = 20
_MOST_BYTES = 64 << 20


class Recall:
    """Remembers the whole answers that pages of one context had. Close it with the context."""

    def __init__(self) -> None:
        self._spool = Spool().open()
        self._known: dict[Key, Exchange] = {}
        self._bytes = 0
        self.full = False  # it could not remember everything: the context must not be used again

    def complete(self, requests: Sequence[Request], exchanges: list[Exchange]) -> None:
        """Add what the cache answered to a page's own exchanges, link it, and remember those."""
        own = {exchange.number: exchange for exchange in exchanges}
        added: dict[Key, Exchange] = {}
        for request in requests:
            key = request.method, wire_url(request.url)
            if not _was_cached(request, own):
                continue
            for hop in self._hops(key):  # what is in a page's memory is told as one request
                if hop not in added:
                    added[hop] = self._copy(hop, len(exchanges))
                    exchanges.append(added[hop])
                request.exchange = added[hop].number
        for key in self._preflights(requests, own.values()):
            exchanges.append(self._copy(key, len(exchanges)))
        self._remember(own.values())

    def close(self) -> None:
        for exchange in self._known.values():
            exchange.close()
        self._spool.close()

    def _hops(self, key: Key) -> Iterator[Key]:
        """An answer that is known, and those that it leads to."""
        for _ in range(_MOST_HOPS):
            known = self._known.get(key)
            if known is None:
                return
            yield key
            where = next((v for name, v in known.response_headers if name.lower() == _TO), None)
            url = resolve(key[1], where.decode("utf-8", "replace")) if where else None
            if url is None:
                return
            key = key[0], wire_url(url)

    def _copy(self, key: Key, number: int) -> Exchange:
        known = self._known[key]
        request_body, body = Body(self._spool), known.body.copy(self._spool)
        return replace(known, number=number, request_body=request_body, body=body, cached=True)

    def _preflights(self, requests: Iterable[Request], own: Iterable[Exchange]) -> list[Key]:
        """Permissions to ask another origin: Chromium says nothing of those that it remembers."""
        asked = {exchange.url for exchange in own if exchange.method == _PREFLIGHT}
        urls = dict.fromkeys(wire_url(request.url) for request in requests)
        keys = [(_PREFLIGHT, url) for url in urls if url not in asked]
        return [key for key in keys if key in self._known]

    def _remember(self, exchanges: Iterable[Exchange]) -> None:
        whole = [each for each in exchanges if each.method in _REMEMBERED and _is_whole(each)]
        self._bytes += sum(exchange.body.size for exchange in whole)
        if self._bytes > _MOST_BYTES:
            self.full = True
            return
        for exchange in whole:
            key = exchange.method, exchange.url
            if key in self._known:
                self._known.pop(key).close()
            kept = replace(
                exchange,
                request_body=Body(self._spool),
                body=exchange.body.copy(self._spool),
            )
            self._known[key] = kept


def _is_whole(exchange: Exchange) -> bool:
    answered = exchange.status is not None and exchange.status not in _PARTS
    return answered and not (exchange.truncated or exchange.error)


def _was_cached(request: Request, own: Mapping[int, Exchange]) -> bool:
    """Whether a page had what an earlier one was sent, perhaps after asking if it still holds."""
    if request.cache == "service-worker" or request.status is None:
        return False
    if request.exchange is None:
        return request.cache is not None
    if own[request.exchange].status != HTTPStatus.NOT_MODIFIED:
        return False
    return request.status != HTTPStatus.NOT_MODIFIED or request.type not in _BY_SCRIPTS
