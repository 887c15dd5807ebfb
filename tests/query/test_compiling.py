"""Statements are kept with their release, and nothing else is taken for the same query."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.ask import ask, database_of
from webgeist.query.compiling import Kept, compiled

if TYPE_CHECKING:
    from webgeist.repository.release import Release

QUERY = {"$from": "@dom", "$where": {"x": {"$gt": 4}}, "$count": 1}


def _asked(release: Release, query: Any, scope: str | None = None) -> tuple[Any, int]:
    """The statement, and how many were compiled for it."""
    checked: list[object] = []
    return compiled(release, query, scope, checked.append), len(checked)


@pytest.fixture(autouse=True)
def _nothing_kept(release: Release) -> None:
    release.shared("compiled queries", Kept).held.clear()


def test_the_same_query_is_compiled_once(release: Release) -> None:
    first, made = _asked(release, QUERY)
    again, made_again = _asked(release, {key: value for key, value in QUERY.items()})  # noqa: C416 - another dictionary
    assert (made, made_again) == (1, 0)
    assert again is first


@pytest.mark.parametrize(
    "other",
    [
        QUERY | {"$where": {"x": {"$gt": 5}}},
        QUERY | {"$where": {"x": {"$gt": 4.5}}},
        QUERY | {"$where": {"y": {"$gt": 4}}},
    ],
)
def test_another_query_is_another(release: Release, other: dict[str, Any]) -> None:
    first, _ = _asked(release, QUERY)
    second, made = _asked(release, other)
    assert made == 1
    assert (second.sql, second.parameters) != (first.sql, first.parameters)


def test_the_scope_belongs_to_it(release: Release) -> None:
    query = {"$count": 1}
    assert _asked(release, query, "@dom")[0].read != _asked(release, query, "@visual")[0].read


def test_what_json_has_not_is_taken_for_nothing_else(release: Release) -> None:
    """Null is a value that is missing, and not a number is none at all."""
    assert len(ask(release, {"$from": "@dom", "$where": {"x": None}}))
    with pytest.raises(QueryError, match="finite"):
        ask(release, {"$from": "@dom", "$where": {"x": math.nan}})
    with pytest.raises(QueryError):
        ask(release, {"$from": "@dom", "$where": {"x": object()}})


def test_mistakes_are_not_kept(release: Release) -> None:
    for _ in range(2):
        with pytest.raises(QueryError, match="widht"):
            ask(release, {"$from": "@dom", "$where": {"widht": 1}})
    assert not release.shared("compiled queries", Kept).held


def test_only_the_last_ones_are_kept(release: Release) -> None:
    kept = release.shared("compiled queries", Kept)
    for number in range(300):
        _asked(release, QUERY | {"$where": {"x": number}})
    assert len(kept.held) == 256
    assert _asked(release, QUERY | {"$where": {"x": 299}})[1] == 0
    assert _asked(release, QUERY | {"$where": {"x": 0}})[1] == 1


def test_long_ones_are_not_kept(release: Release) -> None:
    _asked(release, QUERY | {"$where": {"node": list(range(9_000))}})
    assert not release.shared("compiled queries", Kept).held


def test_what_a_cursor_has_ready_gives_the_same_rows(release: Release) -> None:
    database_of(release).forget()
    first, second = (sorted(ask(release, QUERY).rows(), key=repr) for _ in range(2))
    database_of(release).forget()
    assert first == second == sorted(ask(release, QUERY).rows(), key=repr)


def test_a_shared_thing_may_need_another(release: Release) -> None:
    made = release.shared("outer", lambda: [release.shared("inner", lambda: "inside")])
    assert made == ["inside"]
