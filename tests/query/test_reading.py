"""From text to a query's value: JSON, and what a paper printed in its place."""

from __future__ import annotations

from typing import Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.reading import MOST_BYTES, Printed, read


@pytest.mark.parametrize(
    ("text", "value", "scope"),
    [
        ('{"$count": 1}', {"$count": 1}, None),
        ('  POST, /v1/dom.json\nquery = {"a": 1}', {"a": 1}, "dom"),
        ('POST /v1/block_types.json {"a": 1}', {"a": 1}, "block_types"),
        ('query={"a": [1, 2]}', {"a": [1, 2]}, None),
        ('{"a": {"b": 1}, {"c": 2}}', {"a": [{"b": 1}, {"c": 2}]}, None),
        ('{"a": {{"b": 1}}}', {"a": {"b": 1}}, None),
        ('{"a": {{"b": 1}, {"c": 2}}}', {"a": [{"b": 1}, {"c": 2}]}, None),
        ('{"a": [{{"b": -1.5e3}}, true, null]}', {"a": [{"b": -1500.0}, True, None]}, None),
        ('{"\\u00e9": {"b\\"": 1}, {"c": "}"}}', {"é": [{'b"': 1}, {"c": "}"}]}, None),
        ("[1]", [1], None),
    ],
)
def test_what_is_read(text: str, value: Any, scope: str | None) -> None:
    assert read(text) == Printed(value, scope)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"a": }',
        '{"a" 1}',
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": {"b": 1}, 2}',
        '{"a": 1} trailing',
        '{"a": 1, "a": {"b": 1}, {"c": 1}}',
        '{1: {"b": 1}, {"c": 1}}',
        '{"a": "\n"}',
        '{"a": {"b": 1.2.3}, {"c": 1}}',
        "{" * 1000,
        '{"a": ' * 70 + '{"b": 1}, {"c": 1}' + "}" * 70,
        "<html>",
    ],
)
def test_what_is_no_query(text: str) -> None:
    with pytest.raises(QueryError, match="no JSON") as caught:
        read(text)
    assert caught.value.where.startswith("line ")


def test_the_place_of_a_mistake() -> None:
    with pytest.raises(QueryError) as caught:
        read('{\n  "a": oops\n}')
    assert caught.value.where.startswith("line 2, column ")


def test_half_a_character() -> None:
    with pytest.raises(QueryError, match="surrogate|JSON"):  # noqa: RUF043 - either
        read('{"a": "\ud800"}')


def test_the_size_is_that_of_the_bytes() -> None:
    fits = '{"a": "' + "x" * (MOST_BYTES - 9) + '"}'
    assert len(fits) == MOST_BYTES
    assert read(fits).value["a"].startswith("xx")
    for text in (fits + " ", fits.replace("x", "é")):
        with pytest.raises(QueryError, match="longer than"):
            read(text)
