"""What is known of a hop becomes an exchange that says what is missing of it."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange

from webgeist.capture.exchange import Body, Spool
from webgeist.capture.recorder.conclude import Connections, Taken, conclude, left, wants_body
from webgeist.capture.recorder.hops import Hop
from webgeist.capture.recorder.told import Answer, Head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.capture.exchange import Exchange, Headers

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
ABORTED = "net::ERR_ABORTED"
MISSING = Taken(None, "unspecified")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack
    close_bodies()


def make_hop(status: int | None = 200, headers: Headers = (), **more: Any) -> Hop:
    hop = Hop("1", more.pop("method", "GET"), more.pop("url", "http://h/"), (), b"", NOON, 1.0)
    if status is not None:
        hop.head = Head(status, "", headers)
        hop.asked = ((b"as", b"sent"),)
    hop.ended = 3.0
    for name, value in more.items():
        setattr(hop, name, value)
    return hop


def dialled(url: str = "http://h/", **more: Any) -> Exchange:
    return make_exchange(url, b"", method="CONNECT", **{"status": 200, **more})


def made(stack: ExitStack, hop: Hop, taken: Taken = MISSING, *tunnel: Exchange) -> Exchange:
    spool = Spool().open()
    stack.callback(spool.close)
    connections = Connections(tunnel)
    exchange = conclude(hop, taken, connections, number=7, spool=spool, latest=9.0)
    stack.callback(exchange.close)
    return exchange


def taken(data: bytes, missing: str = "") -> Taken:
    body = Body()
    body.write(data)
    return Taken(body, missing)


def test_a_whole_answer(stack: ExitStack) -> None:
    hop = make_hop(posted=b"sent")
    hop.answer = Answer(Head(200, "Fine", (), "HTTP/2"), cached=False, tls=None)
    exchange = made(stack, hop, taken(b"body"), dialled(address="192.0.2.1"))
    assert (exchange.number, exchange.status, exchange.reason) == (7, 200, "Fine")
    assert (exchange.version, exchange.seconds, exchange.started) == ("HTTP/2", 2.0, NOON)
    assert (exchange.body.read(), exchange.request_body.read()) == (b"body", b"sent")
    assert (exchange.truncated, exchange.error, exchange.cause) == ("", "", "")
    assert (exchange.request_headers, exchange.address) == (((b"as", b"sent"),), "192.0.2.1")


LENGTH_4 = ((b"Content-Length", b"4"),)
GZIP_4 = (*LENGTH_4, (b"Content-Encoding", b"gzip"))


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (ABORTED, ""),
        ("net::ERR_CONNECTION_RESET", "connection_terminated"),
        ("net::ERR_INCOMPLETE_CHUNKED_ENCODING", "http_protocol_error"),
    ],
)
def test_who_broke_an_answer_off(stack: ExitStack, error: str, cause: str) -> None:
    """The page has no cause that RFC 9209 knows."""
    exchange = made(stack, make_hop(error=error), taken(b"bo"))
    assert (exchange.truncated, exchange.cause) == ("disconnect", cause)


@pytest.mark.parametrize(
    ("hop", "data", "truncated", "error"),
    [
        (make_hop(), None, "unspecified", ""),
        (make_hop(headers=((b"content-length", b"0"),)), None, "", ""),
        (make_hop(204, error=ABORTED), None, "", ""),
        (make_hop(304), None, "", ""),
        (make_hop(method="HEAD", error=ABORTED), None, "", ""),
        (make_hop(ended=None), None, "time", "the page's time was up"),
        (make_hop(error=ABORTED), None, "disconnect", "the page broke it off"),
        (make_hop(error=ABORTED, headers=LENGTH_4), b"body", "", ""),
        (make_hop(error=ABORTED, headers=LENGTH_4), b"bo", "disconnect", "the page broke it off"),
        (make_hop(error=ABORTED, headers=GZIP_4), b"body", "disconnect", "the page broke it off"),
        (make_hop(error="net::ERR_X"), b"bo", "disconnect", "net::ERR_X"),
        (make_hop(302, followed=True), None, "unspecified", ""),
        (make_hop(302, ((b"content-length", b"0"),), followed=True), None, "", ""),
    ],
)
def test_what_is_not_whole(
    stack: ExitStack, hop: Hop, data: bytes | None, truncated: str, error: str
) -> None:
    exchange = made(stack, hop, MISSING if data is None else taken(data))
    assert (exchange.truncated, exchange.error) == (truncated, error)
    assert exchange.body.read() == (data or b"")


def test_a_body_that_was_cut_by_our_limit(stack: ExitStack) -> None:
    assert made(stack, make_hop(), taken(b"bo", "length")).truncated == "length"
    assert made(stack, make_hop(), Taken(None, "length")).truncated == "length"


def test_a_coded_body_is_marked_as_decoded(stack: ExitStack) -> None:
    assert made(stack, make_hop(headers=GZIP_4), taken(b"plain")).decoded
    assert not made(stack, make_hop(headers=GZIP_4, method="HEAD")).decoded
    assert not made(stack, make_hop(headers=LENGTH_4), taken(b"body")).decoded


def test_a_request_whose_body_is_not_told_says_so(stack: ExitStack) -> None:
    assert "request's body" in made(stack, make_hop(posted=None), taken(b"body")).error


def test_why_there_is_no_answer_is_told_by_the_tunnel(stack: ExitStack) -> None:
    refusal = dialled(status=None, error="no", refused="no", cause="destination_ip_prohibited")
    hop = make_hop(None, error="net::ERR_SOCKS_CONNECTION_FAILED")
    exchange = made(stack, hop, MISSING, dialled(), refusal)
    assert (exchange.status, exchange.truncated) == (None, "")
    assert (exchange.error, exchange.refused) == ("no", "no")
    assert exchange.cause == "destination_ip_prohibited"


@pytest.mark.parametrize(
    ("error", "cause", "problem"),
    [
        ("net::ERR_CERT_DATE_INVALID", "tls_certificate_error", "net::ERR_CERT_DATE_INVALID"),
        ("net::ERR_EMPTY_RESPONSE", "connection_terminated", None),
        ("net::ERR_INVALID_HTTP_RESPONSE", "http_protocol_error", None),
        ("net::ERR_TIMED_OUT", "connection_read_timeout", None),
        (ABORTED, "", None),
        ("Error during WebSocket handshake", "", None),
    ],
)
def test_why_there_is_no_answer_is_else_told_by_chromium(
    stack: ExitStack, error: str, cause: str, problem: str | None
) -> None:
    exchange = made(stack, make_hop(None, error=error), MISSING, dialled())
    assert (exchange.status, exchange.cause) == (None, cause)
    assert exchange.error == ("the page broke it off" if error == ABORTED else error)
    assert (exchange.tls.problem if exchange.tls else None) == problem


def test_what_had_no_answer_when_time_was_up(stack: ExitStack) -> None:
    exchange = made(stack, make_hop(None, ended=None))
    assert (exchange.error, exchange.seconds) == ("the page's time was up", 8.0)


def test_an_address_is_told_only_where_it_is_certain(stack: ExitStack) -> None:
    one, two = dialled(address="192.0.2.1"), dialled(address="192.0.2.2")
    elsewhere = dialled("http://h:81/", address="192.0.2.3")
    assert made(stack, make_hop(), MISSING, one, one, elsewhere).address == "192.0.2.1"
    assert made(stack, make_hop(), MISSING, one, two).address is None


@pytest.mark.parametrize(
    ("hop", "tunnel", "expected"),
    [
        (make_hop(), [], True),
        (make_hop(None, error="net::ERR_X"), [], False),  # as for a port that is not allowed
        (make_hop(None, error="net::ERR_X"), [{}], True),
        (make_hop(None, error="net::ERR_X", unsent=True), [{}], False),
        (make_hop(None, ended=None), [{}], False),  # it waits for its turn
        (make_hop(None, ended=None), [{"status": None}], True),
    ],
)
def test_what_left_the_browser(
    stack: ExitStack, hop: Hop, tunnel: list[dict[str, Any]], *, expected: bool
) -> None:
    assert left(hop, Connections([dialled(**each) for each in tunnel])) is expected


def test_a_body_is_wanted_of_what_has_one_and_came_over_the_wire() -> None:
    assert wants_body(make_hop())
    assert not wants_body(make_hop(None))
    assert not wants_body(make_hop(304))
    cached = Answer(Head(200, "", ()), cached=True, tls=None)
    assert not wants_body(make_hop(None, answer=cached, cached=True))
    assert wants_body(make_hop(answer=cached, cached=True))
