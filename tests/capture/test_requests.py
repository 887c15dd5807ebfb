"""Network events become requests: redirects, caches, failures, sockets, limits."""

from __future__ import annotations

from typing import Any

from webgeist.capture.requests import REQUESTS, RequestLog


def sent(number: str, url: str, time: float = 1.0, **more: Any) -> tuple[str, dict[str, Any]]:
    params = {"requestId": number, "request": {"url": url, "method": "GET"}, "timestamp": time}
    return "Network.requestWillBeSent", {**params, "type": "Image", "frameId": "F", **more}


def answered(number: str, time: float = 2.0, **response: Any) -> tuple[str, dict[str, Any]]:
    said = {"url": "", "status": 200, "mimeType": "image/png", "headers": {}, **response}
    params = {"requestId": number, "response": said, "timestamp": time, "type": "Image"}
    return "Network.responseReceived", params


def finished(number: str, time: float = 3.0, size: float = 10) -> tuple[str, dict[str, Any]]:
    params = {"requestId": number, "timestamp": time, "encodedDataLength": size}
    return "Network.loadingFinished", params


def failed(number: str, error: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Network.loadingFailed", {
        "requestId": number,
        "timestamp": 3.0,
        "errorText": error,
        **more,
    }


def log_of(*events: tuple[str, dict[str, Any]], limit: int = 100) -> RequestLog:
    log = RequestLog(limit)
    for event in events:
        log.handle(*event)
    return log


def rows(log: RequestLog, start: float = 1.0) -> list[dict[str, Any]]:
    table = log.table(start)
    assert table.schema.equals(REQUESTS)
    found: list[dict[str, Any]] = table.to_pylist()
    return found


def test_a_request_is_told_from_start_to_end() -> None:
    log = log_of(
        sent("1", "http://h/i.png", 1.5, initiator={"type": "parser", "url": "http://h/"}),
        answered("1", 2.0, protocol="h2", remoteIPAddress="127.0.0.1"),
        finished("1", 2.25, 512),
    )
    assert rows(log) == [
        {
            "request": 0,
            "url": "http://h/i.png",
            "method": "GET",
            "type": "Image",
            "frame": "F",
            "initiator": "http://h/",
            "redirected_from": None,
            "status": 200,
            "mime_type": "image/png",
            "protocol": "h2",
            "address": "127.0.0.1",
            "cache": None,
            "error": None,
            "started_ms": 500.0,
            "answered_ms": 1000.0,
            "finished_ms": 1250.0,
            "bytes": 512,
            "exchange": None,
        }
    ]


def test_a_request_is_open_until_it_is_finished() -> None:
    log = log_of(sent("1", "http://h/a"), answered("1"))
    assert [request.url for request in log.open_requests()] == ["http://h/a"]
    log.handle(*finished("1"))
    assert log.open_requests() == []


def test_each_hop_of_a_redirect_chain_is_a_request() -> None:
    hop = {"status": 302, "encodedDataLength": 77, "headers": {}}
    log = log_of(
        sent("1", "http://h/a", 1.0),
        sent("1", "http://h/b", 1.1, redirectResponse=hop),
        sent("1", "http://h/c", 1.2, redirectResponse={**hop, "status": 307}),
        answered("1", 1.3),
        finished("1", 1.4),
    )
    told = [(r["url"], r["status"], r["redirected_from"], r["bytes"]) for r in rows(log)]
    assert told == [
        ("http://h/a", 302, None, 77),
        ("http://h/b", 307, 0, 77),
        ("http://h/c", 200, 1, 10),
    ]
    assert [row["finished_ms"] for row in rows(log)] == [100.0, 200.0, 400.0]
    assert log.open_requests() == []
    latest = log.get("1")
    assert latest is not None
    assert latest.url == "http://h/c"


def test_a_number_used_again_without_a_redirect_is_another_request() -> None:
    log = log_of(sent("1", "http://h/a"), finished("1"), sent("1", "http://h/b"))
    assert [row["redirected_from"] for row in rows(log)] == [None, None]


def test_what_came_from_a_cache_says_from_which() -> None:
    log = log_of(
        sent("1", "http://h/memory"),
        ("Network.requestServedFromCache", {"requestId": "1"}),
        answered("1"),
        sent("2", "http://h/disk"),
        answered("2", fromDiskCache=True),
        sent("3", "http://h/worker"),
        answered("3", fromServiceWorker=True, fromDiskCache=True),
        sent("4", "http://h/prefetch"),
        answered("4", fromPrefetchCache=True),
        sent("5", "http://h/net"),
        answered("5", fromDiskCache=False),
    )
    caches = [row["cache"] for row in rows(log)]
    assert caches == ["memory", "disk", "service-worker", "prefetch", None]


def test_a_failure_is_kept_with_its_reason() -> None:
    log = log_of(
        sent("1", "http://h/a"),
        failed("1", "net::ERR_FAILED"),
        sent("2", "http://h/b"),
        failed("2", "net::ERR_BLOCKED", blockedReason="csp"),
    )
    assert [row["error"] for row in rows(log)] == ["net::ERR_FAILED", "net::ERR_BLOCKED (csp)"]
    assert log.open_requests() == []


def test_a_web_socket_is_a_request_that_no_page_waits_for() -> None:
    socket = {"requestId": "W", "url": "ws://h/s", "initiator": {"type": "script"}}
    shake = {"requestId": "W", "timestamp": 4.0, "response": {"status": 101, "headers": {}}}
    log = log_of(
        sent("1", "http://h/", 3.0),
        finished("1"),
        ("Network.webSocketCreated", socket),
        ("Network.webSocketHandshakeResponseReceived", shake),
    )
    row = rows(log)[1]
    assert (row["url"], row["type"], row["status"]) == ("ws://h/s", "WebSocket", 101)
    assert row["initiator"] == "script"
    assert row["finished_ms"] is None
    assert log.open_requests() == []
    log.handle("Network.webSocketClosed", {"requestId": "W", "timestamp": 9.0})
    assert rows(log)[1]["finished_ms"] == 8000.0


def test_no_page_waits_for_what_stays_open() -> None:
    for kind in ("EventSource", "Ping", "Media", "Prefetch", "CSPViolationReport"):
        assert log_of(sent("1", "http://h/", type=kind)).open_requests() == []
    for kind in ("Document", "Image", "Fetch", "XHR", "Script", "Other"):
        assert len(log_of(sent("1", "http://h/", type=kind)).open_requests()) == 1


def test_what_a_request_is_may_show_in_its_answer() -> None:
    method, params = answered("1")
    log = log_of(sent("1", "http://h/", type="Fetch"), (method, {**params, "type": "EventSource"}))
    assert log.open_requests() == []


def test_beyond_the_limit_requests_are_counted_only() -> None:
    log = log_of(
        sent("1", "http://h/a"),
        sent("2", "http://h/b"),
        sent("3", "http://h/c"),
        answered("3"),
        finished("3"),
        limit=2,
    )
    assert log.dropped == 1
    assert [row["url"] for row in rows(log)] == ["http://h/a", "http://h/b"]
    assert [request.url for request in log.open_requests()] == ["http://h/a", "http://h/b"]


def test_events_of_unknown_requests_and_unknown_events_change_nothing() -> None:
    log = log_of(
        answered("9"),
        finished("9"),
        failed("9", "x"),
        ("Network.requestServedFromCache", {"requestId": "9"}),
        ("Network.dataReceived", {"requestId": "9"}),
    )
    assert rows(log) == []


def test_a_fragment_is_part_of_the_url_and_a_script_may_be_the_initiator() -> None:
    stack = {"callFrames": [{"url": "http://h/s.js"}]}
    log = log_of(
        sent(
            "1",
            "",
            request={"url": "http://h/", "urlFragment": "#top", "method": "POST"},
            initiator={"type": "script", "stack": stack},
        )
    )
    (row,) = rows(log)
    assert (row["url"], row["method"]) == ("http://h/#top", "POST")
    assert row["initiator"] == "http://h/s.js"
