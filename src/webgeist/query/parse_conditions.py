"""Conditions: from a query's JSON to the tree, checked against the schema on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.links import layout, link, structure
from webgeist.query.operators import (
    COLOURS,
    COMPARISONS,
    LAYOUT,
    LISTS,
    LOGIC,
    QUANTIFIERS,
    STRUCTURE,
    TEXTS,
    VALUES,
    operator,
)
from webgeist.query.scopes import Column, Kind
from webgeist.query.tree import (
    EVERYTHING,
    Among,
    And,
    Compare,
    Counted,
    Near,
    Not,
    Or,
    Quantifier,
    Related,
    There,
)
from webgeist.query.values import colour, lab, number, operand, parse_css_colour, text, whole
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.query.links import Link
    from webgeist.query.schema import Schema
    from webgeist.query.scopes import Scope
    from webgeist.query.tree import Condition

_DEEPEST = 40
_MOST_ITEMS = 10_000
_MOST_PARTS = 2_000  # conditions of a query
_NEAR = 10.0  # a CIE distance that people see, but only just
_FARTHEST = 400.0
_LOWER, _UPPER = ("$gt", "$gte"), ("$lt", "$lte")
_SHOWN = 40  # letters of a name in a place


def at(where: str, key: str | int) -> str:
    """The place of a part of a query."""
    if isinstance(key, int):
        return f"{where}[{key}]"
    short = key if len(key) <= _SHOWN else f"{key[:_SHOWN]}…"
    return f"{where}.{short}" if where else short


def column_of(scope: Scope, name: str, where: str) -> Column:
    """QueryError names the nearest column."""
    found = scope.find(name)
    if found is None:
        raise QueryError(
            f"{scope.name} has no column {name[:_SHOWN]!r}",
            where=where,
            remedy=nearest(name[:_SHOWN], scope.names()),
        )
    return found


@dataclass
class Conditions:
    """Reads conditions on one schema. A query may only have so many, nested only so deep."""

    schema: Schema
    count: int = 0

    def read(self, scope: Scope, value: Any, where: str, depth: int = 0) -> Condition:
        """What is said of a row: an object, or a list of objects that must all hold."""
        self._spend(where, depth)
        if isinstance(value, list):
            return _all(
                [
                    self.read(scope, item, at(where, n), depth + 1)
                    for n, item in enumerate(_filled(value, where))
                ]
            )
        if not isinstance(value, dict):
            raise QueryError("an object of conditions is needed here", where=where)
        return _all(
            [self._field(scope, key, item, at(where, key), depth) for key, item in value.items()]
        )

    def _spend(self, where: str, depth: int) -> None:
        self.count += 1
        if depth > _DEEPEST:
            raise QueryError(f"conditions are nested deeper than {_DEEPEST} levels", where=where)
        if self.count > _MOST_PARTS:
            raise QueryError(f"a query has at most {_MOST_PARTS:,} conditions", where=where)

    def _field(self, scope: Scope, key: str, value: Any, where: str, depth: int) -> Condition:
        if key.startswith("@"):
            return self._related(scope, key, value, where, depth)
        column = None if key.startswith("$") else scope.find(key)
        if column is not None:
            return self._said(column, value, where, depth + 1)
        if logic := operator(key, LOGIC):
            return self._logic(
                logic, value, where, lambda item, place: self.read(scope, item, place, depth + 1)
            )
        if (name := operator(key, LAYOUT)) and (found := layout(name, scope)):
            return self._quantified((found, found), scope, value, where, depth)
        if key.startswith("$"):
            raise self._unknown_operator(scope, key, where)
        column_of(scope, key, where)  # which says what is wrong
        raise AssertionError(key)

    def _unknown_operator(self, scope: Scope, key: str, where: str) -> QueryError:
        if key in LAYOUT:
            return QueryError(f"{key} is between blocks", where=where, remedy="ask @visual")
        known = [*LOGIC, *(LAYOUT if scope.name == "@visual" else ())]
        return QueryError(
            f"there is no operator {key[:_SHOWN]} here", where=where, remedy=nearest(key, known)
        )

    def _logic(
        self, name: str, value: Any, where: str, read: Callable[[Any, str], Condition]
    ) -> Condition:
        """`$and` and `$or` of a list, or of the fields of an object; `$not` of one."""
        if name == "$not":
            return Not(read(value, where))
        if isinstance(value, dict):
            items = [({key: item}, where) for key, item in value.items()]
        elif isinstance(value, list):
            items = [(item, at(where, n)) for n, item in enumerate(value)]
        else:
            raise QueryError(f"{name} needs a list", where=where)
        found = tuple(read(item, place) for item, place in _filled(items, where))
        return And(found) if name == "$and" else Or(found)

    # --- other scopes --------------------------------------------------------------------------

    def _related(self, scope: Scope, key: str, value: Any, where: str, depth: int) -> Condition:
        name, dot, column = key.partition(".")
        if dot:
            value = {column: value}
        if name in STRUCTURE:
            found = structure(name, scope)
            if found is None:
                raise QueryError(
                    f"{scope.name} is no tree", where=where, remedy="ask @dom or @visual"
                )
            return self._quantified((found, found), scope, value, where, depth)
        inner = self.schema.scope(name, where)
        own, every = link(scope, inner), link(scope, inner, whole=True)
        if own is not None and every is not None:
            return self._quantified((own, every), inner, value, where, depth)
        return self._through(scope, inner, value, where, depth)

    def _through(self, scope: Scope, inner: Scope, value: Any, where: str, depth: int) -> Condition:
        """What belongs to a node's block, said of the node."""
        middle = self.schema.scopes.get("@visual")
        first = link(scope, middle) if middle else None
        if middle is None or first is None or link(middle, inner) is None:
            remedy = f'through the page: {{"@page": {{"{inner.name}": …}}}}'
            message = f"{inner.name} does not belong to {scope.name}"
            raise QueryError(message, where=where, remedy=remedy)
        said = self._related(middle, inner.name, value, where, depth + 1)
        return Related(first, middle, said)

    def _quantified(
        self, links: tuple[Link, Link], scope: Scope, value: Any, where: str, depth: int
    ) -> Condition:
        """`$any` (which need not be said), `$all`, `$none` and `$cnt` of related rows.

        The first of the links is meant where nothing of that is said, the second where it is.
        """
        self._spend(where, depth)
        own, every = links
        if not isinstance(value, dict):
            return Related(own, scope, self.read(scope, value, where, depth + 1))
        words = {key: operator(key, QUANTIFIERS) for key in value if scope.find(key) is None}
        plain = {key: item for key, item in value.items() if not words.get(key)}
        said = self.read(scope, plain, where, depth + 1) if plain else EVERYTHING
        found: list[Condition] = []
        for key, word in words.items():
            place = at(where, key)
            if word == "$cnt":
                found.append(Counted(every, scope, said, _bounds(value[key], place)))
            elif word and plain:
                raise QueryError(
                    f"conditions beside {word} go into it", where=place, remedy="$and in it"
                )
            elif word:
                inner = self.read(scope, value[key], place, depth + 1)
                found.append(Related(every, scope, inner, Quantifier(word)))
        return _all(found) if found else Related(own, scope, said)

    # --- columns -------------------------------------------------------------------------------

    def _said(self, column: Column, value: Any, where: str, depth: int) -> Condition:
        """A value or a list of values to be equal to, or an object of operators."""
        self._spend(where, depth)
        if value is None:
            return Not(There(column))
        if isinstance(value, list):
            return _among(column, value, where)
        if not isinstance(value, dict):
            return _equal(column, value, where)
        if not value:
            raise QueryError("an operator is needed here", where=where, remedy=", ".join(VALUES))
        return _all(
            [
                self._operator(column, key, item, at(where, key), depth)
                for key, item in value.items()
            ]
        )

    def _operator(self, column: Column, key: str, value: Any, where: str, depth: int) -> Condition:
        if logic := operator(key, LOGIC):
            return _as_range(
                self._logic(
                    logic,
                    value,
                    where,
                    lambda item, place: self._said(column, item, place, depth + 1),
                )
            )
        name = operator(key, VALUES)
        if name is None:
            raise QueryError(
                f"there is no operator {key[:_SHOWN]}",
                where=where,
                remedy=nearest(key if key.startswith("$") else f"${key}", [*VALUES, *LOGIC]),
            )
        if name in COLOURS:
            return self._colour(column, name, value, where, depth)
        if name == "$exists":
            if not isinstance(value, bool):
                raise QueryError("$exists needs true or false", where=where)
            return There(column) if value else Not(There(column))
        return _compared(column, name, value, where)

    def _colour(self, column: Column, name: str, value: Any, where: str, depth: int) -> Condition:
        if column.channels is None:
            raise QueryError(f"{column.name} is no colour", where=where)
        r, g, b, alpha = column.channels
        if name == "$alpha":
            return self._said(alpha, value, where, depth + 1)
        given = value if isinstance(value, dict) else {"colour": value}
        unknown = set(given) - {"colour", "within"}
        if unknown or "colour" not in given:
            raise QueryError('$near needs {"colour": …, "within": …}', where=where)
        within = number(given.get("within", _NEAR), where)
        if not 0 <= within <= _FARTHEST:
            raise QueryError(f"a CIE distance is from 0 to {_FARTHEST:.0f}", where=where)
        return Near((r, g, b), lab(colour(given["colour"], where)), within)


def _all(found: list[Condition]) -> Condition:
    return found[0] if len(found) == 1 else And(tuple(found))


def _filled(items: list[Any], where: str) -> list[Any]:
    if not items:
        raise QueryError("the list is empty", where=where)
    if len(items) > _MOST_ITEMS:
        raise QueryError(f"a list has at most {_MOST_ITEMS:,} items", where=where)
    return items


def _equal(column: Column, value: Any, where: str) -> Condition:
    if column.channels is not None:
        return _same_colour(column, value, where)
    beside = _numeric(column, value)
    if beside is not None and beside.making == "":
        return Compare(beside, "$eq", operand(beside, value, where))
    if beside is not None and not isinstance(value, str):
        return Compare(beside, "$eq", operand(beside, value, where))
    return Compare(column, "$eq", operand(column, value, where))


def _same_colour(column: Column, value: Any, where: str) -> Condition:
    """The same colour however it is written; another text (`currentcolor`) is compared as such."""
    found = parse_css_colour(text(value, where))
    if found is None or column.channels is None:
        return Compare(column, "$eq", value)
    pairs = zip(column.channels, found, strict=True)
    return And(tuple(Compare(each, "$eq", operand(each, part, where)) for each, part in pairs))


def _numeric(column: Column, value: Any) -> Column | None:
    """The number beside a CSS text, where a number or a length is what it is compared with."""
    from webgeist.query.values import parse_length

    if column.number is None:
        return None
    if isinstance(value, str):
        return column.number if parse_length(value) is not None else None
    return column.number if not isinstance(value, bool) and value is not None else None


def _among(column: Column, value: Any, where: str) -> Condition:
    items = _filled(value, where) if isinstance(value, list) else None
    if items is None:
        raise QueryError("a list is needed here", where=where)
    if column.channels is not None or column.number is not None:
        return Or(tuple(_equal(column, item, at(where, n)) for n, item in enumerate(items)))
    values = [operand(column, item, at(where, n)) for n, item in enumerate(items)]
    return Among(column, tuple(dict.fromkeys(values)))


def _compared(column: Column, name: str, value: Any, where: str) -> Condition:
    if name in LISTS:
        if name == "$between":
            return _between(column, value, where)
        found = _among(column, value, where)
        return found if name == "$in" else Not(found)
    if name in ("$eq", "$ne"):
        same = Not(There(column)) if value is None else _equal(column, value, where)
        return same if name == "$eq" else Not(same)
    if name in TEXTS:
        if column.kind is not Kind.TEXT:
            raise QueryError(f"{name} is for texts; {column.name} has none", where=where)
        return Compare(column, name, text(value, where))
    return _ordered(column, name, value, where)


def _ordered(column: Column, name: str, value: Any, where: str) -> Condition:
    """Less or greater; of CSS texts, the numbers in them."""
    if column.kind is Kind.BOOLEAN:
        raise QueryError(f"{name} is not for true and false", where=where)
    if column.channels is not None:
        raise QueryError(f"{name} is not for colours", where=where, remedy="$near or $alpha")
    target = column.number or column
    if column.number is not None and isinstance(value, str):
        value = number(value, where, pixels=True)
    return Compare(target, name, operand(target, value, where))


def _between(column: Column, value: Any, where: str) -> Condition:
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004 - two ends
        raise QueryError("$between needs a list of two values", where=where)
    low, high = value
    return And(
        (
            _ordered(column, "$gte", low, at(where, 0)),
            _ordered(column, "$lte", high, at(where, 1)),
        )
    )


def _as_range(condition: Condition) -> Condition:
    """The paper's printed form: a lower bound `$or` a higher upper one would hold for everything,
    and means both.
    """
    match condition:
        case Or((Compare() as one, Compare() as other)):
            low, high = (one, other) if one.operator in _LOWER else (other, one)
            if low.operator in _LOWER and high.operator in _UPPER and low.value <= high.value:
                return And((low, high))
    return condition


def _bounds(value: Any, where: str) -> tuple[tuple[str, float], ...]:
    """How many: a number, or comparisons with numbers."""
    given = value if isinstance(value, dict) else {"$eq": value}
    if not given:
        raise QueryError("a comparison is needed here", where=where)
    found = []
    for key, item in given.items():
        place = at(where, key)
        name = operator(key, COMPARISONS)
        if name is None:
            raise QueryError(
                f"there is no operator {key[:_SHOWN]} here",
                where=place,
                remedy=nearest(key, COMPARISONS),
            )
        found.append((name, whole(item, place, least=0, most=1 << 40)))
    return tuple(found)
