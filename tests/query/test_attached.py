"""Tables from elsewhere are scopes like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from webgeist.errors import QueryError, UsageError
from webgeist.query.ask import ask, explain
from webgeist.query.attached import attach, attached
from webgeist.query.schema import schema
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.release import Release

PRICES = pa.table(
    {
        "price": [3, 5, 8, 13],
        "title": ["a", "b", "b", "it's"],
        "node": ["x", "y", "z", None],
        "from": [
            "http://host0.test/2",
            "http://host1.test/3",
            "http://host1.test/3",
            "http://no.test/",
        ],
    }
)


@pytest.fixture
def own(world: Path) -> Iterator[Release]:
    """A release of this test alone."""
    with open_repository(world, readonly=True) as repository, repository.release() as opened:
        yield opened


def _rows(release: Release, **query: Any) -> list[dict[str, Any]]:
    return list(
        ask(release, {f"${key}": value for key, value in query.items()}, scope="@prices").rows()
    )


def test_rows_are_asked_as_any(own: Release) -> None:
    attach(own, "prices", PRICES, url="from")
    assert _rows(own, where={"price": {"$gt": 4}}, count=1) == [{"count": 3}]
    assert _rows(own, where={"title": "it's"}, select=["price"]) == [{"price": 13}]
    assert _rows(own, top="title")[0]["value"] == "b"


def test_rows_belong_to_the_page_of_their_address(own: Release) -> None:
    attach(own, "prices", PRICES, url="from")
    found = _rows(own, where={"@page": {"host": "host1.test"}}, select=["price"], order="price")
    assert [row["price"] for row in found] == [5, 8]
    pages = ask(own, {"$where": {"@prices": {"price": 3}}, "$select": ["url"]})
    assert [row["url"] for row in pages.rows()] == ["http://host0.test/2"]
    assert _rows(own, where={"capture": None}, select=["price"]) == [{"price": 13}]


def test_a_column_called_like_a_key_joins_nothing(own: Release) -> None:
    attach(own, "prices", PRICES, url="from")
    assert "_node" in schema(own).scope("@prices").columns
    with pytest.raises(QueryError, match="does not belong"):
        _rows(own, where={"@dom": {"name": "p"}}, count=1)


def test_the_release_itself_stays_as_it_is(own: Release, release: Release) -> None:
    attach(own, "prices", PRICES, url="from")
    assert _rows(own, count=1) == [{"count": 4}]
    with pytest.raises(QueryError, match="no scope @prices"):
        _rows(release, count=1)
    assert "prices" not in own.tables()


@pytest.mark.parametrize("name", ["nodes", "twice"])
def test_a_name_that_is_taken(own: Release, name: str) -> None:
    attach(own, "twice", PRICES, url="from")
    with pytest.raises(UsageError, match="already"):
        attach(own, name, PRICES, url="from")


def test_not_after_the_first_question(own: Release) -> None:
    ask(own, {"$count": 1})
    with pytest.raises(UsageError, match="asked before"):
        attach(own, "prices", PRICES, url="from")
    assert not attached(own)


def test_a_table_without_captures(own: Release) -> None:
    with pytest.raises(UsageError, match="no column capture"):
        attach(own, "prices", PRICES)


def test_it_is_explained_and_described(own: Release) -> None:
    attach(own, "prices", PRICES, url="from")
    found = explain(own, {"$from": "@prices", "$top": "title"})
    assert found.tables == {"prices": ["title"]}
    assert found.estimate.rows == 4
    told = {scope["scope"]: scope for scope in schema(own).to_dict(own)}
    columns = {column["name"]: column for column in told["@prices"]["columns"]}
    assert columns["title"]["examples"] == ["a", "b", "it's"]
