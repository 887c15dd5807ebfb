"""What a page's scripts asked for and did not get."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import pytest

from webgeist.scrape.program.answers import Refusals

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Page

API = "https://api.site.example/rows?from=9"


@dataclass
class FakePage:
    url: str = "https://www.site.example/list"
    listeners: dict[str, Callable[[Any], None]] = field(default_factory=dict)

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        self.listeners[event] = hear

    def remove_listener(self, event: str, _hear: Callable[[Any], None]) -> None:
        del self.listeners[event]


@dataclass
class FakeRequest:
    url: str = API
    resource_type: str = "fetch"
    failure: str | None = None


@dataclass
class FakeResponse:
    request: FakeRequest
    status: int

    @property
    def url(self) -> str:
        return self.request.url


@pytest.fixture
def page() -> FakePage:
    return FakePage()


@pytest.fixture
def refusals(page: FakePage) -> Refusals:
    return Refusals(cast("Page", page))


def answer(page: FakePage, status: int, **request: str) -> None:
    page.listeners["response"](FakeResponse(FakeRequest(**request), status))


def test_a_failure_counts_until_it_is_answered(page: FakePage, refusals: Refusals) -> None:
    answer(page, 503)
    assert refusals.newest == f"{API}: the server answered 503"
    answer(page, 200, url=API.replace("9", "18"))
    assert refusals.newest is None


def test_a_failure_counts_until_there_is_more(page: FakePage, refusals: Refusals) -> None:
    page.listeners["requestfailed"](FakeRequest(failure="net::ERR_EMPTY_RESPONSE"))
    assert refusals.newest == f"{API}: net::ERR_EMPTY_RESPONSE"
    refusals.forget(for_good=False)
    assert refusals.newest is None


def test_at_first_it_may_matter_later(page: FakePage, refusals: Refusals) -> None:
    answer(page, 503)
    refusals.forget(for_good=False)
    answer(page, 503)
    assert refusals.newest is not None


def test_what_rows_do_not_need_may_fail_again(page: FakePage, refusals: Refusals) -> None:
    counter = "https://www.site.example/visits"
    answer(page, 500, url=counter)
    refusals.forget(for_good=True)
    answer(page, 500, url=counter + "?again")
    assert refusals.newest is None


def test_what_brought_rows_once_may_not(page: FakePage, refusals: Refusals) -> None:
    answer(page, 200)
    answer(page, 503)
    refusals.forget(for_good=True)
    answer(page, 503)
    assert refusals.newest is not None


def test_others_and_what_was_given_up_do_not_count(page: FakePage, refusals: Refusals) -> None:
    answer(page, 500, url="https://counter.example/hit")
    answer(page, 500, resource_type="image")
    answer(page, 404)
    page.listeners["requestfailed"](FakeRequest(failure="net::ERR_ABORTED"))
    assert refusals.newest is None


def test_nothing_is_heard_afterwards(page: FakePage, refusals: Refusals) -> None:
    refusals.stop()
    assert not page.listeners
