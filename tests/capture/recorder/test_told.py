"""What Chromium tells of messages, as we write it down."""

from __future__ import annotations

import base64

import pytest

from webgeist.capture.recorder.told import answer_of, headers_of, posted, to_bytes, wire_head_of


def test_a_head_of_http_1_is_kept_as_it_came() -> None:
    text = "HTTP/1.0 404 Not  Here\r\nX-b: 1\r\nx-A:  two \r\nX-b: \r\nX-c: a:b\r\n\r\n"
    head = wire_head_of({"statusCode": 404, "headers": {}, "headersText": text})
    assert (head.version, head.status, head.reason) == ("HTTP/1.0", 404, "Not  Here")
    assert head.headers == ((b"X-b", b"1"), (b"x-A", b"two"), (b"X-b", b""), (b"X-c", b"a:b"))


def test_values_are_taken_from_where_all_their_bytes_are() -> None:
    """The text of a head breaks off where Chromium finds no UTF-8."""
    text = "HTTP/1.1 200 OK\r\nX-B: caf\r\nA: 1\r\nx-b: two\r\n\r\n"
    told = {"A": "1", "X-B": "caf\xe9 \xff\ntwo"}
    head = wire_head_of({"statusCode": 200, "headers": told, "headersText": text})
    assert head.headers == ((b"X-B", b"caf\xe9 \xff"), (b"A", b"1"), (b"x-b", b"two"))


def test_a_head_without_a_text_is_told_by_names_and_values() -> None:
    told = {"set-cookie": "a=1\nb=2", "content-type": "text/html"}
    head = wire_head_of({"statusCode": 200, "headers": told})
    assert head.headers == (
        (b"set-cookie", b"a=1"),
        (b"set-cookie", b"b=2"),
        (b"content-type", b"text/html"),
    )
    assert (head.version, head.reason) == (None, "")


def test_of_http_2s_own_fields_the_host_alone_is_kept() -> None:
    told = {":authority": "h.test", ":method": "GET", ":path": "/", ":scheme": "https", "a": "b"}
    assert headers_of(told) == ((b"Host", b"h.test"), (b"a", b"b"))


@pytest.mark.parametrize(
    ("text", "data"),
    [("plain", b"plain"), ("Gr\xfc\xdfe", b"Gr\xfc\xdfe"), ("€", "€".encode())],
)
def test_bytes_of_headers(text: str, data: bytes) -> None:
    assert to_bytes(text) == data


@pytest.mark.parametrize(
    ("protocol", "version"),
    [("http/1.1", "HTTP/1.1"), ("http/1.0", "HTTP/1.0"), ("h2", "HTTP/2"), ("h3", "HTTP/3")],
)
def test_versions(protocol: str, version: str) -> None:
    answer = answer_of({"status": 200, "headers": {}, "protocol": protocol})
    assert answer.head.version == version


@pytest.mark.parametrize("flag", ["fromDiskCache", "fromServiceWorker", "fromPrefetchCache"])
def test_answers_that_are_not_from_the_network(flag: str) -> None:
    assert answer_of({"status": 200, "headers": {}, flag: True}).cached
    assert not answer_of({"status": 200, "headers": {}, flag: False}).cached


@pytest.mark.parametrize(
    ("coding", "coded"),
    [("gzip", True), ("deflate, BR", True), ("zstd", True), ("identity", False), ("new", False)],
)
def test_content_codings_that_chromium_undoes(coding: str, *, coded: bool) -> None:
    answer = answer_of({"status": 200, "headers": {"Content-Encoding": coding}})
    assert answer.head.coded is coded


def test_the_last_value_of_a_header_counts() -> None:
    head = answer_of({"status": 200, "headers": {"a": "1\n2", "A": "3"}}).head
    assert head.value(b"a") == b"3"
    assert head.value(b"b") is None


def test_certificates() -> None:
    details = {"protocol": "TLS 1.3", "subjectName": "h", "issuer": "i", "validTo": 1_900_000_000}
    tls = answer_of({"status": 200, "headers": {}, "securityDetails": details}).tls
    assert tls is not None
    assert (tls.problem, tls.protocol, tls.subject) == ("", "TLS 1.3", "commonName=h")
    assert (tls.issuer, tls.expires) == ("commonName=i", "Mar 17 17:46:40 2030 GMT")


def test_bodies_of_requests() -> None:
    def entry(data: bytes) -> dict[str, str]:
        return {"bytes": base64.b64encode(data).decode()}

    assert posted({}) == b""
    two = {"hasPostData": True, "postDataEntries": [entry(b"\0\xff"), entry(b"b")]}
    assert posted(two) == b"\0\xffb"
    assert posted({"hasPostData": True}) is None
    assert posted({"hasPostData": True, "postDataEntries": [entry(b"a"), {}]}) is None
