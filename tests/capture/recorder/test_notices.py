"""What the proxy says itself: recognisable, harmless in a header, never stored."""

from __future__ import annotations

import h11
import pytest

from webgeist.capture.recorder.heads import value
from webgeist.capture.recorder.notices import notice


@pytest.mark.parametrize(
    ("cause", "status"),
    [
        ("http_request_error", 400),
        ("destination_ip_prohibited", 403),
        ("proxy_loop_detected", 403),
        ("destination_not_found", 404),
        ("dns_error", 502),
        ("tls_protocol_error", 502),
        ("connection_timeout", 504),
        ("connection_read_timeout", 504),
    ],
)
def test_each_cause_has_its_status(cause: str, status: int) -> None:
    head, body = notice(cause, "it is so")
    assert head.status == status
    assert head.reason
    assert body == b"webgeist: it is so\n"
    assert value(head.headers, b"content-length") == str(len(body)).encode()
    assert value(head.headers, b"cache-control") == b"no-store"
    assert value(head.headers, b"proxy-status") == (
        f'webgeist; error={cause}; details="it is so"'.encode()
    )


@pytest.mark.parametrize(
    "sentence", ['a "quoted" \\ one', "two\r\nX-Injected: yes", "ü → 日本", "\0"]
)
def test_no_sentence_breaks_the_header(sentence: str) -> None:
    head, body = notice("dns_error", sentence)
    h11.Response(status_code=head.status, headers=list(head.headers))
    status = value(head.headers, b"proxy-status")
    assert status.count(b'"') == 2
    assert b"\\" not in status
    assert sentence in body.decode()
