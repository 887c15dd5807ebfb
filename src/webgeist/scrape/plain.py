"""SQLAlchemy's statements on a bare SQLite connection: compiled once, then a tenth of the time.

A skip block around one line of a list takes seven statements; what SQLAlchemy does around each
would take longer than all that SQLite does in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    Values = Mapping[str, Any]

_DIALECT = sqlite.dialect(paramstyle="qmark")


class Compiled:
    """A statement as text, and the order of its values."""

    def __init__(self, statement: Any, names: tuple[str, ...]) -> None:
        keys = list(names) if isinstance(statement, sa.Insert) else None
        made = statement.compile(dialect=_DIALECT, column_keys=keys)
        self.text = str(made)
        self._names: list[str] = list(getattr(made, "positiontup", None) or ())
        self._constants: dict[str, Any] = dict(made.params)

    def values(self, given: Values) -> list[Any]:
        return [given[name] if name in given else self._constants[name] for name in self._names]


class Plain:
    """A connection to SQLite that takes SQLAlchemy's statements. Answers are sqlite3's cursors."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._durable: bool | None = None  # not known yet
        self._compiled: dict[tuple[int, tuple[str, ...]], tuple[sa.Executable, Compiled]] = {}

    def execute(
        self, statement: sa.Executable, values: Values | Sequence[Values] | None = None
    ) -> sqlite3.Cursor:
        """Several sets of values are executed one after the other."""
        many = values if isinstance(values, list) else None
        first: Values = many[0] if many else (values or {})  # type: ignore[assignment]
        key = (id(statement), tuple(first))
        known = self._compiled.get(key)
        if known is None:
            # the statement is kept, so that no other one can get its number
            known = self._compiled[key] = statement, Compiled(statement, tuple(first))
        compiled = known[1]
        if many:
            return self.connection.executemany(compiled.text, map(compiled.values, many))
        return self.connection.execute(compiled.text, compiled.values(first))

    def wait_for_disk(self, *, durable: bool) -> None:
        """Whether the end of a transaction waits until it is on the disk."""
        if durable is not self._durable:
            self.connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._durable = durable

    def begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def rollback(self) -> None:
        if self.connection.in_transaction:  # a full disk may have ended it
            self.connection.execute("ROLLBACK")
