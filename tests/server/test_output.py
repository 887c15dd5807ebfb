"""Rows of scrapers over HTTP: as they were when the release was opened, and only read."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.repository.making import make_capture, new_repository
from tests.server.asking import serving

import webgeist
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.asking import Asked

QUERY = {"$from": "@output", "$select": ["title", "_program", "@page.url"], "$order": "title"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    with new_repository(tmp_path / "r", 1) as made:
        made.publish()
    return tmp_path / "r"


def _scrape(store: Path, *titles: str) -> None:
    with webgeist.Run("books", store=store) as run:
        for title in titles:
            run.output(title=title, source=make_capture(1).info.url)


def _items(asked: Asked, query: dict[str, Any]) -> list[dict[str, Any]]:
    answer = asked.client.post("/v1/query.json", json=query)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


@pytest.mark.parametrize("own", [True, False])
def test_rows_of_a_store_are_asked(repository: Path, tmp_path: Path, *, own: bool) -> None:
    store = repository / "state.db" if own else tmp_path / "books.db"
    _scrape(store, "it's A", "B")
    before = sha256(store.read_bytes()).hexdigest()
    with serving(repository, **({} if own else {"output": str(store)})) as asked:
        url = make_capture(1).info.url
        assert _items(asked, QUERY) == [
            {"title": "B", "_program": "books", "url": url},
            {"title": "it's A", "_program": "books", "url": url},
        ]
        assert _items(asked, {"$where": {"@output": {"title": "B"}}, "$select": ["url"]}) == [
            {"url": url}
        ]
        scopes = {scope["scope"]: scope for scope in asked.json("/v1/schema.json")["scopes"]}
        columns = {column["name"] for column in scopes["@output"]["columns"]}
        assert {"capture", "title", "_source", "_run"} <= columns
        asked.problem("/v1/tables/output.ndjson", 404)  # no table of a release
    assert sha256(store.read_bytes()).hexdigest() == before


def test_without_a_store_there_is_no_output(repository: Path) -> None:
    with serving(repository) as asked:
        found = asked.problem("/v1/query.json", 400, method="POST", json=QUERY)
        assert "no scope @output" in found["detail"]


def test_later_rows_come_with_the_next_release(repository: Path, tmp_path: Path) -> None:
    store = tmp_path / "books.db"
    _scrape(store, "A")
    count = {"$from": "@output", "$count": 1}
    with serving(repository, output=str(store)) as asked:
        assert _items(asked, count) == [{"count": 1}]
        _scrape(store, "A", "B")
        assert _items(asked, count) == [{"count": 1}]
        with webgeist.open_repository(repository) as opened:
            opened.add(make_capture(2))
            opened.publish()
        assert _items(asked, count)[0]["count"] > 1


def test_a_store_that_is_none_is_told_at_the_start(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError), serving(repository, output=str(tmp_path / "no.db")):
        pass
    assert not (tmp_path / "no.db").exists()


def test_where_the_store_is_stays_with_the_server(repository: Path, tmp_path: Path) -> None:
    _scrape(tmp_path / "secret-place.db", "A")
    with serving(repository, output=str(tmp_path / "secret-place.db")) as asked:
        told = asked.get("/v1/limits.json").text + asked.get("/v1/schema.json").text
        told += asked.client.post("/v1/explain.json", json=QUERY).text
        told += asked.client.post("/v1/query.json", json=QUERY | {"$where": {"x": 1}}).text
    assert "secret-place" not in told
