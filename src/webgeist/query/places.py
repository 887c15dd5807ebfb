"""Places in a query, as errors name them, and the columns that a name there means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.errors import QueryError
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from webgeist.query.scopes import Column, Scope

SHOWN = 40  # letters of a name in a place


def at(where: str, key: str | int) -> str:
    """The place of a part of a query."""
    if isinstance(key, int):
        return f"{where}[{key}]"
    short = key if len(key) <= SHOWN else f"{key[:SHOWN]}…"
    return f"{where}.{short}" if where else short


def column_of(scope: Scope, name: str, where: str) -> Column:
    """QueryError names the nearest column."""
    found = scope.find(name)
    if found is None:
        raise QueryError(
            f"{scope.name} has no column {name[:SHOWN]!r}",
            where=where,
            remedy=nearest(name[:SHOWN], scope.names()),
        )
    return found
