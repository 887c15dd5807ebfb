"""The words of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask
from webgeist.query.operators import ALL, COMPARISONS, LOGIC, RESULTS, VALUES, operator

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def test_with_and_without_its_mark() -> None:
    assert operator("$gt", COMPARISONS) == operator("gt", COMPARISONS) == "$gt"
    assert operator("$and", COMPARISONS) is None
    assert operator("$$gt", COMPARISONS) is None
    assert operator("", COMPARISONS) is None
    assert operator("GT", COMPARISONS) is None


def test_each_word_is_there_once() -> None:
    assert len(ALL) == len(set(ALL))
    assert all(word[0] in "$@" for word in ALL)


_OPERANDS: dict[str, Any] = {
    "$in": [1, 2],
    "$nin": [1],
    "$between": [1, 2],
    "$exists": True,
    "$like": "a%",
    "$regex": "a",
    "$near": "red",
    "$alpha": 1,
}


@pytest.mark.parametrize("word", VALUES)
def test_what_is_said_of_a_column_needs_no_mark(release: Release, word: str) -> None:
    texts, colours = ("$like", "$regex"), ("$near", "$alpha")
    name = "text" if word in texts else "color" if word in colours else "node"
    scope = "@styles" if word in colours else "@text"
    operand = _OPERANDS.get(word, 1)
    counts = [
        list(ask(release, {"$from": scope, "$where": {name: {key: operand}}, "$count": 1}).rows())
        for key in (word, word[1:])
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("word", LOGIC)
def test_logic_needs_no_mark(release: Release, word: str) -> None:
    said: Any = {"node": {"gt": 2}} if word == "$not" else [{"node": {"gt": 2}}, {"node": 1}]
    counts = [
        list(ask(release, {"from": "@dom", "where": {key: said}, "count": 1}).rows())
        for key in (word, word[1:])
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("word", RESULTS)
def test_results_need_no_mark(release: Release, word: str) -> None:
    of: Any = {"rows": 2, "columns": 2} if word == "$heatmap" else "node"
    tables = [ask(release, {"$from": "@dom", key: of}).table for key in (word, word[1:])]
    assert tables[0].column_names == tables[1].column_names
    assert tables[0].num_rows == tables[1].num_rows > 0
