"""/v1/teachings: the one thing that is written over HTTP, by those who may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.server.asking import Asked, problem, serving

import webgeist
from webgeist.analyses.changes.teachings import read_teachings
from webgeist.repository.init import make_if_missing
from webgeist.repository.repository import open_repository
from webgeist.server.tokens import Scope, add_token

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx
    from tests.conftest import Shooter

URL = "http://example.org/news"


@pytest.fixture
def pair(tmp_path: Path, shoot_html: Shooter) -> tuple[str, str]:
    """An edited article in the repository `tmp_path / "r"`."""
    make_if_missing(tmp_path / "r")
    pages = news(PROSE, MORE, LAST), news(PROSE.replace("three", "five"), MORE, LAST)
    with open_repository(tmp_path / "r") as repository:
        before, after = (repository.add(shoot_html(page, url=URL)) for page in pages)
        repository.publish()
    return before, after


@pytest.fixture
def writer(tmp_path: Path, pair: tuple[str, str]) -> Iterator[Asked]:
    secret = add_token(tmp_path / "tokens", Scope.WRITE, "me")
    with serving(tmp_path / "r", token_file=str(tmp_path / "tokens")) as asked:
        asked.client.headers["authorization"] = f"Bearer {secret}"
        yield asked


def _put(asked: Asked, pair: tuple[str, str], **verdict: Any) -> httpx.Response:
    return asked.client.put(f"/v1/teachings/{'/'.join(pair)}.json", json=verdict)


def _judged(folder: Path, pair: tuple[str, str]) -> bool:
    with open_repository(folder, readonly=True) as repository:
        return webgeist.compare(*map(repository.capture, pair)).important


def test_a_change_is_taught_listed_and_forgotten(
    writer: Asked, pair: tuple[str, str], tmp_path: Path
) -> None:
    assert _judged(tmp_path / "r", pair)
    answer = _put(writer, pair, important=False, regions=[1])
    assert answer.status_code == 200, answer.text
    (made,) = answer.json()["taught"]
    assert (made["of"], made["important"], made["site"]) == (URL, False, False)
    assert not _judged(tmp_path / "r", pair)
    assert writer.json("/v1/teachings.json") == {"taught": [made]}
    gone = writer.client.delete(f"/v1/teachings/{made['id']}.json")
    assert gone.json() == {"forgotten": [made]}
    assert _judged(tmp_path / "r", pair)
    problem(writer.client.delete(f"/v1/teachings/{made['id']}.json"), 404)


def test_the_contrary_replaces_it(writer: Asked, pair: tuple[str, str]) -> None:
    for important in (False, True):
        _put(writer, pair, important=important, site=True)
    (left,) = writer.json("/v1/teachings.json")["taught"]
    assert (left["important"], left["of"]) == (True, "example.org")


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        ({}, 400),
        ({"important": "perhaps"}, 400),
        ({"important": 1}, 400),
        ({"important": False, "regions": [0]}, 400),
        ({"important": False, "regions": [99]}, 404),
        ({"important": False, "regions": "1"}, 400),
        ({"important": False, "more": 1}, 400),
    ],
)
def test_what_is_no_verdict(
    writer: Asked, pair: tuple[str, str], tmp_path: Path, verdict: dict[str, Any], status: int
) -> None:
    problem(_put(writer, pair, **verdict), status)
    with open_repository(tmp_path / "r", readonly=True) as repository:
        assert not read_teachings(repository.layout).all


def test_captures_that_are_not_there(writer: Asked, pair: tuple[str, str]) -> None:
    problem(_put(writer, (pair[0], "01HQTA33G0X1Y5Z7N3QK2M8R4C"), important=True), 404)
    found = problem(_put(writer, (pair[0], "nonsense"), important=True), 400)
    assert found["where"] == "path after"


def test_who_may_not_write(tmp_path: Path, pair: tuple[str, str]) -> None:
    with serving(tmp_path / "r") as asked:
        found = problem(_put(asked, pair, important=False), 403)
        assert "without tokens this server only reads" in found["detail"]
        problem(asked.client.delete("/v1/teachings/all.json"), 403)
        assert asked.json("/v1/teachings.json") == {"taught": []}
    secret = add_token(tmp_path / "tokens", Scope.READ, "reader")
    with serving(tmp_path / "r", token_file=str(tmp_path / "tokens")) as asked:
        asked.client.headers["authorization"] = f"Bearer {secret}"
        problem(_put(asked, pair, important=False), 403)
        assert asked.json("/v1/teachings.json") == {"taught": []}


def test_while_somebody_else_writes_it_is_busy(
    writer: Asked, pair: tuple[str, str], tmp_path: Path
) -> None:
    with open_repository(tmp_path / "r") as repository:
        repository.claim()
        found = problem(_put(writer, pair, important=False), 503)
        assert "in use by process" in found["detail"]
    assert _put(writer, pair, important=False).status_code == 200
