"""How a capture can end, and which of Chromium's network errors means what.

An outcome is stored with every capture, with a reason in words: a page that could not be captured
is a fact about the web, not a lost line in a log.
"""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """Every way a capture can end. Those in `WITH_PAGE` have nodes, styles and a screenshot."""

    OK = "ok"
    EMPTY = "empty"
    HTTP_ERROR = "http-error"
    BLOCKED = "blocked"
    TRUNCATED = "truncated"
    NOT_HTML = "not-html"
    NO_CONTENT = "no-content"
    DOWNLOAD = "download"
    BAD_URL = "bad-url"
    UNKNOWN_HOST = "unknown-host"
    REFUSED = "refused"
    WITHHELD = "withheld"
    CONNECTION = "connection"
    CERTIFICATE = "certificate"
    BAD_RESPONSE = "bad-response"
    REDIRECT_LOOP = "redirect-loop"
    TIMEOUT = "timeout"
    UNRESPONSIVE = "unresponsive"
    TOO_LARGE = "too-large"
    CRASHED = "crashed"
    BROWSER_DIED = "browser-died"

    @property
    def meaning(self) -> str:
        return MEANINGS[self]


MEANINGS = {
    Outcome.OK: "The page was loaded and captured.",
    Outcome.EMPTY: "The page was loaded; it shows nothing and says nothing.",
    Outcome.HTTP_ERROR: "The server answered with a status of 400 or more; its page was captured.",
    Outcome.BLOCKED: "A bot wall, a CAPTCHA or a rate limit stands in place of the page.",
    Outcome.TRUNCATED: "The document ended early or never ended; what had come was captured.",
    Outcome.NOT_HTML: "The answer is no HTML page but an image, a text, a feed, …",
    Outcome.NO_CONTENT: "The server answered that there is no content (204, 205).",
    Outcome.DOWNLOAD: "The answer is a file to be saved, not a page.",
    Outcome.BAD_URL: "Chromium cannot open this address.",
    Outcome.UNKNOWN_HOST: "The host's name could not be resolved.",
    Outcome.REFUSED: "The host refused the connection.",
    Outcome.WITHHELD: "The gate did not let the request out, or only stored answers count.",
    Outcome.CONNECTION: "The connection failed or was cut before a page had come.",
    Outcome.CERTIFICATE: "The server's certificate is not to be trusted, or TLS failed.",
    Outcome.BAD_RESPONSE: "What the server sent is no valid HTTP.",
    Outcome.REDIRECT_LOOP: "The address redirects, by HTTP or by script, without an end.",
    Outcome.TIMEOUT: "No page came within the time limit.",
    Outcome.UNRESPONSIVE: "The page came, but its scripts or dialogs never gave anyone a turn.",
    Outcome.TOO_LARGE: "The page has more nodes, or its document more bytes, than the limit.",
    Outcome.CRASHED: "The page's process died.",
    Outcome.BROWSER_DIED: "Chromium itself died or stopped answering.",
}

WITH_PAGE = frozenset({Outcome.OK, Outcome.EMPTY, Outcome.HTTP_ERROR, Outcome.TRUNCATED})

_NETWORK_ERRORS = {
    "NAME_NOT_RESOLVED": Outcome.UNKNOWN_HOST,
    "NAME_RESOLUTION_FAILED": Outcome.UNKNOWN_HOST,
    "ICANN_NAME_COLLISION": Outcome.UNKNOWN_HOST,
    "DNS_": Outcome.UNKNOWN_HOST,
    "CONNECTION_REFUSED": Outcome.REFUSED,
    "ADDRESS_UNREACHABLE": Outcome.REFUSED,
    "ADDRESS_INVALID": Outcome.REFUSED,
    "BLOCKED_BY": Outcome.REFUSED,
    "CERT_": Outcome.CERTIFICATE,
    "SSL_": Outcome.CERTIFICATE,
    "BAD_SSL": Outcome.CERTIFICATE,
    "ECH_": Outcome.CERTIFICATE,
    "TOO_MANY_REDIRECTS": Outcome.REDIRECT_LOOP,
    "TIMED_OUT": Outcome.TIMEOUT,
    "CONNECTION_TIMED_OUT": Outcome.TIMEOUT,
    "INVALID_URL": Outcome.BAD_URL,
    "DISALLOWED_URL_SCHEME": Outcome.BAD_URL,
    "UNKNOWN_URL_SCHEME": Outcome.BAD_URL,
    "UNSAFE_PORT": Outcome.BAD_URL,
    "UNSAFE_REDIRECT": Outcome.BAD_URL,
    "INVALID_REDIRECT": Outcome.BAD_URL,
    "FILE_NOT_FOUND": Outcome.BAD_URL,
    "ACCESS_DENIED": Outcome.BAD_URL,
    "INVALID_HTTP_RESPONSE": Outcome.BAD_RESPONSE,
    "INVALID_RESPONSE": Outcome.BAD_RESPONSE,
    "INVALID_CHUNKED_ENCODING": Outcome.BAD_RESPONSE,
    "INCOMPLETE_CHUNKED_ENCODING": Outcome.BAD_RESPONSE,
    "CONTENT_DECODING": Outcome.BAD_RESPONSE,
    "CONTENT_LENGTH_MISMATCH": Outcome.BAD_RESPONSE,
    "RESPONSE_": Outcome.BAD_RESPONSE,
    "HTTP2_": Outcome.BAD_RESPONSE,
    "UNEXPECTED": Outcome.BAD_RESPONSE,
    "MISCONFIGURED_AUTH": Outcome.HTTP_ERROR,
    "HTTP_RESPONSE_CODE_FAILURE": Outcome.HTTP_ERROR,
    "INVALID_AUTH_CREDENTIALS": Outcome.HTTP_ERROR,
}


def of_network_error(text: str) -> Outcome:
    """The outcome that `net::ERR_…` means; whatever is not listed is a failed connection."""
    name = text.removeprefix("net::").removeprefix("ERR_")
    exact = _NETWORK_ERRORS.get(name)
    if exact:
        return exact
    return next(
        (outcome for start, outcome in _NETWORK_ERRORS.items() if name.startswith(start)),
        Outcome.CONNECTION,
    )


# What a recorder says of a page that it has no answer for, in the words of RFC 9209.
_CAUSES = {
    "destination_ip_prohibited": Outcome.WITHHELD,
    "proxy_loop_detected": Outcome.WITHHELD,
    "destination_not_found": Outcome.WITHHELD,
    "http_request_denied": Outcome.WITHHELD,
    "http_request_error": Outcome.BAD_URL,
    "dns_error": Outcome.UNKNOWN_HOST,
    "connection_refused": Outcome.REFUSED,
    "destination_ip_unroutable": Outcome.REFUSED,
    "connection_timeout": Outcome.TIMEOUT,
    "connection_read_timeout": Outcome.TIMEOUT,
    "connection_terminated": Outcome.CONNECTION,
    "tls_certificate_error": Outcome.CERTIFICATE,
    "tls_protocol_error": Outcome.CERTIFICATE,
    "http_protocol_error": Outcome.BAD_RESPONSE,
    "http_response_incomplete": Outcome.BAD_RESPONSE,
    "http_response_header_section_size": Outcome.BAD_RESPONSE,
}


def of_cause(cause: str) -> Outcome | None:
    return _CAUSES.get(cause)
