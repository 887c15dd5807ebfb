"""From text to a query's JSON value, also where a paper printed what JSON does not allow.

The Webzeitgeist paper shows its queries with the line `POST, /v1/pages.json` and `query =` in
front, and one of them has objects without a key: `{"$or": {"$gte": 0.4}, {"$lte": 0.6}}`. Such text
is read as it was meant: objects that follow each other make a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson

from webgeist.errors import QueryError

MOST_BYTES = 1 << 20
_DEEPEST = 64
_PRINTED = re.compile(r"\s*(?:POST,?\s+/v\d+/(?P<scope>[a-z_]+)\.json\s*)?(?:query\s*=\s*)?")
_TOKEN = re.compile(
    r'\s*(?:(?P<mark>[{}\[\],:])|(?P<value>"(?:[^"\\\x00-\x1f]|\\.)*"'
    r"|-?[0-9.]+(?:[eE][+-]?[0-9]+)?|true|false|null))"
)


@dataclass(frozen=True)
class Printed:
    """A query as it was written: its value, and the endpoint that was named with it."""

    value: Any
    scope: str | None = None


def read(text: str) -> Printed:
    """The value of a query's text. QueryError where it is none."""
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise QueryError(f"the query is longer than {MOST_BYTES:,} bytes")
    head = _PRINTED.match(text)
    start = head.end() if head else 0
    scope = head["scope"] if head else None
    try:
        return Printed(orjson.loads(text[start:]), scope)
    except orjson.JSONDecodeError as error:
        value = _Printed(text[start:]).value()
        if value is None:
            place = f"line {error.lineno}, column {error.colno}"
            raise QueryError(f"the query is no JSON: {error.msg}", where=place) from error
        return Printed(value, scope)
    except UnicodeEncodeError as error:
        raise QueryError("the query is no Unicode text: it has a lone surrogate") from error


class _NotPrintedError(Exception):
    """The text is not in the printed form, either."""


class _Printed:
    """Reads the printed form: JSON, but for a value or a key there may be several objects."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0

    def value(self) -> Any | None:
        """What the text means; None where it is not in the printed form."""
        try:
            found = self._one(0)
            self._take("end")
        except (_NotPrintedError, orjson.JSONDecodeError):
            return None
        return found

    def _one(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise _NotPrintedError
        if self._next("{"):
            return self._object(depth + 1)
        if self._next("["):
            return self._list(depth + 1)
        return orjson.loads(self._take("value"))

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        while not self._next("]"):
            if found:
                self._take(",")
            found.append(self._one(depth))
        return found

    def _object(self, depth: int) -> Any:
        """An object; one that only holds objects is the list of them, or the one."""
        if self._sees("{"):
            held = self._several(depth)
            self._take("}")
            return held[0] if len(held) == 1 else held
        found: dict[str, Any] = {}
        while not self._next("}"):
            if found:
                self._take(",")
            key = orjson.loads(self._take("value"))
            self._take(":")
            if not isinstance(key, str) or key in found:
                raise _NotPrintedError
            found[key] = self._field(depth)
        return found

    def _field(self, depth: int) -> Any:
        """A value; with the objects that follow it without a key, the list of them."""
        first = self._one(depth)
        more = []
        while self._sees(",", "{"):
            self._take(",")
            more.append(self._one(depth))
        return [first, *more] if more else first

    def _several(self, depth: int) -> list[Any]:
        found = [self._one(depth)]
        while self._next(","):
            found.append(self._one(depth))
        return found

    def _sees(self, *kinds: str) -> bool:
        ahead = self._tokens[self._at : self._at + len(kinds)]
        return [kind for kind, _ in ahead] == list(kinds)

    def _next(self, kind: str) -> bool:
        seen = self._sees(kind)
        self._at += seen
        return seen

    def _take(self, kind: str) -> str:
        if not self._sees(kind):
            raise _NotPrintedError
        self._at += 1
        return self._tokens[self._at - 1][1]


def _tokens(text: str) -> list[tuple[str, str]]:
    """Kind and text of each; marks are their own kind. The last is the end, or what is none."""
    found: list[tuple[str, str]] = []
    at = 0
    while match := _TOKEN.match(text, at):
        at = match.end()
        found.append((match["mark"] or "value", match["mark"] or match["value"]))
    return [*found, ("wrong" if text[at:].strip() else "end", "")]
