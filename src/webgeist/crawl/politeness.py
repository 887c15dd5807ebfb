"""When a host may be asked again, and whether a page is tried again. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from webgeist.capture.outcome import Outcome
from webgeist.crawl.statements import PageState

if TYPE_CHECKING:
    from webgeist.settings import CrawlSettings

_FIRST_PAUSE = 5.0  # seconds after a host's first failure; each one more doubles it
GOOD = frozenset({Outcome.OK, Outcome.EMPTY})
# The next page of the host would fare no better.
_OF_THE_HOST = frozenset(
    {Outcome.UNKNOWN_HOST, Outcome.REFUSED, Outcome.CONNECTION, Outcome.TIMEOUT}
    | {Outcome.CERTIFICATE, Outcome.BLOCKED}
)
_BUSY = frozenset(
    {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.BAD_GATEWAY}
    | {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
_MAY_PASS = _OF_THE_HOST - {Outcome.CERTIFICATE} | {
    Outcome.BAD_RESPONSE,
    Outcome.TRUNCATED,
    Outcome.CRASHED,
    Outcome.BROWSER_DIED,
}


@dataclass(frozen=True)
class Visited:
    """What a visit gave. `retry_after` is the header as the server sent it."""

    outcome: Outcome
    status: int | None = None
    retry_after: str | None = None


@dataclass(frozen=True)
class Judgement:
    """What follows from a visit: seconds until the host, and the page, may be asked again."""

    state: PageState
    pause: float
    retry: float | None = None
    host_failures: int = 0
    give_up: bool = False  # the host: it has failed too often in a row


def judge(
    visited: Visited,
    settings: CrawlSettings,
    *,
    attempts: int,
    host_failures: int,
    robots_delay: float,
    now: float,
) -> Judgement:
    """Judge a visit. `attempts` and `host_failures` are those before it."""
    longest = settings.longest_delay_seconds
    pause = min(max(settings.delay_seconds, robots_delay), longest)
    busy = visited.status in _BUSY
    if visited.outcome in _OF_THE_HOST or busy:
        host_failures += 1
        asked = seconds_of(visited.retry_after, now) if busy else 0.0
        grown = _FIRST_PAUSE * 2.0 ** min(host_failures - 1, 32)
        pause = min(max(pause, grown, asked), longest)
    else:
        host_failures = 0
    if visited.outcome in GOOD:
        return Judgement(PageState.DONE, pause)
    give_up = host_failures >= settings.host_failures
    if (visited.outcome in _MAY_PASS or busy) and attempts + 1 < settings.attempts and not give_up:
        return Judgement(PageState.WAITING, pause, pause, host_failures)
    return Judgement(PageState.FAILED, pause, None, host_failures, give_up)


def seconds_of(retry_after: str | None, now: float) -> float:
    """What Retry-After asks for: seconds, or a time. 0 where it makes no sense."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return 0.0
