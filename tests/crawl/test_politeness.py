"""When a host is asked again, and which pages are tried again."""

from __future__ import annotations

import pytest

from webgeist.capture.outcome import Outcome
from webgeist.crawl.politeness import Judgement, Visited, judge, seconds_of
from webgeist.crawl.statements import PageState
from webgeist.settings import CrawlSettings

SETTINGS = CrawlSettings(delay_seconds=1, longest_delay_seconds=600, attempts=3, host_failures=5)
DONE, FAILED, WAITING = PageState.DONE, PageState.FAILED, PageState.WAITING


def judged(
    outcome: Outcome,
    status: int | None = None,
    retry_after: str | None = None,
    *,
    attempts: int = 0,
    failures: int = 0,
    robots_delay: float = 0.0,
) -> Judgement:
    visited = Visited(outcome, status, retry_after)
    return judge(
        visited,
        SETTINGS,
        attempts=attempts,
        host_failures=failures,
        robots_delay=robots_delay,
        now=0.0,
    )


def test_a_page_that_was_captured_is_done_and_the_host_gets_its_pause() -> None:
    assert judged(Outcome.OK, 200, failures=3) == Judgement(DONE, 1.0)
    assert judged(Outcome.EMPTY, 200, robots_delay=7.0) == Judgement(DONE, 7.0)


def test_no_host_can_ask_for_more_patience_than_the_limit() -> None:
    assert judged(Outcome.OK, 200, robots_delay=1e9).pause == 600
    assert judged(Outcome.HTTP_ERROR, 503, "99999999999").pause == 600


def test_failures_in_a_row_double_the_pause() -> None:
    pauses = [judged(Outcome.CONNECTION, failures=failures).pause for failures in range(9)]
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600]


def test_what_may_pass_is_tried_again_until_it_was_often_enough() -> None:
    assert judged(Outcome.TIMEOUT) == Judgement(WAITING, 5.0, 5.0, 1)
    assert judged(Outcome.TIMEOUT, attempts=1).state is WAITING
    assert judged(Outcome.TIMEOUT, attempts=2) == Judgement(FAILED, 5.0, None, 1)


@pytest.mark.parametrize("outcome", [Outcome.CRASHED, Outcome.BROWSER_DIED, Outcome.TRUNCATED])
def test_a_fault_of_the_page_does_not_slow_its_host(outcome: Outcome) -> None:
    assert judged(outcome, failures=2) == Judgement(WAITING, 1.0, 1.0, 0)


@pytest.mark.parametrize(
    "outcome",
    [Outcome.NOT_HTML, Outcome.DOWNLOAD, Outcome.REDIRECT_LOOP, Outcome.TOO_LARGE, Outcome.BAD_URL],
)
def test_what_will_not_pass_has_failed(outcome: Outcome) -> None:
    assert judged(outcome) == Judgement(FAILED, 1.0)


@pytest.mark.parametrize("status", [404, 401, 403, 410, 501])
def test_an_answer_that_is_final_has_failed(status: int) -> None:
    assert judged(Outcome.HTTP_ERROR, status, failures=2) == Judgement(FAILED, 1.0)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_host_is_given_the_time_that_it_asks_for(status: int) -> None:
    assert judged(Outcome.HTTP_ERROR, status) == Judgement(WAITING, 5.0, 5.0, 1)
    assert judged(Outcome.HTTP_ERROR, status, "120") == Judgement(WAITING, 120.0, 120.0, 1)
    assert judged(Outcome.HTTP_ERROR, status, "2").pause == 5.0


def test_a_certificate_is_not_tried_again_but_counts_against_its_host() -> None:
    assert judged(Outcome.CERTIFICATE) == Judgement(FAILED, 5.0, None, 1)


def test_a_host_that_keeps_failing_is_given_up() -> None:
    assert not judged(Outcome.REFUSED, failures=3).give_up
    assert judged(Outcome.REFUSED, failures=4) == Judgement(FAILED, 80.0, None, 5, give_up=True)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 60.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("-5", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        (None, 0.0),
        ("٣", 0.0),
        ("Thu, 01 Jan 99999999 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_time(text: str | None, seconds: float) -> None:
    assert seconds_of(text, 0.0) == seconds
