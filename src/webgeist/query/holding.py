"""Columns that are asked for again and again, kept in memory while a release is open.

Whoever asks once reads files. Whoever keeps asking (a server, a notebook) has spent more on reading
them, after a while, than copying takes; then their columns are copied, as far as memory allows: in
all, that takes at most twice as long as knowing beforehand would have.
Texts that repeat become numbers on the way, and captures the same numbers in all tables, so that
they are compared and joined as such. Answers are the same.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlglot import exp

from webgeist.query.emitting import readings
from webgeist.query.scopes import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from webgeist.repository.release import Release

_SHARE = 0.3  # of the memory of queries; twice that while a table is replaced by a wider one
_SECONDS = 5e-8  # that copying a value takes
_AT_LEAST = 0.02  # seconds that copying a table takes
_BYTES, _TEXT_BYTES = 8, 80  # of a value in memory, at most; of texts that is a guess
_MOST_ASKED = 2_000  # columns that are counted
_MAP_TIMES = 4  # an attribute takes as long as so many columns
_ATTRIBUTE = re.compile(r"attributes\.([a-z][a-z0-9_:-]*)")


@dataclass(frozen=True)
class Held:
    """The columns of each table that are in memory; `attributes.NAME` is an attribute. Whatever is
    added makes another one, with another `key`: databases of other sizes have others.
    """

    columns: Mapping[str, frozenset[str]] = field(default_factory=dict)
    key: tuple[int, int] = (0, 0)

    def of(self, table: str) -> frozenset[str]:
        return self.columns.get(table, frozenset())

    def lacking(self, read: Mapping[str, Iterable[str]]) -> set[str]:
        """The tables of which something is read that is not here."""
        return {table for table, names in read.items() if not self.of(table).issuperset(names)}

    def without(self, tables: set[str]) -> Held:
        kept = {table: names for table, names in self.columns.items() if table not in tables}
        return Held(kept, self.key)

    def readings(self) -> dict[str, str]:
        """The words that read each of these tables."""
        return {table: f"held.{_quoted(table)}" for table in self.columns}


NOTHING = Held()


@dataclass
class Holding:
    """Which columns of a release are worth it. `held` are those that are there."""

    release: Release
    memory_mb: int
    held: Held = NOTHING
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    _spent: dict[str, float] = field(default_factory=dict)
    _given_up: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def due(self, read: Mapping[str, Collection[str]], seconds: float) -> list[str]:
        """Notes what a statement read and how long it took: the tables to be copied now."""
        with self._lock:
            lacking = sorted(self.held.lacking(read) & self._readings.keys() - self._given_up)
            rows = sum(self._rows(table) for table in lacking) or 1
            for table in lacking:
                share = seconds * self._rows(table) / rows
                self._spent[table] = self._spent.get(table, 0.0) + share
                self._asked.update((table, name) for name in read[table])
            if len(self._asked) > _MOST_ASKED:  # names of attributes are endless
                self._asked = Counter(dict(self._asked.most_common(_MOST_ASKED // 2)))
            return self._paid_for({table: read[table] for table in lacking})

    def _paid_for(self, read: Mapping[str, Collection[str]]) -> list[str]:
        """The tables of a statement, if reading them has cost as much as copying them would: first
        the columns that it needs are looked at, which is quick, then all that are wanted.
        """
        spent = sum(self._spent[table] for table in read)
        if spent < sum(self.seconds(table, names) for table, names in read.items()):
            return []
        wanted = {table: self.wanted(table) for table in read}
        helping = {table: names for table, names in wanted.items() if names.issuperset(read[table])}
        if not helping:
            self._spent.update(dict.fromkeys(read, 0.0))
        costs = sum(self.seconds(table, names) for table, names in helping.items())
        return list(helping) if spent >= costs else []

    def seconds(self, table: str, names: Collection[str]) -> float:
        """How long copying takes, about."""
        values = sum(_MAP_TIMES if _ATTRIBUTE.fullmatch(name) else 1 for name in names)
        return _AT_LEAST + self._rows(table) * values * _SECONDS

    def wanted(self, table: str) -> frozenset[str]:
        """The columns of a table to be held: those that are, and as many of those that were asked
        for again as there is memory for, the most frequent first.
        """
        found = self.held.of(table)
        for (of, name), times in self._asked.most_common():
            if of == table and times > 1 and self._can_be_held(table, name):
                more = found | {name}
                found = more if self._fits({**self.held.columns, table: more}) else found
        return found

    def _can_be_held(self, table: str, name: str) -> bool:
        type_ = self._columns(table).get(name)
        if type_ is None:
            return _ATTRIBUTE.fullmatch(name) is not None
        return kind_of(type_) is not Kind.NESTED

    def _fits(self, columns: Mapping[str, frozenset[str]]) -> bool:
        size = sum(
            self._rows(table) * self._width(table, name)
            for table, names in columns.items()
            for name in names
        )
        return size <= self.memory_mb * 1_000_000 * _SHARE

    def _width(self, table: str, name: str) -> int:
        type_ = self._columns(table).get(name)
        text = type_ is None or kind_of(type_) is Kind.TEXT
        return _TEXT_BYTES if text and not _repeats(name, type_) else _BYTES

    def _rows(self, table: str) -> int:
        return self.release.manifest.tables[table].rows

    @property
    def _readings(self) -> dict[str, str]:
        return self.release.shared("readings", lambda: readings(self.release))

    def _columns(self, table: str) -> Mapping[str, pa.DataType]:
        return self.release.shared(f"types of {table}", lambda: self.release.columns(table))

    def statements(self, table: str, names: Iterable[str]) -> list[str]:
        """What copies these columns. The table is replaced as a whole: whoever reads it meanwhile
        reads the one that was there.
        """
        made, columns = [], []
        for name in sorted(names):
            type_ = self._columns(table).get(name)
            value = _quoted(name) if type_ else _attribute(name)
            if _repeats(name, type_):
                of, home = (
                    ("capture", "captures") if name == "capture" else (f"{table}.{name}", table)
                )
                made.append(_numbered(of, name, self._readings[home]))
                value = f"CAST({value} AS held.{_quoted(of)})"
            columns.append(f"{value} AS {_quoted(name)}")
        select = f"SELECT {', '.join(columns)} FROM {self._readings[table]}"  # noqa: S608 - quoted
        return [*made, f"CREATE OR REPLACE TABLE held.{_quoted(table)} AS {select}"]

    def done(self, table: str, names: frozenset[str]) -> None:
        """They are there now."""
        with self._lock:
            added = {**self.held.columns, table: names}
            self.held = Held(added, (self.memory_mb, self.held.key[1] + 1))
            self._spent[table] = 0.0

    def forget(self) -> list[str]:
        """As if nobody had asked; the tables that are not wanted any more."""
        with self._lock:
            tables = list(self.held.columns)
            self.held = Held(key=(self.memory_mb, self.held.key[1] + 1))
            self._asked.clear()
            self._spent.clear()
            return tables

    def give_up(self, table: str) -> None:
        """It did not work out, and would not another time."""
        with self._lock:
            self._given_up.add(table)


def _repeats(name: str, type_: pa.DataType | None) -> bool:
    """Whether texts are few, and so kept as numbers."""
    return name == "capture" or (type_ is not None and pa.types.is_dictionary(type_))


def _attribute(name: str) -> str:
    return f"attributes[{exp.Literal.string(name.partition('.')[2]).sql('duckdb')}]"


def _numbered(type_: str, name: str, files: str) -> str:
    """A type for the texts of a column: numbers in the order of the texts."""
    column = _quoted(name)
    texts = f"SELECT DISTINCT {column} FROM {files} WHERE {column} IS NOT NULL ORDER BY 1"  # noqa: S608 - quoted
    return f"CREATE TYPE IF NOT EXISTS held.{_quoted(type_)} AS ENUM ({texts})"


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql("duckdb")
