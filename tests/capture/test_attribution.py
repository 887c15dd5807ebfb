"""Requests of a page and exchanges on the wire: which is which."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture.attribution import broken_off, explain, link, place, wire_url, withheld
from webgeist.capture.exchange import Body, Exchange, Spool
from webgeist.capture.outcome import Outcome
from webgeist.capture.requests import Request

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def spool() -> Iterator[Spool]:
    held = Spool().open()
    yield held
    held.close()


class Wire:
    def __init__(self, spool: Spool) -> None:
        self._spool = spool

    def __call__(self, *asked: str, **more: Any) -> list[Exchange]:
        """Exchanges for addresses, or for `METHOD address`."""
        return [self._one(number, *ask.split(" "), **more) for number, ask in enumerate(asked)]

    def _one(self, number: int, *words: str, **more: Any) -> Exchange:
        method, url = words if len(words) > 1 else ("GET", words[0])
        return Exchange(
            **{
                "number": number, "method": method, "url": url, "version": "HTTP/1.1",
                "request_headers": (), "request_body": Body(self._spool),
                "started": datetime.now(UTC), "seconds": 0.1, "status": 200, "reason": "",
                "response_headers": (), "body": Body(self._spool), **more,
            }
        )  # fmt: skip


@pytest.fixture
def wire(spool: Spool) -> Wire:
    return Wire(spool)


def asked(url: str, method: str = "GET", status: int | None = 200, **more: Any) -> Request:
    return Request(0, url, method, "Fetch", "F", None, None, 0.0, status=status, **more)


def linked(requests: list[Request], exchanges: list[Exchange]) -> list[int | None]:
    link(requests, exchanges)
    for exchange in exchanges:
        exchange.close()
    return [request.exchange for request in requests]


def test_method_and_address_tell_which(wire: Wire) -> None:
    requests = [asked("http://h/b"), asked("http://h/a", "POST"), asked("http://h/a")]
    exchanges = wire("http://h/a", "http://h/b", "POST http://h/a", "http://h/never-told")
    assert linked(requests, exchanges) == [1, 2, 0]


def test_equal_requests_are_linked_in_their_order(wire: Wire) -> None:
    requests = [asked("http://h/a"), asked("http://h/a"), asked("http://h/a")]
    assert linked(requests, wire("http://h/a", "http://h/a", "http://h/a")) == [0, 1, 2]


@pytest.mark.parametrize("cache", ["memory", "disk", "prefetch"])
def test_a_cache_hit_has_the_exchange_that_brought_the_body(wire: Wire, cache: str) -> None:
    requests = [
        asked("http://h/a"),
        asked("http://h/a", cache=cache),
        asked("http://h/a"),
        asked("http://h/a", cache=cache),
        asked("http://h/other", cache=cache),
    ]
    assert linked(requests, wire("http://h/a", "http://h/a")) == [0, 0, 1, 1, None]


def test_an_answer_that_several_waited_for_is_the_answer_to_all(wire: Wire) -> None:
    requests = [asked("http://h/a"), asked("http://h/a"), asked("http://h/a", status=None)]
    assert linked(requests, wire("http://h/a")) == [0, 0, None]


def test_a_service_workers_answer_took_no_exchange(wire: Wire) -> None:
    requests = [asked("http://h/a", cache="service-worker"), asked("http://h/a")]
    assert linked(requests, wire("http://h/a")) == [None, 0]


def test_what_was_never_sent_took_no_exchange(wire: Wire) -> None:
    blocked = asked("http://h/a", status=None, error="net::ERR_BLOCKED_BY_CSP (csp)")
    assert linked([blocked, asked("http://h/a")], wire("http://h/a")) == [None, 0]


@pytest.mark.parametrize(
    ("url", "on_wire"),
    [
        ("http://h/a#b?c", "http://h/a"),
        ("ws://h/a", "http://h/a"),
        ("wss://h/a", "https://h/a"),
        ("http://user:pass@h/a@b", "http://h/a@b"),
        ("http://h/ws://x", "http://h/ws://x"),
    ],
)
def test_addresses_as_they_look_on_the_wire(url: str, on_wire: str) -> None:
    assert wire_url(url) == on_wire


def test_a_document_without_an_answer_is_an_outcome(wire: Wire) -> None:
    refused = {"status": None, "error": "it is private", "cause": "destination_ip_prohibited"}
    exchanges = wire("http://h/", **refused)
    document = asked("http://h/", status=403)
    assert withheld(document, exchanges) is None  # not linked
    link([document], exchanges)
    assert withheld(document, exchanges) == (Outcome.WITHHELD, "it is private")
    exchanges[0].close()


@pytest.mark.parametrize(
    "more",
    [
        {"status": 200},
        {"status": 502, "cause": "http_response_incomplete", "error": "cut"},
        {"status": None, "error": "the page broke it off"},
    ],
)
def test_a_document_with_an_answer_of_its_own_is_judged_elsewhere(
    wire: Wire, more: dict[str, Any]
) -> None:
    exchanges = wire("http://h/", **more)
    document = asked("http://h/")
    link([document], exchanges)
    assert withheld(document, exchanges) is None
    assert withheld(None, exchanges) is None
    exchanges[0].close()


REFUSED = {
    "status": None, "error": "it is private", "refused": "it is private",
    "cause": "destination_ip_prohibited",
}  # fmt: skip
FAILED = {"status": None, "error": "h: no such name", "cause": "dns_error"}
SOCKS = "net::ERR_SOCKS_CONNECTION_FAILED"


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("http://H.example/a", ("h.example", 80)),
        ("https://h.example./", ("h.example", 443)),
        ("ws://u:p@h:8080/", ("h", 8080)),
        ("wss://h/", ("h", 443)),
        ("http://[::FFFF:7f00:1]:81/", ("::ffff:7f00:1", 81)),
        ("data:text/html,x", None),
        ("blob:http://h/1", None),
        ("http://h:99999/", None),
        ("http://[h/", None),
    ],
)
def test_where_an_address_leads(url: str, where: tuple[str, int] | None) -> None:
    assert place(url) == where


@pytest.mark.parametrize(
    ("failure", "outcome", "reason"),
    [
        (REFUSED, Outcome.WITHHELD, "it is private"),
        (FAILED, Outcome.UNKNOWN_HOST, "h: no such name"),
        ({"status": None, "error": "e", "cause": "connection_refused"}, Outcome.REFUSED, "e"),
        ({"status": None, "error": "e", "cause": "connection_timeout"}, Outcome.TIMEOUT, "e"),
    ],
)
def test_a_document_that_was_not_connected_fails_as_its_connection(
    wire: Wire, failure: dict[str, Any], outcome: Outcome, reason: str
) -> None:
    exchanges = wire("CONNECT http://h/", "CONNECT http://other/", **failure)
    for error in (SOCKS, None):  # the event of its failure may come too late
        document = asked("http://h/page", status=None, error=error)
        link([document], exchanges)
        assert document.exchange is None
        assert withheld(document, exchanges) == (outcome, reason)
    assert withheld(asked("https://h/page", status=None, error=SOCKS), exchanges) is None
    for exchange in exchanges:
        exchange.close()


@pytest.mark.parametrize(
    "document",
    [
        asked("http://h/"),  # it had an answer
        asked("http://h/", status=None, error="net::ERR_CONNECTION_RESET"),
        asked("http://h:81/", status=None, error=SOCKS),
    ],
)
def test_a_failed_connection_is_no_excuse_for_others(wire: Wire, document: Request) -> None:
    exchanges = wire("CONNECT http://h/", **REFUSED)
    assert withheld(document, exchanges) is None
    exchanges[0].close()


def explained(requests: list[Request], exchanges: list[Exchange]) -> list[str | None]:
    link(requests, exchanges)
    explain(requests, exchanges)
    for exchange in exchanges:
        exchange.close()
    return [request.error for request in requests]


def test_requests_say_why_they_were_refused(wire: Wire) -> None:
    """By the recording proxy: the request has an exchange, and an answer of our own."""
    requests = [asked("http://h/a", status=403), asked("http://h/b", status=None, error="net::X")]
    assert explained(requests, wire("http://h/a", "http://h/b", **REFUSED)) == ["it is private"] * 2
    assert [request.exchange for request in requests] == [0, 1]
    assert [request.status for request in requests] == [None, None]


@pytest.mark.parametrize("more", [{}, {"cause": "http_response_incomplete", "error": "cut"}])
def test_a_servers_own_refusal_stays_its_own(wire: Wire, more: dict[str, Any]) -> None:
    """Also one that broke off: what came of it came from the server."""
    request = asked("http://h/a", status=403, mime_type="text/html")
    assert explained([request], wire("http://h/a", status=403, **more)) == [None]
    assert (request.status, request.mime_type) == (403, "text/html")


def test_requests_say_why_they_were_not_connected(wire: Wire) -> None:
    """By the tunnel: there is only the connection that failed."""
    socket = asked("ws://h/", status=None)
    pending, fine = asked("http://slow/", status=None), asked("http://fine/")
    cut = asked("http://h/", status=None, error="net::ERR_ABORTED")
    requests = [asked("http://h/a", status=None, error=SOCKS), socket, pending, fine, cut]
    told = explained(requests, wire("CONNECT http://h/", "CONNECT http://h/", **FAILED))
    assert told == ["h: no such name"] * 2 + [None, None, "net::ERR_ABORTED"]
    assert {request.exchange for request in requests} == {None}


def test_what_ended_with_the_page_has_no_error(wire: Wire) -> None:
    """A connection that was being made when the page's time was up has failed nobody."""
    requests = [asked("http://h/", status=None)]
    cut = {"status": None, "error": "the page's time was up"}
    assert explained(requests, wire("CONNECT http://h/", **cut)) == [None]


def test_what_the_page_broke_off_says_so_though_its_connection_was_still_open(wire: Wire) -> None:
    requests = [
        asked("http://h/a", error="net::ERR_ABORTED"),
        asked("http://h/b"),
        asked("http://h/c", error="net::ERR_FAILED"),
    ]
    late = wire("http://h/a", "http://h/b", "http://h/c", truncated="time", error="time was up")
    linked(requests, late)
    told = [(each.truncated, each.error) for each in broken_off(requests, late)]
    assert told == [("disconnect", "the page broke it off"), *[("time", "time was up")] * 2]


def test_an_answer_of_the_recorders_own_is_none(wire: Wire) -> None:
    request = asked("http://h/a", status=502, mime_type="text/plain")
    assert explained([request], wire("http://h/a", **FAILED)) == ["h: no such name"]
    assert (request.status, request.mime_type) == (None, None)


def test_addresses_are_those_of_servers(wire: Wire) -> None:
    """Chromium knows only the address of the proxy's port."""
    requests = [asked("http://h/a", address="127.0.0.1") for _ in range(2)]
    explained(requests, wire("http://h/a", address="192.0.2.7"))
    assert [request.address for request in requests] == ["192.0.2.7"] * 2
    through, cached = asked("http://h/a", address="127.0.0.1"), asked("http://h/a")
    explained(
        [through, cached], wire("CONNECT http://h/", "CONNECT http://h/", address="192.0.2.7")
    )
    assert (through.address, cached.address) == ("192.0.2.7", None)


def test_an_address_that_is_not_certain_is_not_told(wire: Wire) -> None:
    one, two = wire("CONNECT http://h/", "CONNECT http://h/")
    moved = [replace(one, address="192.0.2.7"), replace(two, address="192.0.2.8")]
    request = asked("http://h/a", address="127.0.0.1")
    explained([request], moved)
    assert request.address is None
