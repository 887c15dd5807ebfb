"""What a query is sent in."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

import pytest
from fastapi import Request
from hypothesis import given
from hypothesis import strategies as st

from webgeist.server.bodies import query_text
from webgeist.server.problems import ProblemError

FORM = "application/x-www-form-urlencoded"


def text(body: bytes, kind: str) -> str:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"content-type", kind.encode())]
    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    return asyncio.run(query_text(request))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_same_text_comes_either_way(query: str) -> None:
    assert text(query.encode(), "application/json; charset=utf-8") == query
    assert text(urlencode({"query": query}).encode(), FORM) == query
    assert text(query.encode(), "application/x+json") == query


@pytest.mark.parametrize(
    ("body", "kind", "status", "where"),
    [
        (b"{}", "text/xml", 415, "header Content-Type"),
        (b"{}", "multipart/form-data; boundary=x", 415, "header Content-Type"),
        (b'{"\xff": 1}', "application/json", 400, "body"),
        (b'{"$select": []}', FORM, 400, "body"),
        (b"query=1&query=2", FORM, 400, "body"),
        (b"quer=1", FORM, 400, "body"),
        (b"query=%ff", FORM, 400, "body"),
        (b"", FORM, 400, "body"),
        (b"&".join([b"a=1"] * 10_000), FORM, 400, "body"),
    ],
)
def test_what_is_no_query(body: bytes, kind: str, status: int, where: str) -> None:
    with pytest.raises(ProblemError) as caught:
        text(body, kind)
    assert (caught.value.problem.status, caught.value.problem.where) == (status, where)
