"""Rule files in words, each with its place."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.lexer import Kind, tokens


def words(text: str) -> list[str]:
    return [token.text for token in tokens(text, "f")][:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a::b(X) <- c(X).", ["a", "::", "b", "(", "X", ")", "<-", "c", "(", "X", ")", "."]),
        ('x(X, "a b")', ["x", "(", "X", ",", '"a b"', ")"]),
        ("N = #count(Y : p(Y))", ["N", "=", "#count", "(", "Y", ":", "p", "(", "Y", ")", ")"]),
        ("A <= 1.5 + B", ["A", "<=", "1.5", "+", "B"]),
        ("a % b\nc", ["a", "c"]),
        ("", []),
        ("größe(X)", ["größe", "(", "X", ")"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_places_count_lines_and_columns_from_one() -> None:
    found = list(tokens("a\n  % nothing\n\n  b c\n", "mine.beryl"))
    assert [(str(each.place), each.text) for each in found] == [
        ("mine.beryl:1:1", "a"),
        ("mine.beryl:4:3", "b"),
        ("mine.beryl:4:5", "c"),
        ("mine.beryl:5:1", ""),
    ]
    assert found[-1].kind is Kind.END


def test_tokens_that_touch() -> None:
    one, two, three, *_ = tokens("a<b c", "f")
    assert one.stop == two.start
    assert two.stop == three.start


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a ?", "f:1:3", "no meaning"),
        ('a\n "x\n"', "f:2:2", "does not end in its line"),
        ("a;", "f:1:2", "no meaning"),
    ],
)
def test_what_is_no_word_is_told_with_its_place(text: str, place: str, message: str) -> None:
    with pytest.raises(RuleError, match=message) as told:
        list(tokens(text, "f"))
    assert str(told.value.place) == place


def test_a_file_that_nobody_wrote_is_refused() -> None:
    with pytest.raises(RuleError, match="longer than"):
        list(tokens("a" * 2_000_001, "f"))
