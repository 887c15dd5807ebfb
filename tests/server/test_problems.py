"""Every failure as a problem of one form."""

from __future__ import annotations

import logging

import orjson
import pytest

from webgeist.errors import (
    BrowserError,
    DamagedError,
    LimitError,
    NotFoundError,
    QueryError,
    SettingsError,
    StorageError,
    UsageError,
    WebgeistError,
)
from webgeist.server.problems import TITLES, WORDS, Problem, ProblemError, problem_of


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (UsageError("x"), "request"),
        (SettingsError("x"), "request"),
        (QueryError("x", where="$where"), "query"),
        (QueryError("x"), "query"),
        (NotFoundError("x"), "not-found"),
        (DamagedError("x"), "damaged"),
        (LimitError("x"), "limit"),
        (StorageError("x"), "storage"),
        (ProblemError(503, "x"), "busy"),
    ],
)
def test_each_error_is_a_problem_with_its_status(error: Exception, word: str) -> None:
    facts = problem_of(error, "GET /").facts()
    assert facts["type"] == f"urn:webgeist:problem:{word}"
    assert facts["title"] == TITLES[word]
    if isinstance(error, WebgeistError):
        assert facts["status"] == error.http_status


def test_remedy_and_place_are_told() -> None:
    error = QueryError("no column 'a'", where="$select[0]", remedy="did you mean b?")
    facts = problem_of(error, "POST /").facts()
    assert (facts["where"], facts["remedy"]) == ("$select[0]", "did you mean b?")
    assert "remedy" not in problem_of(NotFoundError("x"), "GET /").facts()


@pytest.mark.parametrize("error", [ZeroDivisionError("secret"), WebgeistError("secret")])
def test_what_nobody_foresaw_is_a_bug(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "webgeist.server"):
        problem = problem_of(error, "GET /x")
    assert problem.status == 500
    assert "secret" not in str(problem.facts())
    assert problem.id
    assert problem.id in caplog.text


def test_a_status_without_a_word_is_a_request_or_a_bug() -> None:
    assert Problem(418, "x").facts()["type"].endswith(":request")
    assert Problem(BrowserError.http_status, "x").facts()["type"].endswith(":bug")


def test_every_word_has_a_title() -> None:
    assert {*WORDS.values(), "query", "bug"} == set(TITLES)


def test_what_a_client_sent_is_quoted_whatever_it_is() -> None:
    body = bytes(Problem(404, "nothing at \udcff").response().body)
    assert orjson.loads(body)["detail"] == "nothing at ?"
