"""What loading gave becomes a capture: outcomes, addresses, redirects, limits."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import webgeist
from webgeist.capture.decode import decode
from webgeist.capture.journal import Journal
from webgeist.capture.loaded import Loaded
from webgeist.capture.outcome import Outcome
from webgeist.page.schema import LINKS

if TYPE_CHECKING:
    from tests.conftest import Shooter

    from webgeist.capture.decode import Circumstances


@pytest.fixture
def loaded() -> Loaded:
    return Loaded(Journal("MAIN", request_limit=100, message_limit=100))


def snapshot(*, text: str = "", elements: int = 1, url: str = "http://h/final") -> bytes:
    """A document with `elements` paragraphs; `text` is what the first one shows."""
    count = elements + 1
    sparse = ("shadowRootType", "pseudoType", "inputValue", "textValue", "currentSourceURL")
    flags = ("inputChecked", "optionSelected", "isClickable")
    nodes: dict[str, Any] = {"parentIndex": [-1, *[0] * elements], "nodeValue": [-1] * count}
    nodes |= {"nodeType": [9, *[1] * elements], "nodeName": [0, *[1] * elements]}
    nodes |= {"attributes": [[]] * count, "contentDocumentIndex": {"index": [], "value": []}}
    nodes |= {name: {"index": [], "value": []} for name in sparse}
    nodes |= {name: {"index": []} for name in flags}
    layout: dict[str, Any] = {
        "nodeIndex": [1],
        "styles": [[3]],
        "bounds": [[0, 0, 9, 9]],
        "paintOrders": [1],
    }
    layout |= {"text": [4 if text else -1], "stackingContexts": {"index": []}}
    document = {"documentURL": 2, "baseURL": 2, "nodes": nodes, "layout": layout}
    strings = ["#document", "P", url, "black", text]
    result = {"documents": [document], "strings": strings}
    return json.dumps({"id": 1, "result": result}, separators=(",", ":")).encode()


def send(journal: Journal, url: str, number: str = "1", **more: Any) -> None:
    params = {"requestId": number, "request": {"url": url, "method": "GET"}, "timestamp": 1.0}
    params |= {"type": "Document", "frameId": "MAIN", **more}
    journal.handle("Network.requestWillBeSent", params, 0.0)


def answer(journal: Journal, url: str, number: str = "1") -> None:
    said = {"url": url, "status": 200, "mimeType": "text/html", "headers": {"Server": "x"}}
    params = {"requestId": number, "timestamp": 2.0, "response": said}
    journal.handle("Network.responseReceived", params, 0.0)


def test_a_capture_says_how_it_was_recorded(loaded: Loaded, circumstances: Circumstances) -> None:
    assert decode(loaded, circumstances).info.recorder is None
    assert decode(loaded, replace(circumstances, recorder="browser")).info.recorder == "browser"


def test_a_page_becomes_a_capture(loaded: Loaded, circumstances: Circumstances) -> None:
    send(loaded.journal, "http://h/asked")
    answer(loaded.journal, "http://h/asked")
    loaded.snapshot = snapshot(text="words")
    loaded.stages_ms = {"navigate": 1.0}
    capture = decode(loaded, circumstances)
    info = capture.info
    assert (info.outcome, info.reason, info.nodes) == (Outcome.OK, "", 2)
    assert (info.requested_url, info.url) == ("http://h/asked", "http://h/final")
    assert (info.status, info.mime_type, info.headers) == (200, "text/html", {"server": "x"})
    assert (info.browser, info.webgeist) == ("Chrome/1.2", webgeist.__version__)
    assert (info.time, info.clock) == (circumstances.time, circumstances.clock)
    assert info.metadata is not None
    assert len(info.documents) == 1
    assert capture.requests.column("url").to_pylist() == ["http://h/asked"]
    assert capture.screenshot is None
    assert capture.thumbnail is None


def test_no_snapshot_is_no_page(loaded: Loaded, circumstances: Circumstances) -> None:
    loaded.outcome, loaded.reason = Outcome.TIMEOUT, "late"
    capture = decode(loaded, circumstances)
    assert (capture.info.outcome, capture.info.reason) == (Outcome.TIMEOUT, "late")
    assert (capture.info.url, capture.info.status) == ("http://h/asked", None)
    assert capture.page is None
    assert capture.info.metadata is None
    assert capture.links.equals(LINKS.empty_table())
    assert capture.requests.num_rows == 0


def test_without_a_page_the_address_that_answered_is_the_final_one(
    loaded: Loaded, circumstances: Circumstances
) -> None:
    send(loaded.journal, "http://h/asked")
    answer(loaded.journal, "http://h/image.png")
    assert decode(loaded, circumstances).info.url == "http://h/image.png"


def test_redirects_are_told_in_order_without_the_last_address(
    loaded: Loaded, circumstances: Circumstances
) -> None:
    hop = {"status": 302, "headers": {}}
    send(loaded.journal, "http://h/1")
    send(loaded.journal, "http://h/2", redirectResponse=hop)
    send(loaded.journal, "http://h/framed", "2", frameId="CHILD")
    send(loaded.journal, "http://h/3", "3")
    assert decode(loaded, circumstances).info.redirects == ("http://h/1", "http://h/2")


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_page_that_shows_nothing_is_empty(
    loaded: Loaded, circumstances: Circumstances, text: str
) -> None:
    loaded.snapshot = snapshot(text=text)
    info = decode(loaded, circumstances).info
    assert (info.outcome, info.reason) == (Outcome.EMPTY, "no text and no picture")
    assert info.nodes == 2


def test_an_error_page_that_shows_nothing_stays_an_error(
    loaded: Loaded, circumstances: Circumstances
) -> None:
    loaded.snapshot, loaded.outcome = snapshot(), Outcome.HTTP_ERROR
    assert decode(loaded, circumstances).info.outcome is Outcome.HTTP_ERROR


@pytest.mark.parametrize(
    ("html", "outcome"),
    [
        ("<p>words", Outcome.OK),
        ("<svg width=9 height=9></svg>", Outcome.OK),
        ("<input>", Outcome.OK),
        ("<style>p::before{content:'x'}</style><p>", Outcome.OK),
        ("<div></div>", Outcome.EMPTY),
        ("<p style='display:none'>words", Outcome.EMPTY),
        ("<canvas width=0 height=0></canvas>", Outcome.EMPTY),
        ("", Outcome.EMPTY),
    ],
)
def test_words_and_pictures_make_a_real_page_not_empty(
    shoot_html: Shooter, html: str, outcome: Outcome
) -> None:
    assert shoot_html(html).info.outcome is outcome


def test_a_page_with_too_many_nodes_is_dropped_and_says_so(
    loaded: Loaded, circumstances: Circumstances
) -> None:
    loaded.snapshot = snapshot(text="words", elements=10)
    capture = decode(loaded, circumstances)
    assert capture.info.outcome is Outcome.TOO_LARGE
    assert capture.info.reason == "11 nodes, more than limits.nodes = 10"
    assert capture.page is None
    assert capture.info.nodes == 0
    loaded.snapshot = snapshot(text="words", elements=10)
    assert decode(loaded, replace(circumstances, most_nodes=11)).ok


def test_what_was_dropped_is_counted(circumstances: Circumstances) -> None:
    journal = Journal("MAIN", request_limit=1, message_limit=1)
    for number in ("1", "2", "3"):
        send(journal, "http://h/", number)
        journal.say("k", "text")
    info = decode(Loaded(journal), circumstances).info
    assert (info.dropped_requests, info.dropped_messages) == (2, 2)
    assert len(info.messages) == 1
