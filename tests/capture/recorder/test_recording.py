"""What is recorded of a page: numbers, turns, failures, and the limit of a body."""

from __future__ import annotations

import pytest

from webgeist.capture.exchange import Tls
from webgeist.capture.recorder.heads import RequestHead, ResponseHead
from webgeist.capture.recorder.origin import Origin
from webgeist.capture.recorder.recording import Draft, Recording
from webgeist.capture.recorder.upstream import OriginError

REQUEST = RequestHead("GET", Origin("http", "h", 80), b"/", ((b"Host", b"h"),))
OK = ResponseHead(200, "OK", ())


@pytest.fixture
def recording() -> Recording:
    return Recording(most_exchanges=3, most_bytes=10)


def end(recording: Recording, *drafts: Draft) -> list[tuple[object, ...]]:
    for draft in drafts:
        recording.add(draft)
    exchanges = recording.close()
    for exchange in exchanges:
        exchange.close()
    return [(e.status, e.cause, e.error, e.truncated, e.refused) for e in exchanges]


def test_exchanges_are_numbered_as_asked_and_told_in_that_order(recording: Recording) -> None:
    other = RequestHead("POST", REQUEST.origin, b"/", ())
    drafts = [recording.draft(request) for request in (REQUEST, other, REQUEST)]
    assert [draft.nth for draft in drafts] == [0, 0, 1]
    assert recording.full
    for draft in reversed(drafts):
        recording.add(draft)
    exchanges = recording.close()
    assert [(e.number, e.method) for e in exchanges] == [(0, "GET"), (1, "POST"), (2, "GET")]
    for exchange in exchanges:
        exchange.close()


def test_a_body_has_room_for_so_much(recording: Recording) -> None:
    draft = recording.draft(REQUEST)
    assert draft.keep(draft.body, b"1234567") == b"1234567"
    assert draft.keep(draft.body, b"890ab") == b"890"
    assert draft.keep(draft.body, b"c") == b""
    assert draft.body.read() == b"1234567890"
    end(recording, draft)


@pytest.mark.parametrize(
    ("cause", "truncated"),
    [
        ("http_response_incomplete", "disconnect"),
        ("connection_terminated", "disconnect"),
        ("connection_read_timeout", "time"),
        ("http_protocol_error", "unspecified"),
        ("http_response_body_size", "length"),
    ],
)
def test_why_a_body_is_not_whole(recording: Recording, cause: str, truncated: str) -> None:
    draft = recording.draft(REQUEST)
    draft.answer = OK
    draft.fail(cause, "so it was")
    assert end(recording, draft) == [(200, cause, "so it was", truncated, "")]


def test_without_an_answer_nothing_is_truncated(recording: Recording) -> None:
    draft = recording.draft(None)
    draft.fail("http_request_error", "rubbish")
    assert end(recording, draft) == [(None, "http_request_error", "rubbish", "", "")]


def test_only_the_first_failure_is_told(recording: Recording) -> None:
    draft = recording.draft(REQUEST)
    draft.fail("dns_error", "first")
    draft.fail("connection_refused", "second")
    assert end(recording, draft) == [(None, "dns_error", "first", "", "")]


def test_what_is_whole_stays_whole(recording: Recording) -> None:
    draft = recording.draft(REQUEST)
    draft.answer, draft.whole = OK, True
    draft.fail("", "the page broke it off")
    assert end(recording, draft) == [(200, "", "", "", "")]


def test_a_refusal_is_the_gates_sentence(recording: Recording) -> None:
    draft = recording.draft(REQUEST)
    draft.fail_by(OriginError("destination_ip_prohibited", "h is private"))
    assert end(recording, draft) == [
        (None, "destination_ip_prohibited", "h is private", "", "h is private")
    ]


def test_a_certificates_problem_is_kept(recording: Recording) -> None:
    draft = recording.draft(REQUEST)
    tls = Tls("expired", "", "", "", "")
    draft.fail_by(OriginError("tls_certificate_error", "it has expired", tls))
    recording.add(draft)
    (exchange,) = recording.close()
    assert (exchange.tls, exchange.refused) == (tls, "")
    exchange.close()


def test_a_failure_of_ours_is_raised_at_the_end(recording: Recording) -> None:
    recording.add(recording.draft(REQUEST))
    recording.failure = ZeroDivisionError("ours")
    with pytest.raises(ZeroDivisionError):
        recording.close()


def test_what_is_done_can_be_taken_out_while_the_rest_goes_on(recording: Recording) -> None:
    one, two = recording.draft(REQUEST), recording.draft(REQUEST)
    one.body.write(b"one")
    recording.add(one)
    (done,) = recording.drain()
    two.body.write(b"two")
    assert done.body.read() == b"one"
    done.close()
    more = [recording.draft(REQUEST) for _ in range(2)]
    assert [draft.nth for draft in more] == [2, 3]
    assert recording.full
    for draft in (two, *more):
        recording.add(draft)
    rest = recording.close()
    assert [exchange.body.read() for exchange in rest] == [b"two", b"", b""]
    for exchange in rest:
        exchange.close()
