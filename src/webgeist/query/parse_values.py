"""What is said of one column: from a query's JSON to comparisons, by the column's type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.operators import COMPARISONS, LISTS, TEXTS, operator
from webgeist.query.places import SHOWN, at
from webgeist.query.scopes import Kind
from webgeist.query.tree import Among, And, Compare, Not, Or, There
from webgeist.query.values import number, operand, parse_css_colour, parse_length, text, whole
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from webgeist.query.scopes import Column
    from webgeist.query.tree import Condition

MOST_ITEMS = 10_000
_LOWER, _UPPER = ("$gt", "$gte"), ("$lt", "$lte")


def filled(items: list[Any], where: str) -> list[Any]:
    if not items:
        raise QueryError("the list is empty", where=where)
    if len(items) > MOST_ITEMS:
        raise QueryError(f"a list has at most {MOST_ITEMS:,} items", where=where)
    return items


def equal(column: Column, value: Any, where: str) -> Condition:
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
    if column.number is None:
        return None
    if isinstance(value, str):
        return column.number if parse_length(value) is not None else None
    return column.number if not isinstance(value, bool) and value is not None else None


def among(column: Column, value: Any, where: str) -> Condition:
    items = filled(value, where) if isinstance(value, list) else None
    if items is None:
        raise QueryError("a list is needed here", where=where)
    if column.channels is not None or column.number is not None:
        return Or(tuple(equal(column, item, at(where, n)) for n, item in enumerate(items)))
    values = [operand(column, item, at(where, n)) for n, item in enumerate(items)]
    return Among(column, tuple(dict.fromkeys(values)))


def compared(column: Column, name: str, value: Any, where: str) -> Condition:
    if name in LISTS:
        if name == "$between":
            return _between(column, value, where)
        found = among(column, value, where)
        return found if name == "$in" else Not(found)
    if name in ("$eq", "$ne"):
        same = Not(There(column)) if value is None else equal(column, value, where)
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


def as_range(condition: Condition) -> Condition:
    """The paper's printed form: a lower bound `$or` a higher upper one would hold for everything,
    and means both.
    """
    match condition:
        case Or((Compare() as one, Compare() as other)):
            low, high = (one, other) if one.operator in _LOWER else (other, one)
            if low.operator in _LOWER and high.operator in _UPPER and low.value <= high.value:
                return And((low, high))
    return condition


def bounds(value: Any, where: str) -> tuple[tuple[str, float], ...]:
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
                f"there is no operator {key[:SHOWN]} here",
                where=place,
                remedy=nearest(key, COMPARISONS),
            )
        found.append((name, whole(item, place, least=0, most=1 << 40)))
    return tuple(found)
