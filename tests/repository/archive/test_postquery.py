"""Requests with bodies get keys of their own, as cdxj-indexer 1.5 makes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.archive.postquery import body_query, key_url

FORM = "application/x-www-form-urlencoded"
MULTIPART = b'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\none two\r\n--XX\r\nContent-Disposition: form-data; name="f"; filename="x.bin"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xff\r\n--XX--\r\n'


@pytest.mark.parametrize(
    ("method", "content_type", "body", "added"),
    [
        ("GET", "", b"", ""),
        ("HEAD", "", b"", "?__wb_method=HEAD"),
        ("OPTIONS", "", b"", "?__wb_method=OPTIONS"),
        ("POST", FORM, b"a=1&b=two+words%21", "?__wb_method=POST&a=1&b=two words!"),
        ("PUT", FORM, b"a=1", "?__wb_method=PUT&a=1"),
        ("POST", FORM, b"\xff", "?__wb_method=POST&__wb_post_data=/w=="),
        ("POST", "application/json", b'{"a": {"b": 1}, "c": [2, 3]}', "?__wb_method=POST&b=1&c=2&c.2_=3"),
        ("POST", "application/json; charset=utf-8", b'{"t": true, "n": null}', "?__wb_method=POST&t=True&n=None"),
        ("POST", "application/json", b'{"a": 1}\n{"a": 2}', "?__wb_method=POST&a=1&a.2_=2"),
        ("POST", "application/json", b"rubbish", "?__wb_method=POST"),
        ("POST", "text/plain", b'{"a": 1}', "?__wb_method=POST&a=1"),
        ("POST", "text/plain", b"words", "?__wb_method=POST&__wb_post_data=d29yZHM="),
        ("POST", "", b"\x00\x01", "?__wb_method=POST&__wb_post_data=AAE="),
        ("POST", "multipart/form-data; boundary=XX", MULTIPART, "?__wb_method=POST&a=one+two&f=%00%FF"),
        ("POST", 'multipart/form-data; boundary="X X"', b"--X X\r\ncontent-disposition: form-data; NAME=a\r\n\r\n1\r\n--X X\r\n\r\n2\r\n--X X--", "?__wb_method=POST&a=1&None=2"),
        ("POST", "multipart/form-data", b"no boundary", "?__wb_method=POST&__wb_post_data=bm8gYm91bmRhcnk="),
    ],
)  # fmt: skip
def test_what_is_added(method: str, content_type: str, body: bytes, added: str) -> None:
    url = "http://h.test/x"
    assert key_url(method, url, content_type, body) == url + added


def test_behind_a_query() -> None:
    assert key_url("POST", "http://h.test/?q=1", FORM, b"a=1").endswith("?q=1&__wb_method=POST&a=1")


@given(
    st.sampled_from([FORM, "application/json", "text/plain", "multipart/x; boundary=b", "x"]),
    st.binary(),
)
def test_any_body_gives_a_bounded_text(content_type: str, body: bytes) -> None:
    assert len(body_query(content_type, body)) <= 4096


def test_deep_json_is_no_way_to_fail() -> None:
    assert body_query("application/json", b'{"a":' * 100_000) == ""
    assert body_query("application/json", b"[" * 100_000 + b"]" * 100_000) == ""


@pytest.mark.parametrize(
    "head",
    [
        b'Content-Disposition: form-data; name="x"; ' + b"a;" * 400_000,
        b'Content-Disposition: form-data; name="' + b"a " * 400_000 + b'"',
        b"Content-Disposition: " + b"(" * 900_000,
        b"; name=" * 100_000,
        b"Content-Disposition: x\r\n" * 40_000,
        b"\r\n\r\n--b\r\n" * 90_000,
    ],
    ids=lambda head: head[-8:],
)
def test_no_form_keeps_it_busy(head: bytes) -> None:
    body = b"--b\r\n" + head + b"\r\n\r\nvalue\r\n--b--\r\n"
    assert body_query("multipart/form-data; boundary=b", body)
    assert body_query("multipart/form-data; boundary=" + head.decode(), body)
