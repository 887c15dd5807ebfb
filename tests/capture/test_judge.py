"""What became of a page, by what the network told of it."""

from __future__ import annotations

from typing import Any

import pytest

from webgeist.capture.journal import Journal
from webgeist.capture.judge import (
    PageFailedError,
    check_answer,
    download,
    failed_navigation,
    judge,
    nothing_came,
)
from webgeist.capture.outcome import Outcome


@pytest.fixture
def journal() -> Journal:
    """A page that was asked for."""
    journal = Journal("MAIN", request_limit=100, message_limit=100)
    params: dict[str, Any] = {"requestId": "1", "timestamp": 1.0, "type": "Document"}
    params |= {"frameId": "MAIN", "request": {"url": "http://h/", "method": "GET"}}
    journal.handle("Network.requestWillBeSent", params, 0.0)
    return journal


def answer(journal: Journal, status: int = 200, kind: str = "text/html") -> None:
    said = {"url": "http://h/", "status": status, "mimeType": kind, "headers": {}}
    params = {"requestId": "1", "timestamp": 2.0, "response": said, "type": "Document"}
    journal.handle("Network.responseReceived", params, 0.0)


def finish(journal: Journal) -> None:
    params = {"requestId": "1", "timestamp": 3.0, "encodedDataLength": 9}
    journal.handle("Network.loadingFinished", params, 0.0)


def fail(journal: Journal, error: str) -> None:
    params = {"requestId": "1", "timestamp": 3.0, "errorText": error}
    journal.handle("Network.loadingFailed", params, 0.0)


def show(journal: Journal, **frame: Any) -> None:
    params = {"frame": {"id": "MAIN", "loaderId": "1", "url": "http://h/", **frame}}
    journal.handle("Page.frameNavigated", params, 0.0)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(200, Outcome.OK), (399, Outcome.OK), (400, Outcome.HTTP_ERROR), (503, Outcome.HTTP_ERROR)],
)
def test_a_whole_page_is_judged_by_its_status(
    journal: Journal, status: int, outcome: Outcome
) -> None:
    answer(journal, status)
    show(journal)
    finish(journal)
    assert judge(journal, None)[0] is outcome


def test_a_document_that_has_not_ended_is_truncated(journal: Journal) -> None:
    answer(journal)
    show(journal)
    assert judge(journal, None) == (Outcome.TRUNCATED, "the document had not ended")


def test_a_document_that_broke_off_says_why_unless_we_broke_it_off(journal: Journal) -> None:
    answer(journal)
    show(journal)
    fail(journal, "net::ERR_CONNECTION_RESET")
    reason = "the document ended early: net::ERR_CONNECTION_RESET"
    assert judge(journal, None) == (Outcome.TRUNCATED, reason)
    assert journal.broken_off
    ours = judge(journal, journal.document)
    assert ours == (Outcome.TRUNCATED, "the document had not ended")


def test_chromiums_own_page_about_an_error_is_no_page(journal: Journal) -> None:
    fail(journal, "net::ERR_CONNECTION_REFUSED")
    show(journal, unreachableUrl="http://h/")
    with pytest.raises(PageFailedError) as caught:
        judge(journal, None)
    assert caught.value.outcome is Outcome.REFUSED
    assert caught.value.reason == "net::ERR_CONNECTION_REFUSED at http://h/"


@pytest.mark.parametrize(
    ("status", "error", "outcome"),
    [
        (204, "net::ERR_ABORTED", Outcome.NO_CONTENT),
        (205, "net::ERR_ABORTED", Outcome.NO_CONTENT),
        (500, "net::ERR_HTTP_RESPONSE_CODE_FAILURE", Outcome.HTTP_ERROR),
        (None, "net::ERR_ABORTED", Outcome.CONNECTION),
        (None, "net::ERR_NAME_NOT_RESOLVED", Outcome.UNKNOWN_HOST),
        (200, "net::ERR_INVALID_HTTP_RESPONSE", Outcome.BAD_RESPONSE),
    ],
)
def test_a_navigation_that_came_to_no_page_came_to_something_else(
    journal: Journal, status: int | None, error: str, outcome: Outcome
) -> None:
    if status is not None:
        answer(journal, status)
    assert failed_navigation(journal, error).outcome is outcome


def test_a_redirect_to_what_is_no_page_is_a_bad_url(journal: Journal) -> None:
    journal.redirect = "mailto:somebody@h"
    failure = failed_navigation(journal, "net::ERR_ABORTED")
    assert failure.outcome is Outcome.BAD_URL
    assert failure.reason == "a redirect that is not followed: mailto:somebody@h"


@pytest.mark.parametrize("kind", ["text/html", "application/xhtml+xml", ""])
def test_a_page_is_html(journal: Journal, kind: str) -> None:
    answer(journal, kind=kind)
    check_answer(journal)


@pytest.mark.parametrize("kind", ["image/png", "text/plain", "application/xml"])
def test_anything_else_is_not(journal: Journal, kind: str) -> None:
    answer(journal, kind=kind)
    with pytest.raises(PageFailedError, match=kind) as caught:
        check_answer(journal)
    assert caught.value.outcome is Outcome.NOT_HTML


def test_a_download_is_named_or_typed(journal: Journal) -> None:
    assert download(journal).reason == "the answer is a file to be saved: of no name"
    answer(journal, kind="application/zip")
    assert download(journal).reason == "the answer is a file to be saved: application/zip"
    params = {"url": "http://h/", "suggestedFilename": "f.zip", "frameId": "MAIN"}
    journal.handle("Browser.downloadWillBegin", params, 0.0)
    with pytest.raises(PageFailedError, match=r"f\.zip") as caught:
        check_answer(journal)
    assert caught.value.outcome is Outcome.DOWNLOAD


def test_nothing_at_all_is_a_time_out_or_what_the_network_says(journal: Journal) -> None:
    assert nothing_came(journal, journal.document).outcome is Outcome.TIMEOUT
    fail(journal, "net::ERR_EMPTY_RESPONSE")
    assert nothing_came(journal, None).outcome is Outcome.CONNECTION
