"""HTTP/1.1 on both sides: however bytes are cut, the same is heard; what is wrong is told as such."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webgeist.capture.recorder.heads import RequestHead, ResponseHead
from webgeist.capture.recorder.http1 import (
    HEAD_BYTES,
    Broken,
    Event,
    Interim,
    Mark,
    OriginSide,
    PageSide,
)
from webgeist.capture.recorder.origin import Origin

ORIGIN = Origin("http", "h", 80)
TUNNEL = Origin("https", "h", 443)
GET = RequestHead("GET", ORIGIN, b"/", ((b"Host", b"h"),))
OK = ResponseHead(200, "OK", ((b"Content-Length", b"5"),))


def told(side: PageSide | OriginSide, pieces: list[bytes]) -> list[Event]:
    """All events, with what belongs to one body joined."""
    events: list[Event] = []
    for piece in pieces:
        for event in side.receive(piece):
            if isinstance(event, bytes) and events and isinstance(events[-1], bytes):
                events[-1] += event
            else:
                events.append(event)
            if isinstance(event, Broken):
                return events
    return events


def heard(side: PageSide | OriginSide, pieces: list[bytes]) -> list[Event | str]:
    """All events; of a broken one its cause, since its sentence quotes what came so far."""
    return [e.cause if isinstance(e, Broken) else e for e in told(side, pieces)]


def cut(whole: bytes, places: list[int]) -> list[bytes]:
    """`whole` in pieces; none is empty, since no bytes mean the end."""
    edges = sorted({0, len(whole), *(place % (len(whole) + 1) for place in places)})
    return [whole[a:b] for a, b in pairwise(edges)]


def post(*lines: bytes, body: bytes = b"", target: bytes = b"http://h/x") -> bytes:
    return b"\r\n".join((b"POST " + target + b" HTTP/1.1", b"Host: h", *lines, b"", b"")) + body


def chunked(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (*pieces, b""))


PLACES = st.lists(st.integers(0, 10_000), max_size=12)
REQUESTS = [
    b"GET http://h/x?y HTTP/1.1\r\nHost: h\r\nProxy-Connection: keep-alive\r\n\r\n",
    post(b"Content-Length: 11", body=b"hello world"),
    post(b"Transfer-Encoding: chunked", body=chunked(b"hello", b" ", b"world")),
    b"GARBAGE\r\n\r\n",
    post(b"Content-Length: 5", b"Transfer-Encoding: chunked", body=chunked(b"hello")),
    post(b"Transfer-Encoding: chunked", body=b"zz\r\nhello"),
    b"GET http://h/ HTTP/1.1\nHost: h\n\n",
]
RESPONSES = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(b"hello", b"world"),
    b"HTTP/1.0 404 No\r\n\r\nuntil the end",
    b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello world\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf",
    b"220 mail.example ESMTP\r\n\r\n",
]


@given(st.sampled_from(REQUESTS), PLACES)
def test_a_request_is_heard_the_same_however_it_is_cut(whole: bytes, places: list[int]) -> None:
    assert heard(PageSide(), cut(whole, places)) == heard(PageSide(), [whole])


@given(st.sampled_from(RESPONSES), PLACES)
def test_an_answer_is_heard_the_same_however_it_is_cut(whole: bytes, places: list[int]) -> None:
    assert heard(asked(), [*cut(whole, places), b""]) == heard(asked(), [whole, b""])


@given(st.binary(min_size=1, max_size=400), PLACES)
@example(b"\r\n\r\n", [])
@example(b"\n\n", [1])
@example(b"GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n\r\n\r\n", [])
def test_nothing_that_is_sent_can_break_us(rubbish: bytes, places: list[int]) -> None:
    """Whatever comes is told as events, on both sides."""
    for side in (PageSide(), PageSide(TUNNEL), asked()):
        assert isinstance(told(side, [*cut(rubbish, places), b""]), list)


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=8), PLACES, st.booleans())
def test_a_body_goes_through_unchanged(pieces: list[bytes], places: list[int], sized: bool) -> None:
    """From a server through both sides to a client that reads with the same eyes."""
    body = b"".join(pieces)
    framing = b"Content-Length: %d" % len(body) if sized else b"Transfer-Encoding: chunked"
    sent = b"HTTP/1.1 200 OK\r\n" + framing + b"\r\n\r\n" + (body if sized else chunked(*pieces))
    origin, page = asked(), hearing(b"GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n")
    out = []
    for piece in cut(sent, places):
        for event in origin.receive(piece):
            if isinstance(event, ResponseHead):
                out.append(page.answer(event))
            else:
                out.append(page.body(event) if isinstance(event, bytes) else page.end())
    reader = asked()
    head, *rest = told(reader, [b"".join(out)])
    assert isinstance(head, ResponseHead)
    assert rest == ([body] if body else []) + [Mark.END]
    assert origin.reusable
    assert page.reusable
    assert reader.reusable


def asked(head: RequestHead = GET) -> OriginSide:
    side = OriginSide()
    side.ask(head)
    side.end()
    return side


def hearing(request: bytes) -> PageSide:
    side = PageSide()
    assert side.receive(request)[-1] is Mark.END
    return side


def test_a_request_is_told_with_its_body() -> None:
    assert told(PageSide(), [REQUESTS[2]]) == [
        RequestHead(
            "POST",
            ORIGIN,
            b"/x",
            ((b"Host", b"h"), (b"Transfer-Encoding", b"chunked")),
        ),
        b"helloworld".replace(b"ow", b"o w"),
        Mark.END,
    ]


def test_a_tunnel_knows_where_it_leads() -> None:
    side = PageSide(TUNNEL)
    head, end = side.receive(b"GET /a?b HTTP/1.1\r\nHost: other\r\n\r\n")
    assert isinstance(head, RequestHead)
    assert (head.url, head.headers) == ("https://h/a?b", ((b"Host", b"h"),))
    assert end is Mark.END


def broken(side: PageSide | OriginSide, *pieces: bytes) -> Broken:
    last = told(side, list(pieces))[-1]
    assert isinstance(last, Broken), last
    return last


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", "NUL"),
        (b"NONSENSE\r\n\r\n", "illegal request line"),
        (b"GET http://h/ HTTP/9.9\r\nHost: h\r\n\r\n", "only HTTP/1.1"),
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", "this is a proxy"),
        (b"GET https://h/ HTTP/1.1\r\nHost: h\r\n\r\n", "this is a proxy"),
        (b"CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", "this is a proxy"),
        (b"GET http://u:p@h/ HTTP/1.1\r\nHost: h\r\n\r\n", "no host and port"),
        (b"GET http://h/ HTTP/1.1\r\n\r\n", "Missing mandatory Host"),
        (b"GET http://h/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "multiple Host"),
        (b"GET http://h/ HTTP/1.1\r\nHost: h\r\nBad Name: x\r\n\r\n", "illegal header line"),
        (b"GET http://h/ HTTP/1.1\r\nHost : h\r\n\r\n", "illegal header line"),
        (post(b"Content-Length: 5", b"Content-Length: 5"), "twice"),
        (post(b"Content-Length: 5", b"Transfer-Encoding: chunked"), "twice"),
        (post(b"Transfer-Encoding: gzip, chunked"), "Only Transfer-Encoding: chunked"),
        (post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"), "multiple Transfer"),
        (post(b"X: a", b" b"), "next line"),
        (post(b"Transfer-Encoding: chunked", body=b"5;x\nhello"), ""),
        (post(b"Transfer-Encoding: chunked", body=b"-5\r\nhello\r\n"), "chunk header"),
        (post(b"Transfer-Encoding: chunked", body=b"5\r\nhelloXX0\r\n\r\n"), "chunk footer"),
        (post(b"Transfer-Encoding: chunked", body=b"f" * 30 + b"\r\n"), "chunk header"),
    ],
)
def test_requests_that_are_refused(request_: bytes, words: str) -> None:
    found = broken(PageSide(), request_, b"")
    assert found.cause == "http_request_error"
    assert words in found.sentence


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (b"GET http://h/ HT", "ends within its head"),
        (post(b"Content-Length: 5", body=b"hel"), "closed"),
        (post(b"Transfer-Encoding: chunked", body=b"5\r\nhel"), "closed"),
    ],
)
def test_half_a_request_is_no_request(request_: bytes, words: str) -> None:
    assert words in broken(PageSide(), request_, b"").sentence


def test_an_endless_head_is_cut() -> None:
    line = b"X-More: and more\r\n" * 100
    side = PageSide()
    assert side.receive(b"GET http://h/ HTTP/1.1\r\n") == []
    for _ in range(HEAD_BYTES // len(line)):
        assert side.receive(line) == []
    assert str(HEAD_BYTES) in broken(side, line).sentence


def test_a_long_head_in_one_piece_is_cut_too() -> None:
    long = b"GET http://h/ HTTP/1.1\r\nHost: h\r\nX: " + b"x" * HEAD_BYTES + b"\r\n\r\n"
    assert broken(PageSide(), long).cause == "http_request_error"


def test_a_body_behind_a_head_does_not_count_as_head() -> None:
    body = b"x" * (2 * HEAD_BYTES)
    events = told(PageSide(), [post(b"Content-Length: %d" % len(body), body=body)])
    assert events[1:] == [body, Mark.END]


def test_a_browser_that_leaves_between_requests_is_no_error() -> None:
    assert PageSide().receive(b"") == [Mark.CLOSED]


def test_a_head_that_has_begun_is_expected_to_end() -> None:
    side, expected = PageSide(), []
    for piece in (b"GET ", b"http://h/ HTTP/1.1\r\nHost: h\r\n", b"\r\n"):
        side.receive(piece)
        expected.append(side.expects)
    assert expected == [True, True, False]


def test_a_connection_is_used_again() -> None:
    request = b"GET http://h/%d HTTP/1.1\r\nHost: h\r\n\r\n"
    side = hearing(request % 1)
    for number in (2, 3):
        assert side.answer(OK).startswith(b"HTTP/1.1 200 OK\r\n")
        assert side.body(b"hello") == b"hello"
        side.end()
        assert side.reusable
        assert side.next_request() == []
        head, _ = side.receive(request % number)
        assert isinstance(head, RequestHead)
        assert head.target == b"/%d" % number


def test_a_request_that_came_early_waits_its_turn() -> None:
    side = PageSide()
    request = b"GET http://h/%d HTTP/1.1\r\nHost: h\r\n\r\n"
    events = side.receive(request % 1 + request % 2)
    assert [type(event) for event in events] == [RequestHead, Mark]
    side.answer(ResponseHead(204, "", ()))
    side.end()
    head, _ = side.next_request()
    assert isinstance(head, RequestHead)
    assert head.target == b"/2"


@pytest.mark.parametrize(
    "request_",
    [
        b"GET http://h/ HTTP/1.0\r\nHost: h\r\n\r\n",
        b"GET http://h/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    ],
)
def test_a_connection_that_shall_end_ends(request_: bytes) -> None:
    side = hearing(request_)
    assert b"Connection: close" in side.answer(OK)
    side.body(b"hello")
    side.end()
    assert not side.reusable


def test_an_answer_without_a_length_is_sent_in_chunks() -> None:
    side = hearing(b"GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n")
    assert b"Transfer-Encoding: chunked" in side.answer(ResponseHead(200, "OK", ()))
    assert side.body(b"hello") == b"5\r\nhello\r\n"
    assert side.end() == b"0\r\n\r\n"
    assert side.reusable


def test_a_bad_request_can_be_answered() -> None:
    side = PageSide()
    side.receive(b"NONSENSE\r\n\r\n")
    assert b"400" in side.answer(ResponseHead(400, "Bad", ((b"Content-Length", b"0"),)))
    side.end()
    assert not side.reusable


def test_an_answer_is_told_as_it_came() -> None:
    sent = b"HTTP/1.0 200 Fine by me\r\nSet-Cookie: a\r\nX-caSe: caf\xe9\r\nset-cookie: b\r\n\r\n"
    head, end = told(asked(), [sent, b""])
    headers = ((b"Set-Cookie", b"a"), (b"X-caSe", b"caf\xe9"), (b"set-cookie", b"b"))
    assert head == ResponseHead(200, "Fine by me", headers, "HTTP/1.0")
    assert end is Mark.END


@pytest.mark.parametrize(
    ("sent", "cause"),
    [
        (b"", "connection_terminated"),
        (b"HTTP/1.1 200 O", "http_protocol_error"),
        (b"<!doctype html><p>Hello", "http_protocol_error"),
        (b"HTTP/9.9 200 OK\r\n\r\n", "http_protocol_error"),
        (b"HTTP/1.1 OK\r\n\r\n", "http_protocol_error"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "http_protocol_error"),
        (b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", "http_protocol_error"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "http_protocol_error"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "http_response_incomplete"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "http_response_incomplete"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * HEAD_BYTES, "http_response_header_section_size"),
    ],
)  # fmt: skip
def test_answers_that_are_none(sent: bytes, cause: str) -> None:
    found = broken(asked(), *([sent] if sent else []), b"")
    assert found.cause == cause
    assert found.sentence


def test_what_came_before_it_broke_is_kept() -> None:
    head, body, error = told(asked(), [RESPONSES[4]])
    assert isinstance(head, ResponseHead)
    assert body == b"hello"
    assert isinstance(error, Broken)


@pytest.mark.parametrize("extra", [b"x", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_says_more_is_not_asked_again(extra: bytes) -> None:
    side = asked()
    assert told(side, [b"HTTP/1.1 204 No\r\n\r\n" + extra])[-1] is Mark.END
    assert not side.reusable


def test_a_server_that_wants_to_close_is_not_asked_again() -> None:
    side = asked()
    told(side, [b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"])
    assert not side.reusable


def test_a_server_that_answers_too_early_is_not_asked_again() -> None:
    side = OriginSide()
    side.ask(RequestHead("POST", ORIGIN, b"/", ((b"Host", b"h"), (b"Content-Length", b"9"))))
    assert told(side, [b"HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n"])[-1] is Mark.END
    assert not side.reusable


@pytest.mark.parametrize("status", [204, 304])
def test_answers_without_a_body(status: int) -> None:
    sent = b"HTTP/1.1 %d X\r\nContent-Length: 5\r\n\r\n" % status
    assert told(asked(), [sent])[1:] == [Mark.END]


def test_head_has_a_length_but_no_body() -> None:
    side = asked(RequestHead("HEAD", ORIGIN, b"/", ((b"Host", b"h"),)))
    assert told(side, [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"])[1:] == [Mark.END]
    assert side.reusable


def test_a_web_socket_is_switched_to() -> None:
    upgrade = (b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")
    request = (
        b"GET http://h/ HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )
    page = PageSide()
    head, _ = page.receive(request + b"early frame")
    assert isinstance(head, RequestHead)
    assert head.upgrade
    origin = OriginSide()
    assert b"\r\nUpgrade: websocket\r\n" in origin.ask(head)
    origin.end()
    answer = (
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )
    (event,) = origin.receive(answer + b"first frame")
    assert event == Interim(ResponseHead(101, "Switching Protocols", upgrade))
    assert origin.left_over == b"first frame"
    assert page.interim(ResponseHead(101, "Switching Protocols", upgrade)) == answer
    assert page.left_over == b"early frame"
