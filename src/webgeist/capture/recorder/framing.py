"""Writes heads and bodies as bytes. Pure.

h11 could do this too, but checks all over again what it has just read: half of what a request
through the proxy would cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.recorder.heads import value

if TYPE_CHECKING:
    from webgeist.capture.exchange import Headers
    from webgeist.capture.recorder.heads import RequestHead

_CHUNKED = (b"Transfer-Encoding", b"chunked")
_EMPTY: Headers = ((b"Content-Length", b"0"),)


def written_head(first_line: bytes, headers: Headers) -> bytes:
    """A head as it goes over the wire. ValueError if something in it breaks out of its line."""
    lines = [first_line, *(name + b": " + text for name, text in headers), b"", b""]
    head = b"\r\n".join(lines)
    if not head.count(b"\r") == head.count(b"\n") == len(lines) - 1:
        raise ValueError("a header holds a line break")
    return head


class Framing:
    """How a body is marked off: by its length, in chunks, or by the end of the connection."""

    def __init__(self, headers: Headers) -> None:
        length = value(headers, b"content-length")
        self.chunked = bool(value(headers, b"transfer-encoding"))
        self._left = int(length) if length and not self.chunked else None

    @property
    def by_close(self) -> bool:
        return self._left is None and not self.chunked

    def body(self, data: bytes) -> bytes:
        """ValueError for more than was declared: it would be taken for the next message."""
        if self.chunked:
            return b"%x\r\n%b\r\n" % (len(data), data) if data else b""
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                raise ValueError("a body is longer than its head says")
        return data

    def end(self) -> bytes:
        """ValueError for less than was declared."""
        if self._left:
            raise ValueError("a body is shorter than its head says")
        return b"0\r\n\r\n" if self.chunked else b""


def of_request(head: RequestHead) -> Framing:
    """A request without a declared body has none."""
    return Framing(_EMPTY if head.length == 0 else head.headers)


def of_answer(headers: Headers, *, chunks: bool) -> tuple[Headers, Framing]:
    """An answer's headers with the framing they need. `chunks`: the reader understands them."""
    if not chunks:
        headers = tuple(pair for pair in headers if pair[0].lower() != b"transfer-encoding")
    framing = Framing(headers)
    if framing.by_close and chunks:
        headers = (*headers, _CHUNKED)
        framing = Framing(headers)
    return headers, framing
