"""SOCKS5 as bytes: what is understood, what waits for more, and what is rubbish."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.recorder.socks import (
    BAD_ADDRESS,
    BAD_COMMAND,
    UNWELCOME,
    BadSocksError,
    Greeting,
    Request,
    greeting,
    reply,
    request,
)

NAME = b"\5\1\0\3\x0bexample.ORG\x01\xbb"
IPV4 = b"\5\1\0\1" + socket.inet_aton("192.0.2.7") + b"\0\x50"
IPV6 = b"\5\1\0\4" + socket.inet_pton(socket.AF_INET6, "2001:db8::7") + b"\x1f\x90"


@pytest.mark.parametrize("said", [b"\5\1\0", b"\5\2\2\0", b"\5\3\1\2\0"])
def test_a_greeting_without_authentication_is_welcome(said: bytes) -> None:
    assert greeting(said) == Greeting(len(said))
    assert greeting(said + b"\5\1") == Greeting(len(said))
    assert [greeting(said[:end]) for end in range(len(said))] == [None] * len(said)


@pytest.mark.parametrize("said", [b"\5\1\2", b"\5\0", b"\5\2\1\2\0"])
def test_who_must_authenticate_cannot(said: bytes) -> None:
    with pytest.raises(BadSocksError) as caught:
        greeting(said)
    assert caught.value.answer == UNWELCOME


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", b"\4\1\0\x50", b"\x16\3\1", b"\0"])
@pytest.mark.parametrize("parse", [greeting, request])
def test_another_protocol_gets_no_answer(said: bytes, parse: object) -> None:
    assert callable(parse)
    with pytest.raises(BadSocksError) as caught:
        parse(said)
    assert caught.value.answer == b""


@pytest.mark.parametrize(
    ("said", "host", "port"),
    [(NAME, "example.org", 443), (IPV4, "192.0.2.7", 80), (IPV6, "2001:db8::7", 8080)],
)
def test_a_request_names_a_host_and_a_port(said: bytes, host: str, port: int) -> None:
    assert request(said) == Request(len(said), host, port)
    assert request(said + b"more") == Request(len(said), host, port)
    assert [request(said[:end]) for end in range(len(said))] == [None] * len(said)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"\5\2", BAD_COMMAND),  # BIND
        (b"\5\3\0\1\0\0\0\0\0\0", BAD_COMMAND),  # UDP ASSOCIATE
        (b"\5\1\0\2\1", BAD_ADDRESS),
        (b"\5\1\0\3\0\0\x50", BAD_ADDRESS),  # a name of no letter
        (b"\5\1\0\3\3a\0b\0\x50", BAD_ADDRESS),
        (b"\5\1\0\3\3a b\0\x50", BAD_ADDRESS),
        (b"\5\1\0\3\2\xc3\xa9\0\x50", BAD_ADDRESS),
    ],
)
def test_what_cannot_be_done_is_told(said: bytes, answer: int) -> None:
    with pytest.raises(BadSocksError) as caught:
        request(said)
    assert caught.value.answer == reply(answer)


@given(st.binary(max_size=600))
def test_rubbish_never_is_anything_but_rubbish(said: bytes) -> None:
    """Parsers end, and never take more than was said, nor wait for more than the longest name."""
    for parse in (greeting, request):
        for words in (said, b"\5" + said, b"\5\1\0" + said):
            try:
                heard = parse(words)
            except BadSocksError:
                continue
            assert heard.size <= len(words) if heard else len(words) < 262
