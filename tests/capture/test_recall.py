"""What a page had from the cache is among its exchanges, as the earlier page got it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.capture.test_attribution import Wire, asked

from webgeist.capture import recall as recall_module
from webgeist.capture.attribution import link
from webgeist.capture.exchange import Spool
from webgeist.capture.recall import Recall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.requests import Request

STYLE = "http://h/style.css"


@pytest.fixture
def recall() -> Iterator[Recall]:
    held = Recall()
    yield held
    held.close()


class Page:
    """The exchanges of one page, with a spool that is gone when the page is."""

    def __init__(self, recall: Recall, requests: list[Request], *wire: str, **more: Any) -> None:
        spool = Spool().open()
        self.exchanges: list[Exchange] = []
        for exchange in Wire(spool)(*wire, **more):
            exchange.body.write(b"body of ")
            exchange.body.write(exchange.url.encode())
            self.exchanges.append(exchange)
        self.requests = requests
        link(requests, self.exchanges)
        recall.complete(requests, self.exchanges)
        spool.close()

    def close(self) -> None:
        for exchange in self.exchanges:
            exchange.close()


def test_a_later_page_has_a_copy_of_what_the_cache_answered(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    requests = [asked("http://h/2"), asked(STYLE, cache="disk"), asked(STYLE, cache="memory")]
    page = Page(recall, requests, "http://h/2")
    assert [each.number for each in page.exchanges] == [0, 1]
    assert [(each.url, each.cached) for each in page.exchanges] == [
        ("http://h/2", False),
        (STYLE, True),
    ]
    assert page.exchanges[1].body.read() == b"body of http://h/style.css"
    assert page.exchanges[1].body.sha256 == sha256(b"body of http://h/style.css").hexdigest()
    assert [request.exchange for request in requests] == [0, 1, 1]
    page.close()


def test_copies_outlive_what_they_were_made_from(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    page = Page(recall, [asked(STYLE, cache="disk")])
    assert page.exchanges[0].body.read() == b"body of http://h/style.css"
    page.close()
    again = Page(recall, [asked(STYLE, cache="disk")])
    assert again.exchanges[0].body.read() == b"body of http://h/style.css"
    again.close()


def test_the_latest_answer_is_the_one_that_is_cached(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE, reason="first").close()
    Page(recall, [asked(STYLE)], STYLE, reason="second").close()
    page = Page(recall, [asked(STYLE, cache="disk")])
    assert [each.reason for each in page.exchanges] == ["second"]
    page.close()


def test_what_still_holds_is_what_it_was(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    requests = [asked(STYLE)]
    page = Page(recall, requests, STYLE, status=304)
    assert [(each.status, each.cached) for each in page.exchanges] == [(304, False), (200, True)]
    assert requests[0].exchange == 1
    page.close()
    later = Page(recall, [asked(STYLE, cache="disk")])
    assert [each.status for each in later.exchanges] == [200]
    later.close()


def test_who_asked_whether_it_still_holds_has_that_answer(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    requests = [asked(STYLE, status=304)]
    page = Page(recall, requests, STYLE, status=304)
    assert [each.status for each in page.exchanges] == [304]
    assert requests[0].exchange == 0
    page.close()


@pytest.mark.parametrize(
    "more", [{"truncated": "time"}, {"error": "broke off"}, {"status": 206}, {"status": None}]
)
def test_what_was_not_whole_is_not_recalled(recall: Recall, more: dict[str, Any]) -> None:
    Page(recall, [asked(STYLE)], STYLE, **more).close()
    page = Page(recall, [asked(STYLE, cache="disk")])
    assert page.exchanges == []


def test_a_permission_is_recalled_with_what_it_is_for(recall: Recall) -> None:
    Page(recall, [asked("http://o/x")], "OPTIONS http://o/x", "http://o/x").close()
    page = Page(recall, [asked("http://o/x")], "http://o/x")
    assert [(each.method, each.cached) for each in page.exchanges] == [
        ("GET", False),
        ("OPTIONS", True),
    ]
    page.close()
    asks = Page(recall, [asked("http://o/x")], "OPTIONS http://o/x", "http://o/x")
    assert not any(each.cached for each in asks.exchanges)
    asks.close()


def test_a_service_workers_answer_is_none_of_the_caches(recall: Recall) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    assert Page(recall, [asked(STYLE, cache="service-worker")]).exchanges == []


def test_it_says_when_it_could_not_remember(
    recall: Recall, monkeypatch: pytest.MonkeyPatch
) -> None:
    Page(recall, [asked(STYLE)], STYLE).close()
    assert not recall.full
    monkeypatch.setattr(recall_module, "_MOST_BYTES", 50)
    Page(recall, [asked("http://h/2")], "http://h/2").close()
    Page(recall, [asked("http://h/3")], "http://h/3").close()
    assert recall.full


def test_a_redirect_in_a_pages_memory_is_recalled_with_what_it_leads_to(recall: Recall) -> None:
    moved = ((b"Location", b"/b"),)
    Page(recall, [asked("http://h/a")], "http://h/a", status=301, response_headers=moved).close()
    Page(recall, [asked("http://h/b")], "http://h/b").close()
    requests = [asked("http://h/a", cache="memory")]
    page = Page(recall, requests)
    assert [(each.url, each.status) for each in page.exchanges] == [
        ("http://h/a", 301),
        ("http://h/b", 200),
    ]
    assert requests[0].exchange == 1
    page.close()


def test_a_redirect_to_itself_ends(recall: Recall) -> None:
    loop = ((b"Location", b"/a"),)
    Page(recall, [asked("http://h/a")], "http://h/a", status=301, response_headers=loop).close()
    page = Page(recall, [asked("http://h/a", cache="disk")])
    assert [each.url for each in page.exchanges] == ["http://h/a"]
    page.close()


def test_a_picture_that_still_holds_is_told_as_not_modified(recall: Recall) -> None:
    """Blink, unlike the cache below it, does not hide what it was answered."""
    Page(recall, [asked(STYLE)], STYLE).close()
    request = asked(STYLE, status=304)
    request.type = "Image"
    page = Page(recall, [request], STYLE, status=304)
    assert [each.status for each in page.exchanges] == [304, 200]
    assert request.exchange == 1
    page.close()
