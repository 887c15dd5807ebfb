"""Browser events in, facts of one page out."""

from __future__ import annotations

from typing import Any

import pytest

from webgeist.capture.journal import Answer, Journal, Message
from webgeist.capture.outcome import Outcome


@pytest.fixture
def journal() -> Journal:
    return Journal("MAIN", request_limit=100, message_limit=3)


def send(journal: Journal, number: str, *, frame: str = "MAIN", kind: str = "Document") -> None:
    request = {"url": f"http://h/{number}", "method": "GET"}
    params: dict[str, Any] = {"requestId": number, "request": request}
    params |= {"timestamp": 1.0, "type": kind, "frameId": frame}
    journal.handle("Network.requestWillBeSent", params, 5.0)


def answer(journal: Journal, number: str, status: int = 200) -> None:
    said = {"url": f"http://h/{number}", "status": status, "mimeType": "text/html"}
    said["headers"] = {"X-Two": "a", "ETag": "b"}
    params = {"requestId": number, "timestamp": 2.0, "response": said, "type": "Document"}
    journal.handle("Network.responseReceived", params, 6.0)


def test_the_answer_is_that_of_the_pages_own_document(journal: Journal) -> None:
    send(journal, "page")
    send(journal, "frame", frame="CHILD")
    send(journal, "image", kind="Image")
    for number in ("frame", "image"):
        answer(journal, number)
    before = journal.answer
    answer(journal, "page", 404)
    assert before is None
    assert journal.answer == Answer("http://h/page", 404, "text/html", {"x-two": "a", "etag": "b"})
    assert journal.document is not None
    assert journal.document.url == "http://h/page"


def receive(journal: Journal, number: str, length: int) -> None:
    journal.handle("Network.dataReceived", {"requestId": number, "dataLength": length}, 7.0)


def show(journal: Journal, number: str) -> None:
    journal.handle("Page.frameNavigated", {"frame": {"id": "MAIN", "loaderId": number}}, 7.0)


def test_the_bytes_are_counted_of_the_pages_own_document_alone(journal: Journal) -> None:
    send(journal, "page")
    show(journal, "page")
    send(journal, "image", kind="Image")
    for number, length in (("page", 70), ("image", 1_000), ("page", 5)):
        receive(journal, number, length)
    assert journal.document_bytes == 75
    send(journal, "next")
    show(journal, "next")
    assert journal.document_bytes == 0


def test_a_document_of_more_bytes_than_the_limit_is_too_large() -> None:
    journal = Journal("MAIN", request_limit=100, message_limit=3, document_limit=100)
    send(journal, "page")
    receive(journal, "page", 100)
    assert not journal.too_much.is_set()
    receive(journal, "page", 1)
    assert journal.too_much.is_set()
    assert journal.verdict == (
        Outcome.TOO_LARGE,
        "a document of more than limits.file_bytes = 100",
    )


def test_another_document_is_another_navigation_and_a_redirect_is_none(journal: Journal) -> None:
    send(journal, "one")
    journal.handle("Page.loadEventFired", {}, 0.0)
    assert (journal.navigations, journal.loaded) == (1, True)
    send(journal, "one")
    assert (journal.navigations, journal.loaded) == (1, True)
    send(journal, "two")
    assert (journal.navigations, journal.loaded) == (2, False)


def navigate(journal: Journal, number: str, frame: str = "MAIN", **more: str) -> None:
    params = {"frame": {"id": frame, "loaderId": number, "url": "http://h/", **more}}
    journal.handle("Page.frameNavigated", params, 0.0)


def test_the_page_is_the_one_that_is_shown_and_not_the_one_to_come(journal: Journal) -> None:
    send(journal, "one")
    answer(journal, "one")
    navigate(journal, "one")
    journal.handle("Page.loadEventFired", {}, 0.0)
    send(journal, "two")
    answer(journal, "two", 404)
    assert journal.answer is not None
    assert (journal.answer.status, journal.loaded) == (200, False)
    navigate(journal, "two")
    assert journal.answer is not None
    assert (journal.answer.status, journal.loaded) == (404, False)
    journal.handle("Page.loadEventFired", {}, 0.0)
    assert journal.loaded


def test_a_page_that_does_not_come_leaves_the_one_before(journal: Journal) -> None:
    send(journal, "one")
    navigate(journal, "one")
    journal.handle("Page.loadEventFired", {}, 0.0)
    send(journal, "two")
    failed = {"requestId": "two", "timestamp": 2.0, "errorText": "net::ERR_ABORTED"}
    journal.handle("Network.loadingFailed", failed, 0.0)
    assert journal.loaded
    assert journal.document is not None
    assert journal.document.url == "http://h/one"


def test_a_frames_navigation_is_not_the_pages(journal: Journal) -> None:
    send(journal, "one")
    navigate(journal, "framed", "CHILD")
    before = journal.shown
    navigate(journal, "one", unreachableUrl="http://h/")
    assert (before, journal.shown, journal.unreachable) == (False, True, True)


def test_a_page_that_opens_dialog_after_dialog_is_given_up(journal: Journal) -> None:
    params = {"type": "alert", "message": "!", "url": "http://h/"}
    for _ in range(100):
        journal.handle("Page.javascriptDialogOpening", params, 0.0)
    assert not journal.too_much.is_set()
    journal.handle("Page.javascriptDialogOpening", params, 0.0)
    assert journal.too_much.is_set()
    assert journal.verdict == (Outcome.UNRESPONSIVE, "the page opens dialogs without an end")


def test_every_event_rings_and_only_network_events_are_traffic(journal: Journal) -> None:
    journal.handle("Page.frameStartedLoading", {}, 3.0)
    assert journal.changed.is_set()
    assert journal.last_traffic == 0.0
    send(journal, "one")
    assert journal.last_traffic == 5.0


def world(number: int, frame: str, name: str = "webgeist") -> dict[str, Any]:
    return {"context": {"id": number, "name": name, "auxData": {"frameId": frame}}}


def test_our_worlds_are_known_by_frame(journal: Journal) -> None:
    journal.handle("Runtime.executionContextCreated", world(1, "MAIN", ""), 0.0)
    assert journal.main_world() is None
    journal.handle("Runtime.executionContextCreated", world(2, "CHILD"), 0.0)
    journal.handle("Runtime.executionContextCreated", world(3, "MAIN"), 0.0)
    assert journal.main_world() == 3
    journal.handle("Runtime.executionContextDestroyed", {"executionContextId": 3}, 0.0)
    assert journal.worlds == {2: "CHILD"}
    journal.handle("Runtime.executionContextsCleared", {}, 0.0)
    assert journal.worlds == {}


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        (
            "Runtime.consoleAPICalled",
            {
                "type": "error",
                "args": [
                    {"type": "string", "value": "broken"},
                    {"type": "object", "description": "Error: x"},
                    {"type": "undefined"},
                    {"type": "number", "value": 0},
                ],
                "stackTrace": {"callFrames": [{"url": "http://h/s.js"}]},
            },
            Message("console-error", "broken Error: x undefined 0", "http://h/s.js"),
        ),
        (
            "Runtime.consoleAPICalled",
            {"type": "warning", "args": []},
            Message("console-warning", "", None),
        ),
        (
            "Runtime.exceptionThrown",
            {"exceptionDetails": {"text": "Uncaught", "url": "http://h/", "exception": {}}},
            Message("exception", "Uncaught", "http://h/"),
        ),
        (
            "Runtime.exceptionThrown",
            {"exceptionDetails": {"text": "Uncaught", "exception": {"description": "E: at 1"}}},
            Message("exception", "E: at 1", None),
        ),
        (
            "Log.entryAdded",
            {"entry": {"level": "error", "source": "network", "text": "404", "url": "http://h/i"}},
            Message("log-network", "404", "http://h/i"),
        ),
        (
            "Page.javascriptDialogOpening",
            {"type": "confirm", "message": "Sure?", "url": "http://h/"},
            Message("dialog-confirm", "Sure?", "http://h/"),
        ),
    ],
)
def test_what_a_page_says_is_kept(
    journal: Journal, method: str, params: dict[str, Any], message: Message
) -> None:
    journal.handle(method, params, 0.0)
    assert journal.messages == [message]


def test_chatter_is_not_kept(journal: Journal) -> None:
    journal.handle("Runtime.consoleAPICalled", {"type": "log", "args": []}, 0.0)
    entry = {"level": "warning", "source": "x", "text": "y"}
    journal.handle("Log.entryAdded", {"entry": entry}, 0.0)
    assert journal.messages == []


def test_messages_have_a_limit_in_number_and_in_length(journal: Journal) -> None:
    for _ in range(5):
        journal.say("k", "x" * 20_000)
    assert [len(message.text) for message in journal.messages] == [10_000] * 3
    assert journal.dropped_messages == 2


@pytest.mark.parametrize("method", ["Inspector.targetCrashed", "Target.targetCrashed"])
def test_a_crash_is_seen(journal: Journal, method: str) -> None:
    journal.handle(method, {}, 0.0)
    assert journal.crashed.is_set()


@pytest.mark.parametrize("method", ["Browser.downloadWillBegin", "Page.downloadWillBegin"])
def test_a_download_is_named_as_well_as_it_can_be(journal: Journal, method: str) -> None:
    journal.handle(method, {"url": "http://h/f", "suggestedFilename": ""}, 0.0)
    assert journal.download == "http://h/f"
    journal.handle(method, {"url": "http://h/f", "suggestedFilename": "f.zip"}, 0.0)
    assert journal.download == "f.zip"
