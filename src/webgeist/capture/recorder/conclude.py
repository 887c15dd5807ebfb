"""What was told of a hop, taken of its body and dialled for it, as an exchange. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.capture.attribution import place
from webgeist.capture.exchange import Body, Exchange, Tls
from webgeist.capture.outcome import Outcome, of_network_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.attribution import Place
    from webgeist.capture.exchange import Spool
    from webgeist.capture.recorder.hops import Hop
    from webgeist.capture.recorder.told import Head

_WITHOUT_BODY = frozenset({101, 204, 205, 304})
_ABORTED = "net::ERR_ABORTED"
_TIME_UP = "the page's time was up"
_UNTOLD = "Chromium does not tell the request's body"
_CAUSES = {
    Outcome.BAD_RESPONSE: "http_protocol_error",
    Outcome.CERTIFICATE: "tls_certificate_error",
    Outcome.CONNECTION: "connection_terminated",
    Outcome.REFUSED: "connection_refused",
    Outcome.TIMEOUT: "connection_read_timeout",
    Outcome.UNKNOWN_HOST: "dns_error",
}


@dataclass(frozen=True)
class Taken:
    """What could be had of a body. `missing` is WARC's word for why it is not all of it."""

    body: Body | None
    missing: str = ""


class Connections:
    """What a tunnel dialled for a page: how it went, by host and port."""

    def __init__(self, dialled: Sequence[Exchange]) -> None:
        self._at: defaultdict[Place | None, list[Exchange]] = defaultdict(list)
        for each in dialled:
            self._at[place(each.url)].append(each)

    def tried(self, url: str) -> bool:
        return bool(self._at[place(url)])

    def failure(self, url: str) -> Exchange | None:
        """Why there was none, if the last one failed."""
        last = self._at[place(url)][-1:]
        return last[0] if last and last[0].status is None else None

    def address(self, url: str) -> str | None:
        """Who was talked to, where that is certain: a name may have led to two."""
        reached = {each.address for each in self._at[place(url)]} - {None}
        return reached.pop() if len(reached) == 1 else None


def left(hop: Hop, connections: Connections) -> bool:
    """Whether a request left the browser. One without an answer did if somebody was dialled."""
    known = hop.on_wire
    if known is not None:
        return known
    waits = hop.ended is None  # for a connection, or for its turn
    return connections.failure(hop.url) is not None if waits else connections.tried(hop.url)


@dataclass(frozen=True)
class Ending:
    """How an exchange ended; each field means what it means in Exchange."""

    truncated: str = ""
    error: str = ""
    refused: str = ""
    cause: str = ""
    tls: Tls | None = None


def conclude(
    hop: Hop, taken: Taken, connections: Connections, *, number: int, spool: Spool, latest: float
) -> Exchange:
    """`latest` is the time of the last that was told, for what has no end."""
    got, answer = hop.got, hop.answer
    ending = _answered(hop, got, taken) if got else _unanswered(hop, connections)
    request_body = _written(hop.posted or b"", spool)
    ended = latest if hop.ended is None else hop.ended
    return Exchange(
        number=number,
        method=hop.method,
        url=hop.url,
        version=_version(hop),
        request_headers=hop.headers if hop.asked is None else hop.asked,
        request_body=request_body,
        started=hop.wall,
        seconds=max(0.0, ended - hop.began),
        status=got.status if got else None,
        reason=_reason(hop),
        response_headers=got.headers if got else (),
        body=taken.body or Body(spool),
        truncated=ending.truncated,
        error=ending.error or (_UNTOLD if hop.posted is None else ""),
        refused=ending.refused,
        cause=ending.cause,
        address=connections.address(hop.url),
        tls=answer.tls if answer else ending.tls,
        decoded=got is not None and got.coded and wants_body(hop),
    )


def _written(data: bytes, spool: Spool) -> Body:
    body = Body(spool)
    try:
        body.write(data)
    except BaseException:
        body.close()
        raise
    return body


def wants_body(hop: Hop) -> bool:
    """Whether its answer has a body that may be shown."""
    got = hop.got
    if got is None or hop.method == "HEAD" or (hop.cached and hop.head is None):
        return False
    return got.status not in _WITHOUT_BODY and got.value(b"content-length") != b"0"


def _answered(hop: Hop, got: Head, taken: Taken) -> Ending:
    if not wants_body(hop):
        return Ending()
    if hop.ended is None:
        return Ending("time", _TIME_UP)
    if hop.error and not _is_whole(got, taken):
        return Ending("disconnect", _sentence(hop), cause=_cause(hop))
    return Ending(taken.missing)


def _is_whole(got: Head, taken: Taken) -> bool:
    """What the page broke off may have come all the same."""
    if taken.body is None or got.coded:
        return False
    return got.value(b"content-length") == str(taken.body.size).encode()


def _unanswered(hop: Hop, connections: Connections) -> Ending:
    failure = connections.failure(hop.url)
    if failure is not None:
        return Ending("", failure.error, failure.refused, failure.cause)
    if hop.ended is None:
        return Ending("", _TIME_UP)
    cause = _cause(hop)
    tls = Tls(hop.error, "", "", "", "") if cause == "tls_certificate_error" else None
    return Ending("", _sentence(hop), "", cause, tls)


def _cause(hop: Hop) -> str:
    """What failed, where it was the network and not the page that broke it off."""
    if not hop.error.startswith("net::") or hop.error == _ABORTED:
        return ""
    return _CAUSES.get(of_network_error(hop.error), "")


def _sentence(hop: Hop) -> str:
    return "the page broke it off" if hop.error == _ABORTED else hop.error


def _version(hop: Hop) -> str:
    """Some heads come without; then the answer has it."""
    told = (hop.head, hop.answer.head if hop.answer else None)
    return next((head.version for head in told if head and head.version), "HTTP/1.1")


def _reason(hop: Hop) -> str:
    if hop.got is None:
        return ""
    same = hop.answer is not None and hop.answer.head.status == hop.got.status
    return hop.got.reason or (hop.answer.head.reason if hop.answer and same else "")
