"""Conditions: from a query's JSON to the tree, checked against the schema on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.links import layout, link, structure
from webgeist.query.operators import (
    COLOURS,
    LAYOUT,
    LOGIC,
    QUANTIFIERS,
    STRUCTURE,
    VALUES,
    operator,
)
from webgeist.query.parse_values import among, as_range, bounds, compared, equal, filled
from webgeist.query.places import SHOWN, at, column_of
from webgeist.query.tree import (
    EVERYTHING,
    And,
    Counted,
    Near,
    Not,
    Or,
    Quantifier,
    Related,
    There,
)
from webgeist.query.values import colour, lab, number
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.query.links import Link
    from webgeist.query.schema import Schema
    from webgeist.query.scopes import Column, Scope
    from webgeist.query.tree import Condition

_DEEPEST = 40
_MOST_PARTS = 2_000  # conditions of a query
_NEAR = 10.0  # a CIE distance that people see, but only just
_FARTHEST = 400.0


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
                    for n, item in enumerate(filled(value, where))
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
            f"there is no operator {key[:SHOWN]} here", where=where, remedy=nearest(key, known)
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
        found = tuple(read(item, place) for item, place in filled(items, where))
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
                found.append(Counted(every, scope, said, bounds(value[key], place)))
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
            return among(column, value, where)
        if not isinstance(value, dict):
            return equal(column, value, where)
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
            return as_range(
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
                f"there is no operator {key[:SHOWN]}",
                where=where,
                remedy=nearest(key if key.startswith("$") else f"${key}", [*VALUES, *LOGIC]),
            )
        if name in COLOURS:
            return self._colour(column, name, value, where, depth)
        if name == "$exists":
            if not isinstance(value, bool):
                raise QueryError("$exists needs true or false", where=where)
            return There(column) if value else Not(There(column))
        return compared(column, name, value, where)

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
