"""Regular expressions are checked before a query runs: RE2 says what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.errors import QueryError
from webgeist.query.tree import And, Compare, Counted, Not, Or, Related

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.query.database import Database
    from webgeist.query.tree import Condition, Query


def check_regexes(query: Query, database: Database) -> None:
    """QueryError for the first that is none, or too large."""
    for compare in _regexes(query.where):
        problem = database.problem_of_regex(compare.value)
        if problem is not None:
            raise QueryError(f"{problem}", where=f"{compare.column.name}.$regex")


def _regexes(condition: Condition) -> Iterator[Compare]:
    match condition:
        case And(items) | Or(items):
            for item in items:
                yield from _regexes(item)
        case Not(item):
            yield from _regexes(item)
        case Related(condition=inner) | Counted(condition=inner):
            yield from _regexes(inner)
        case Compare(operator="$regex"):
            yield condition
