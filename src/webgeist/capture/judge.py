"""What became of a page, by what the network told of it. Pure: a journal in, outcomes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.outcome import Outcome, of_network_error

if TYPE_CHECKING:
    from webgeist.capture.journal import Journal
    from webgeist.capture.requests import Request

ABORTED = "net::ERR_ABORTED"  # by Chromium itself: there is nothing to go to
_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_NO_CONTENT = frozenset({204, 205})
_FIRST_ERROR = 400
_SHOWN = 200  # characters of an address in a reason


class PageFailedError(Exception):
    """The page cannot be captured; the outcome and the reason say why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


def failed_navigation(journal: Journal, error: str) -> PageFailedError:
    """What a navigation that did not get to a page got to instead."""
    status = journal.answer.status if journal.answer else None
    if status in _NO_CONTENT:
        return PageFailedError(Outcome.NO_CONTENT, f"the server answered {status}")
    if status is not None and status >= _FIRST_ERROR:
        return PageFailedError(Outcome.HTTP_ERROR, f"the server answered {status} with no page")
    if error == ABORTED and journal.redirect:  # to what is no page: javascript, mailto
        reason = f"a redirect that is not followed: {journal.redirect[:_SHOWN]}"
        return PageFailedError(Outcome.BAD_URL, reason)
    return PageFailedError(of_network_error(error), error)


def download(journal: Journal) -> PageFailedError:
    name = journal.download or (journal.answer.mime_type if journal.answer else "of no name")
    return PageFailedError(Outcome.DOWNLOAD, f"the answer is a file to be saved: {name}")


def check_answer(journal: Journal) -> None:
    """Raises for an answer that is no page, whatever Chromium makes of it."""
    if journal.download:
        raise download(journal)
    answer = journal.answer
    if answer and answer.mime_type not in _HTML:
        declared = answer.headers.get("content-type") or answer.mime_type
        if answer.status >= _FIRST_ERROR:
            reason = f"the server answered {answer.status} with no page but {declared}"
            raise PageFailedError(Outcome.HTTP_ERROR, reason)
        raise PageFailedError(Outcome.NOT_HTML, f"the answer is {declared}")


def judge(journal: Journal, unfinished: Request | None) -> tuple[Outcome, str]:
    """The outcome of a page that was loaded, as far as the network tells.

    `unfinished` is the request for a document that had had its time and was broken off by us,
    on its way or while it was read.
    """
    check_answer(journal)
    document, answer = journal.document, journal.answer
    if document and journal.unreachable:  # the page went on to where there is none
        error = journal.lost or ""
        raise PageFailedError(of_network_error(error), f"{error} at {document.url[:_SHOWN]}")
    if document and (document.open or document is unfinished):
        return Outcome.TRUNCATED, "the document had not ended"
    if document and document.error:
        return Outcome.TRUNCATED, f"the document ended early: {document.error}"
    if answer and answer.status >= _FIRST_ERROR:
        return Outcome.HTTP_ERROR, f"the server answered {answer.status}"
    return Outcome.OK, ""


def nothing_came(journal: Journal, unfinished: Request | None) -> PageFailedError:
    """What a truncated document is of which not one byte came."""
    document = journal.document
    if document is None or document.error is None or document is unfinished:
        return PageFailedError(Outcome.TIMEOUT, "nothing of the page came in time")
    return PageFailedError(of_network_error(document.error), document.error)
