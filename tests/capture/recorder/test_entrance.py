"""Asking a proxy for a tunnel: who gets one, and to where."""

from __future__ import annotations

import pytest

from webgeist.capture.recorder.entrance import BadEntranceError, tunnel_of
from webgeist.capture.recorder.origin import Origin


@pytest.mark.parametrize(
    ("head", "host", "port"),
    [
        (b"CONNECT example.org:443 HTTP/1.1\r\nHost: other\r\n\r\n", "example.org", 443),
        (b"CONNECT [::1]:8443 HTTP/1.0\r\n\r\n", "::1", 8443),
        (b"CONNECT 127.0.0.1:80 HTTP/1.1\r\nProxy-Connection: keep-alive\r\n\r\n", "127.0.0.1", 80),
    ],
)
def test_a_tunnel_leads_where_the_first_line_says(head: bytes, host: str, port: int) -> None:
    assert tunnel_of(head) == Origin("https", host, port)


@pytest.mark.parametrize(
    "head",
    [
        b"CONNECT example.org HTTP/1.1\r\n\r\n",
        b"CONNECT :443 HTTP/1.1\r\n\r\n",
        b"CONNECT example.org:443\r\n\r\n",
        b"CONNECT example.org:443 HTTP/2\r\n\r\n",
        b"CONNECT  example.org:443 HTTP/1.1\r\n\r\n",
        b"CONNECT https://example.org/ HTTP/1.1\r\n\r\n",
        b"CONNECT user@example.org:443 HTTP/1.1\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ],
)
def test_no_other_words_open_one(head: bytes) -> None:
    with pytest.raises(BadEntranceError):
        tunnel_of(head)
