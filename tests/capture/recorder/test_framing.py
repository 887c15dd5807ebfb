"""Heads and bodies as bytes: nothing breaks out of its line, no body is other than declared."""

from __future__ import annotations

import pytest

from webgeist.capture.recorder.framing import Framing, of_answer, of_request, written_head
from webgeist.capture.recorder.heads import RequestHead
from webgeist.capture.recorder.origin import Origin

LENGTH = ((b"Content-Length", b"5"),)
CHUNKS = ((b"Transfer-Encoding", b"chunked"),)


def test_a_head_is_written_as_it_is() -> None:
    headers = ((b"X-caSe", b"caf\xe9"), (b"Set-Cookie", b"a"), (b"set-cookie", b""))
    assert written_head(b"GET / HTTP/1.1", headers) == (
        b"GET / HTTP/1.1\r\nX-caSe: caf\xe9\r\nSet-Cookie: a\r\nset-cookie: \r\n\r\n"
    )


@pytest.mark.parametrize("break_", [b"\r\n", b"\n", b"\r"])
def test_nothing_breaks_out_of_its_line(break_: bytes) -> None:
    for first, name, text in ((b"a" + break_, b"b", b"c"), (b"a", b"b" + break_, b"c"), (b"a", b"b", break_)):  # fmt: skip
        with pytest.raises(ValueError, match="line break"):
            written_head(first, ((name, text),))


def test_by_length() -> None:
    framing = Framing(LENGTH)
    assert (
        framing.body(b"hel") + framing.body(b"") + framing.body(b"lo") + framing.end() == b"hello"
    )


def test_a_body_is_never_longer_than_declared() -> None:
    framing = Framing(LENGTH)
    framing.body(b"hello")
    with pytest.raises(ValueError, match="longer"):
        framing.body(b"!")


def test_a_body_is_never_shorter_than_declared() -> None:
    framing = Framing(LENGTH)
    framing.body(b"hell")
    with pytest.raises(ValueError, match="shorter"):
        framing.end()


def test_in_chunks() -> None:
    framing = Framing((*CHUNKS, *LENGTH))  # chunks beat a length
    assert framing.body(b"x" * 17) == b"11\r\n" + b"x" * 17 + b"\r\n"
    assert framing.body(b"") == b""  # an empty chunk would be the last
    assert framing.end() == b"0\r\n\r\n"


def test_by_closing() -> None:
    framing = Framing(())
    assert framing.by_close
    assert framing.body(b"hello") + framing.end() == b"hello"


@pytest.mark.parametrize(
    ("headers", "chunks", "expected", "by_close"),
    [
        (LENGTH, True, LENGTH, False),
        (LENGTH, False, LENGTH, False),
        (CHUNKS, True, CHUNKS, False),
        (CHUNKS, False, (), True),
        ((), True, CHUNKS, False),
        ((), False, (), True),
    ],
)
def test_an_answer_is_framed_as_its_reader_understands(
    headers: tuple[tuple[bytes, bytes], ...],
    chunks: bool,
    expected: tuple[tuple[bytes, bytes], ...],
    by_close: bool,
) -> None:
    found, framing = of_answer(headers, chunks=chunks)
    assert found == expected
    assert framing.by_close is by_close


@pytest.mark.parametrize(
    ("headers", "body", "wire"),
    [((), b"", b""), (LENGTH, b"hello", b"hello"), (CHUNKS, b"hello", b"5\r\nhello\r\n0\r\n\r\n")],
)
def test_requests(headers: tuple[tuple[bytes, bytes], ...], body: bytes, wire: bytes) -> None:
    framing = of_request(RequestHead("POST", Origin("http", "h", 80), b"/", headers))
    assert framing.body(body) + framing.end() == wire


def test_a_request_that_declares_no_body_has_none() -> None:
    with pytest.raises(ValueError, match="longer"):
        of_request(RequestHead("POST", Origin("http", "h", 80), b"/", ())).body(b"x")
