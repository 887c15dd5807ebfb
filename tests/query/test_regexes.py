"""Regular expressions are RE2's, and what is wrong with one is told before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.ask import ask, explain

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def _about(pattern: str) -> dict[str, Any]:
    return {"$from": "@dom", "$where": {"class": {"$regex": pattern}}, "$count": 1}


@pytest.mark.parametrize("pattern", ["(", "[a", "a{2,1}", "*", r"(?=a)", r"\1", "a{1001}"])
def test_what_re2_does_not_know(release: Release, pattern: str) -> None:
    for about in (ask, explain):
        with pytest.raises(QueryError) as caught:
            about(release, _about(pattern))
        assert caught.value.where == "class.$regex"


@pytest.mark.parametrize(
    "where",
    [
        {"$not": {"class": {"$regex": "("}}},
        {"$or": [{"depth": 1}, {"class": {"$not": {"$regex": "("}}}]},
        {"@children": {"$cnt": {"$gt": 1}, "class": {"$regex": "("}}},
        {"@page": {"@dom": {"class": {"$regex": "("}}}},
    ],
)
def test_they_are_found_anywhere(release: Release, where: dict[str, Any]) -> None:
    with pytest.raises(QueryError) as caught:
        ask(release, {"$from": "@dom", "$where": where, "$count": 1})
    assert caught.value.where == "class.$regex"


def test_no_pattern_takes_for_ever(release: Release) -> None:
    """What makes other engines go back and forth is linear in RE2."""
    assert ask(release, _about("(a+)+$|(.*)*x")).cut is None


def test_a_match_is_anywhere_and_knows_unicode(release: Release) -> None:
    count = {"$from": "@text", "$where": {"text": {"$regex": "caf\u00e9"}}, "$count": 1}
    like = {"$from": "@text", "$where": {"text": {"$like": "%caf\u00e9%"}}, "$count": 1}
    found = list(ask(release, count).rows())
    assert found == list(ask(release, like).rows())
    assert found[0]["count"] > 0
