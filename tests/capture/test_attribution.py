"""Requests of a page and exchanges on the wire: which is which."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture.attribution import link, wire_url, withheld
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
