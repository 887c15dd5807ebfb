"""From a query to its statement. The last ones are kept with the release: many are asked again."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.emitting import emitted, readings
from webgeist.query.holding import NOTHING
from webgeist.query.parse import parse
from webgeist.query.plan import plan
from webgeist.query.reading import read
from webgeist.query.schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from webgeist.query.holding import Held
    from webgeist.query.tree import Query
    from webgeist.repository.release import Release

    Key = tuple[str | bytes, str | None, tuple[int, int]]

_MOST = 256  # statements that are kept
_LONGEST = 10_000  # letters of a query that is kept
_MARSHAL = 2  # the last form that does not depend on who else holds a value


@dataclass(frozen=True)
class Compiled:
    """A statement in DuckDB's words with its parameters, the columns that it reads of each table,
    and what is made of its rows afterwards.
    """

    query: Query
    sql: str
    parameters: dict[str, Any]
    read: dict[str, list[str]]
    finish: Callable[[pa.Table], pa.Table] | None


@dataclass
class Kept:
    """The statements that were wanted last, by the queries as they were written."""

    held: OrderedDict[Key, Compiled] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Key | None) -> Compiled | None:
        with self._lock:
            if key is None or key not in self.held:
                return None
            self.held.move_to_end(key)
            return self.held[key]

    def put(self, key: Key | None, made: Compiled) -> None:
        if key is None or len(key[0]) > _LONGEST:
            return
        with self._lock:
            self.held[key] = made
            if len(self.held) > _MOST:
                self.held.popitem(last=False)


def compiled(
    release: Release,
    query: str | dict[str, Any],
    scope: str | None,
    check: Callable[[Query], None],
    held: Held = NOTHING,
) -> Compiled:
    """The statement for a query. `check` says what else could be wrong with one; it is asked once.
    Tables of which all that it needs is `held` are read there, others from their files.

    QueryError: the query makes no sense.
    """
    kept = release.shared("compiled queries", Kept)
    key = _key(query, scope, held)
    found = kept.get(key)
    if found is None:
        found = _compiled(release, query, scope, held)
        check(found.query)
        kept.put(key, found)
    return found


def _key(query: str | dict[str, Any], scope: str | None, held: Held) -> Key | None:
    """None for values that JSON has not: `parse` tells what is wrong with them."""
    if isinstance(query, str):
        return query, scope, held.key
    try:
        return marshal.dumps(query, _MARSHAL), scope, held.key
    except ValueError:
        return None


def _compiled(
    release: Release, query: str | dict[str, Any], scope: str | None, held: Held
) -> Compiled:
    if isinstance(query, str):
        printed = read(query)
        query, scope = printed.value, scope or printed.scope
    try:
        tree = parse(schema(release), query, scope)
    except RecursionError as error:
        raise QueryError("the query is nested too deeply") from error
    files = release.shared("readings", lambda: readings(release))
    made = plan(tree, held, files | held.readings())
    if lacking := held.lacking(made.read) & held.columns.keys():
        held = held.without(lacking)
        made = plan(tree, held, files | held.readings())
    sql = emitted(made.tree)
    columns = {name: sorted(found) for name, found in made.read.items()}
    return Compiled(tree, sql, made.parameters, columns, made.finish)
