"""Outcomes: each has a meaning, and Chromium's network errors each have an outcome."""

from __future__ import annotations

import pytest

from webgeist.capture.outcome import MEANINGS, WITH_PAGE, Outcome, of_network_error


def test_every_outcome_has_a_meaning_of_its_own() -> None:
    assert set(MEANINGS) == set(Outcome)
    assert len(set(MEANINGS.values())) == len(Outcome)
    for outcome in Outcome:
        assert outcome.meaning.endswith((".", "…"))


def test_outcomes_are_stored_under_these_names() -> None:
    assert [str(outcome) for outcome in Outcome] == [
        *(
            "ok",
            "empty",
            "http-error",
            "blocked",
            "truncated",
            "not-html",
            "no-content",
            "download",
        ),
        *("bad-url", "unknown-host", "refused", "withheld", "connection"),
        *("certificate", "bad-response"),
        *("redirect-loop", "timeout", "unresponsive", "too-large", "crashed", "browser-died"),
    ]


def test_only_these_have_a_page() -> None:
    assert {Outcome.OK, Outcome.EMPTY, Outcome.HTTP_ERROR, Outcome.TRUNCATED} == WITH_PAGE


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("NAME_NOT_RESOLVED", Outcome.UNKNOWN_HOST),
        ("NAME_RESOLUTION_FAILED", Outcome.UNKNOWN_HOST),
        ("DNS_TIMED_OUT", Outcome.UNKNOWN_HOST),
        ("CONNECTION_REFUSED", Outcome.REFUSED),
        ("ADDRESS_UNREACHABLE", Outcome.REFUSED),
        ("BLOCKED_BY_CLIENT", Outcome.REFUSED),
        ("CERT_AUTHORITY_INVALID", Outcome.CERTIFICATE),
        ("CERT_DATE_INVALID", Outcome.CERTIFICATE),
        ("SSL_PROTOCOL_ERROR", Outcome.CERTIFICATE),
        ("SSL_VERSION_OR_CIPHER_MISMATCH", Outcome.CERTIFICATE),
        ("TOO_MANY_REDIRECTS", Outcome.REDIRECT_LOOP),
        ("TIMED_OUT", Outcome.TIMEOUT),
        ("CONNECTION_TIMED_OUT", Outcome.TIMEOUT),
        ("INVALID_URL", Outcome.BAD_URL),
        ("UNKNOWN_URL_SCHEME", Outcome.BAD_URL),
        ("UNSAFE_PORT", Outcome.BAD_URL),
        ("UNSAFE_REDIRECT", Outcome.BAD_URL),
        ("INVALID_REDIRECT", Outcome.BAD_URL),
        ("FILE_NOT_FOUND", Outcome.BAD_URL),
        ("INVALID_HTTP_RESPONSE", Outcome.BAD_RESPONSE),
        ("INVALID_CHUNKED_ENCODING", Outcome.BAD_RESPONSE),
        ("INCOMPLETE_CHUNKED_ENCODING", Outcome.BAD_RESPONSE),
        ("CONTENT_DECODING_FAILED", Outcome.BAD_RESPONSE),
        ("CONTENT_LENGTH_MISMATCH", Outcome.BAD_RESPONSE),
        ("RESPONSE_HEADERS_TOO_BIG", Outcome.BAD_RESPONSE),
        ("HTTP2_PROTOCOL_ERROR", Outcome.BAD_RESPONSE),
        ("HTTP_RESPONSE_CODE_FAILURE", Outcome.HTTP_ERROR),
        ("INVALID_AUTH_CREDENTIALS", Outcome.HTTP_ERROR),
        ("CONNECTION_RESET", Outcome.CONNECTION),
        ("CONNECTION_CLOSED", Outcome.CONNECTION),
        ("CONNECTION_ABORTED", Outcome.CONNECTION),
        ("EMPTY_RESPONSE", Outcome.CONNECTION),
        ("INTERNET_DISCONNECTED", Outcome.CONNECTION),
        ("NETWORK_CHANGED", Outcome.CONNECTION),
        ("PROXY_CONNECTION_FAILED", Outcome.CONNECTION),
        ("FAILED", Outcome.CONNECTION),
        ("SOMETHING_NEW_IN_2030", Outcome.CONNECTION),
    ],
)
def test_a_network_error_means_an_outcome(error: str, outcome: Outcome) -> None:
    assert of_network_error(f"net::ERR_{error}") is outcome
