"""Which errors are the site's, and how long is waited."""

from __future__ import annotations

import http.client
import urllib.error

import pytest
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from webgeist.errors import StorageError, UsageError
from webgeist.scrape.retrying import Retries, is_access_failure


class _RequestsError(OSError):
    pass


_RequestsError.__module__, _RequestsError.__name__ = "requests.exceptions", "RequestException"


class _HTTPError(_RequestsError):
    pass


@pytest.mark.parametrize(
    "error",
    [
        ConnectionResetError(),
        TimeoutError(),
        urllib.error.URLError("no route"),
        urllib.error.HTTPError("http://x", 503, "busy", http.client.HTTPMessage(), None),
        http.client.RemoteDisconnected("gone"),
        PlaywrightTimeoutError("30 s"),
        _HTTPError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_the_site_failed(error: Exception) -> None:
    assert is_access_failure(error)
    if isinstance(error, urllib.error.HTTPError):
        error.close()


@pytest.mark.parametrize(
    "error",
    [KeyError("x"), StorageError("full"), FileNotFoundError(), ValueError(), KeyboardInterrupt()],
    ids=lambda error: type(error).__name__,
)
def test_the_program_failed(error: BaseException) -> None:
    assert not is_access_failure(error)


def test_waits_double_up_to_a_limit() -> None:
    assert [Retries(5, wait=2).pause(n) for n in (1, 2, 3, 20)] == [2, 4, 8, 300]


def test_attempts_are_counted() -> None:
    assert Retries(2).again(TimeoutError(), 2)
    assert not Retries(2).again(TimeoutError(), 3)
    assert not Retries(2).again(ValueError(), 1)


@pytest.mark.parametrize(("times", "wait"), [(-1, 1.0), (1, -1.0), (1, float("inf"))])
def test_senseless(times: int, wait: float) -> None:
    with pytest.raises(UsageError):
        Retries(times, wait=wait)
