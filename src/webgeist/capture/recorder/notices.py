"""What the proxy itself says to a page in place of an origin that cannot or may not answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.recorder.heads import ResponseHead

if TYPE_CHECKING:
    from webgeist.capture.exchange import Headers

_BAD_GATEWAY = 502
_REASONS = {
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    500: "Internal Server Error",
    502: "Bad Gateway",
    504: "Gateway Timeout",
}
# By the error types of RFC 9209; what is not listed is a bad gateway.
_STATUSES = {
    "http_request_error": 400,
    "http_request_denied": 403,
    "destination_ip_prohibited": 403,
    "proxy_loop_detected": 403,
    "destination_not_found": 404,
    "proxy_internal_error": 500,
    "connection_timeout": 504,
    "connection_read_timeout": 504,
}


def notice(cause: str, sentence: str) -> tuple[ResponseHead, bytes]:
    """An answer of our own: plain text, marked as the proxy's (RFC 9209), never to be stored."""
    status = _STATUSES.get(cause, _BAD_GATEWAY)
    body = f"webgeist: {sentence}\n".encode()
    quoted = sentence.encode("ascii", "replace").decode().replace("\\", "/").replace('"', "'")
    printable = "".join(letter if letter.isprintable() else "?" for letter in quoted)
    headers: Headers = (
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", b"%d" % len(body)),
        (b"Cache-Control", b"no-store"),
        (b"Proxy-Status", f'webgeist; error={cause}; details="{printable}"'.encode()),
    )
    return ResponseHead(status, _REASONS[status], headers), body
