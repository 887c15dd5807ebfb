"""What lets a client keep answers, and numbers in their digits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from fastapi import Request
from tests.repository.making import make_capture, new_repository

from webgeist.server.replies import ASK_AGAIN, FOR_GOOD, exact, json_reply, kept, tag_of, unchanged

if TYPE_CHECKING:
    from pathlib import Path


def _request(path: str = "/v1/x", query: str = "", said: str | None = None) -> Request:
    headers = [] if said is None else [(b"if-none-match", said.encode())]
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "server": ("localhost", 80),
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
        }
    )


@pytest.mark.parametrize("said", ['"tag"', 'W/"tag"', '"a", "tag"', 'W/"a",W/"tag" ', "*", " * "])
def test_who_has_it_is_told_so(said: str) -> None:
    answer = unchanged(_request(said=said), "tag", FOR_GOOD)
    assert answer is not None
    assert answer.status_code == 304
    assert answer.headers["etag"] == '"tag"'
    assert answer.headers["cache-control"] == FOR_GOOD


@pytest.mark.parametrize("said", [None, "", '"other"', "tag", '"ta', '"tagg"', "**"])
def test_who_has_not_gets_it(said: str | None) -> None:
    assert unchanged(_request(said=said), "tag") is None


def test_nobody_else_may_keep_an_answer() -> None:
    for caching in (FOR_GOOD, ASK_AGAIN):
        assert kept("tag", caching)["cache-control"].startswith("private")


def test_a_tag_is_of_one_address_in_one_release(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        repository.add(make_capture(2))
        repository.publish()
        with repository.release(1) as one, repository.release(2) as two:
            asked = [_request(), _request("/v1/y"), _request(query="a=1")]
            tags = [tag_of(release, request) for release in (one, two) for request in asked]
            tags.append(tag_of(one, _request(), "more"))
            assert len(set(tags)) == 7
            assert tag_of(one, _request()) == tags[0]


def test_numbers_of_32_bits_have_their_own_digits() -> None:
    answer = json_reply({"x": exact(1.100000023841858), "n": exact(3), "t": exact("a"), 1: None})
    assert answer.body == b'{"x":1.1,"n":3,"t":"a","1":null}'
    assert json.loads(bytes(json_reply({"x": exact(float("nan"))}).body)) == {"x": None}
