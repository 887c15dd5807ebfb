"""What is new in a repository."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.repository.making import new_repository

import webgeist
from webgeist.errors import QueryError
from webgeist.watch import outbox
from webgeist.watch.looking import look_at_pages, look_at_query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Shooter

    from webgeist.repository.repository import Repository
    from webgeist.watch.looking import Seen

URL = "http://example.org/news"
EDITED = news(PROSE.replace("three", "five"), MORE, LAST)
WALL = "<title>403</title><h1>Access denied</h1><p>Please verify you are human."


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as made:
        yield made


def _look(repository: Repository, *urls: str) -> Seen:
    return look_at_pages(repository, ["a"], 0.0, urls or None)


def test_what_is_there_at_first_is_no_news(repository: Repository, shoot_html: Shooter) -> None:
    for html in (news(), EDITED):
        repository.add(shoot_html(html, url=URL))
    seen = _look(repository)
    assert (seen.notices, seen.compared) == ([], 0)


def test_an_important_change_is_told_once(repository: Repository, shoot_html: Shooter) -> None:
    first = repository.add(shoot_html(news(), url=URL))
    _look(repository)
    second = repository.add(shoot_html(EDITED, url=URL))
    (notice,) = _look(repository).notices
    assert (notice.kind, notice.subject) == ("change", URL)
    assert (notice.facts["before"], notice.facts["after"]) == (first, second)
    assert _look(repository).compared == 0
    with repository.transaction() as connection:
        assert [letter.notice for letter in outbox.due(connection, ["a"], 0.0)] == [notice]


def test_an_unimportant_one_and_one_that_was_taught_is_not(
    repository: Repository, shoot_html: Shooter
) -> None:
    a = repository.add(shoot_html(news(), url=URL))
    _look(repository)
    repository.add(shoot_html(news(menu="Games"), url=URL))
    assert _look(repository).notices == []
    b = repository.add(shoot_html(EDITED, url=URL))
    webgeist.teach(repository, a, b, important=False)
    assert _look(repository).notices == []


def test_behind_a_bot_wall_the_page_is_compared_with_what_was_there_before(
    repository: Repository, shoot_html: Shooter
) -> None:
    first = repository.add(shoot_html(news(), url=URL))
    _look(repository)
    repository.add(shoot_html(WALL, url=URL))
    seen = _look(repository)
    assert seen.notices == []
    assert [url for url, _ in seen.strange] == [URL]
    assert "not comparable" in seen.strange[0][1]
    repository.add(shoot_html(EDITED, url=URL))
    (notice,) = _look(repository).notices
    assert notice.facts["before"] == first


def test_a_clock_that_was_set_back_hides_no_change(
    repository: Repository, shoot_html: Shooter
) -> None:
    repository.add(shoot_html(news(), url=URL))
    _look(repository)
    new = shoot_html(EDITED, url=URL)
    early = replace(new.info, time=new.info.time - timedelta(days=3))
    repository.add(replace(new, info=early))
    assert len(_look(repository).notices) == 1


def test_only_the_pages_that_were_asked_for(repository: Repository, shoot_html: Shooter) -> None:
    for html in (news(), EDITED):
        repository.add(shoot_html(html, url=URL))
        seen = _look(repository, "http://example.org/other")
    assert seen.compared == 0


def test_another_answer_to_a_query_is_told(repository: Repository, shoot_html: Shooter) -> None:
    query = '{"$from": "@page", "$select": ["url"]}'
    repository.add(shoot_html(news(), url=URL))
    repository.publish()
    assert look_at_query(repository, query, ["a"], 0.0) is None
    assert look_at_query(repository, query, ["a"], 0.0) is None
    repository.add(shoot_html(news(), url=URL + "/2"))
    repository.publish()
    notice = look_at_query(repository, query, ["a"], 0.0)
    assert notice is not None
    assert notice.facts["came"] == [{"url": URL + "/2"}]
    assert look_at_query(repository, query, ["a"], 0.0) is None


def test_a_query_that_makes_no_sense(repository: Repository, shoot_html: Shooter) -> None:
    repository.add(shoot_html(news(), url=URL))
    repository.publish()
    with pytest.raises(QueryError):
        look_at_query(repository, '{"$from": "@nothing"}', ["a"], 0.0)
