"""Events in, hops out: in whatever order Chromium tells them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from webgeist.capture.recorder.hops import Hop, Hops

HTTP = {"status": 200, "statusText": "OK", "headers": {"a": "page"}, "protocol": "http/1.1"}


def sent(
    request: str = "1", url: str = "http://h/", time: float = 1.0, **more: Any
) -> tuple[str, dict[str, Any]]:
    said = {"url": url, "method": "GET", "headers": {"plan": "1"}} | more.pop("request", {})
    told = {"requestId": request, "request": said, "timestamp": time, "wallTime": 1000.0 + time}
    return "Network.requestWillBeSent", told | more


def redirected(url: str, *, wired: bool = True, **response: Any) -> tuple[str, dict[str, Any]]:
    answer = HTTP | {"status": 302} | response
    return sent(url=url, time=2.0, redirectResponse=answer, redirectHasExtraInfo=wired)


def asked(**headers: str) -> tuple[str, dict[str, Any]]:
    return "Network.requestWillBeSentExtraInfo", {"requestId": "1", "headers": headers}


def head(status: int = 200) -> tuple[str, dict[str, Any]]:
    told = {"requestId": "1", "statusCode": status, "headers": {"a": "wire"}}
    return "Network.responseReceivedExtraInfo", told


def received(*, wired: bool = True, **response: Any) -> tuple[str, dict[str, Any]]:
    told = {"requestId": "1", "response": HTTP | response, "hasExtraInfo": wired}
    return "Network.responseReceived", told | {"timestamp": 3.0}


def finished() -> tuple[str, dict[str, Any]]:
    return "Network.loadingFinished", {"requestId": "1", "timestamp": 4.0}


def failed(**more: Any) -> tuple[str, dict[str, Any]]:
    told = {"requestId": "1", "timestamp": 4.0, "errorText": "net::ERR_FAILED"}
    return "Network.loadingFailed", told | more


def hops_of(*events: tuple[str, dict[str, Any]], most: int = 100) -> Hops:
    hops = Hops(most)
    for event in events:
        hops.handle(*event)
    return hops


def only(*events: tuple[str, dict[str, Any]]) -> Hop:
    hops = hops_of(*events)
    hops.settle()
    (hop,) = hops.hops
    return hop


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_word_from_the_wire_may_come_at_any_time(order: tuple[int, ...]) -> None:
    events = [sent(), asked(cookie="c"), head(206)]
    hop = only(*(events[each] for each in order), received(), finished())
    assert hop.asked == ((b"cookie", b"c"),)
    assert hop.got is not None
    assert (hop.got.status, hop.got.headers) == (206, ((b"a", b"wire"),))
    assert (hop.began, hop.ended, hop.on_wire) == (1.0, 4.0, True)


def test_each_hop_of_a_redirect_has_its_own_word() -> None:
    hops = hops_of(
        sent(), asked(n="1"), asked(n="2"), head(302), redirected("http://h/b"), received()
    )
    assert not hops.settle()
    hops.handle(*head(404))
    assert hops.settle()
    first, second = hops.hops
    assert (first.url, first.asked, first.followed) == ("http://h/", ((b"n", b"1"),), True)
    assert (second.url, second.asked, second.followed) == ("http://h/b", ((b"n", b"2"),), False)
    assert [each.got.status for each in hops.hops if each.got] == [302, 404]


def test_a_hop_that_says_that_it_has_no_word_is_left_out_when_words_are_given() -> None:
    hops = hops_of(sent(), redirected("http://h/b", wired=False, fromDiskCache=True), asked(n="2"))
    hops.settle()
    first, second = hops.hops
    assert (first.asked, first.on_wire) == (None, False)
    assert (second.asked, second.on_wire) == (((b"n", b"2"),), True)


def test_what_a_cache_or_a_service_worker_answers_is_not_on_the_wire() -> None:
    cached = ("Network.requestServedFromCache", {"requestId": "1"})
    assert only(sent(), cached, received(wired=False)).on_wire is False
    assert only(sent(), received(wired=False, fromServiceWorker=True)).on_wire is False
    assert only(sent(), received(wired=False)).on_wire is True


@pytest.mark.parametrize(
    "why", [{"canceled": True}, {"blockedReason": "csp"}, {"corsErrorStatus": {"corsError": "x"}}]
)
def test_what_fails_for_no_matter_of_the_network_was_not_sent(why: dict[str, Any]) -> None:
    assert only(sent(), failed(**why)).on_wire is False
    assert only(sent(), asked(), failed(**why)).on_wire is True


def test_of_what_fails_otherwise_the_network_must_tell() -> None:
    hop = only(sent(), failed())
    assert (hop.on_wire, hop.error) == (None, "net::ERR_FAILED")


@pytest.mark.parametrize("url", ["data:text/plain,x", "blob:http://h/1", "about:blank", "file:///"])
def test_what_is_no_http_is_passed_over(url: str) -> None:
    assert hops_of(sent(url=url), received(), finished()).hops == []


def test_a_redirect_to_what_is_no_http_ends_there() -> None:
    hop = only(sent(), head(302), redirected("mailto:a@b"), failed())
    assert (hop.error, hop.ended, hop.followed) == ("", 2.0, True)


def test_addresses_are_those_of_the_wire() -> None:
    assert only(sent(url="http://me:secret@h/a#b")).url == "http://h/a"


def test_bodies_are_counted() -> None:
    data = ("Network.dataReceived", {"requestId": "1", "timestamp": 3.0, "dataLength": 5})
    ended = (
        "Network.loadingFinished",
        {"requestId": "1", "timestamp": 4.0, "encodedDataLength": 7.0},
    )
    hop = only(sent(), data, data, ended)
    assert (hop.received, hop.encoded) == (10, 7)


def test_beyond_the_limit_nothing_is_kept() -> None:
    hops = hops_of(sent("1"), sent("2"), sent("3"), most=2)
    assert [hop.request for hop in hops.hops] == ["1", "2"]
    assert hops.current("3") is None


def test_a_web_socket_is_its_handshake() -> None:
    shaking = {
        "requestId": "1",
        "timestamp": 2.0,
        "wallTime": 7.0,
        "request": {"headers": {"k": "v"}},
    }
    text = "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n"
    shaken = {"requestId": "1", "timestamp": 3.0}
    hop = only(
        ("Network.webSocketCreated", {"requestId": "1", "url": "wss://h/s"}),
        ("Network.webSocketWillSendHandshakeRequest", shaking),
        (
            "Network.webSocketHandshakeResponseReceived",
            shaken | {"response": {"status": 101, "headers": {}, "headersText": text}},
        ),
        ("Network.webSocketFrameError", {"requestId": "1", "timestamp": 9.0, "errorMessage": "late"}),
    )  # fmt: skip
    assert (hop.url, hop.method, hop.asked) == ("https://h/s", "GET", ((b"k", b"v"),))
    assert hop.got is not None
    assert (hop.got.status, hop.got.headers) == (101, ((b"Upgrade", b"websocket"),))
    assert (hop.began, hop.ended, hop.error, hop.on_wire) == (2.0, 3.0, "", True)


def test_a_web_socket_that_is_refused() -> None:
    hop = only(
        ("Network.webSocketCreated", {"requestId": "1", "url": "ws://h/s"}),
        ("Network.webSocketFrameError", {"requestId": "1", "timestamp": 9.0, "errorMessage": "403"}),
    )  # fmt: skip
    assert (hop.error, hop.ended, hop.got, hop.on_wire) == ("403", 9.0, None, None)


def test_a_download_is_a_hop_only_where_nothing_else_tells_of_it() -> None:
    download = ("Page.downloadWillBegin", {"guid": "g", "url": "http://h/file#x"})
    hops = hops_of(sent(), download)
    assert [hop.url for hop in hops.hops] == ["http://h/", "http://h/file"]
    assert hops.hops[1].wall == hops.hops[0].wall
    assert len(hops_of(sent(url="http://h/file"), download).hops) == 1


def test_events_of_unknown_requests_are_no_harm() -> None:
    hops = hops_of(received(), finished(), failed(), head(), asked(), ("Page.loadEventFired", {}))
    assert hops.hops == []
    assert hops.settle()
