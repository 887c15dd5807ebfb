"""Cuts a rule file into words."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from webgeist.analyses.blocks.rules.errors import Place, RuleError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 2_000_000  # characters of a rule file: more than any person writes


class Kind(StrEnum):
    STRING = "string"
    NUMBER = "number"
    NAME = "name"
    AGGREGATE = "aggregate"
    SYMBOL = "symbol"
    END = "end of the file"


class Token(NamedTuple):
    """`start` and `stop` are offsets: two tokens touch where one's stop is the other's start."""

    kind: Kind
    text: str
    start: int
    stop: int
    place: Place


_TOKEN = re.compile(
    r"""(?P<skip>\s+|%[^\n]*)
      |(?P<string>"[^"\n]*")
      |(?P<number>\d+(?:\.\d+)?)
      |(?P<name>[^\W\d]\w*)
      |(?P<aggregate>\#[a-z]+)
      |(?P<symbol><-|<=|>=|!=|::|[<>=(){},.:+\-*/])""",
    re.VERBOSE,
)


_KINDS = {kind.value: kind for kind in Kind}


def tokens(text: str, file: str) -> Iterator[Token]:
    """The words of `text`, and at last its end. RuleError where something is no word."""
    if len(text) > _LONGEST:
        raise RuleError(f"the file is longer than {_LONGEST:,} characters", Place(file, 1, 1))
    line, line_start, at = 1, 0, 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        place = Place(file, line, at - line_start + 1)
        if found is None:
            raise RuleError(_stray(text[at]), place)
        word, end = found.group(), found.end()
        if found.lastgroup != "skip":
            yield Token(_KINDS[found.lastgroup or ""], word, at, end, place)
        elif "\n" in word:
            line += word.count("\n")
            line_start = at + word.rindex("\n") + 1
        at = end
    yield Token(Kind.END, "", at, at, Place(file, line, at - line_start + 1))


def _stray(character: str) -> str:
    if character == '"':
        return "a string that does not end in its line"
    return f"{character!r} has no meaning here"
