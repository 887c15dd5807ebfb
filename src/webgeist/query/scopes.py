"""What a scope is: rows that queries can ask about, made of one table or several.

A scope is data. The tables of analyses become scopes without a change to this room.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(StrEnum):
    """What can be asked of a column."""

    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    TIME = "time"
    NESTED = "nested"  # lists and maps: only whether they are there

    @property
    def is_number(self) -> bool:
        return self in (Kind.INTEGER, Kind.FLOAT)


def kind_of(type_: pa.DataType) -> Kind:
    if pa.types.is_dictionary(type_):
        return kind_of(type_.value_type)
    if pa.types.is_string(type_) or pa.types.is_large_string(type_):
        return Kind.TEXT
    if pa.types.is_boolean(type_):
        return Kind.BOOLEAN
    if pa.types.is_integer(type_):
        return Kind.INTEGER
    if pa.types.is_floating(type_):
        return Kind.FLOAT
    return Kind.TIME if pa.types.is_timestamp(type_) else Kind.NESTED


class Making(StrEnum):
    """How a column that is not stored as such is made from one that is."""

    AS_STORED = ""
    ATTRIBUTE = "the attribute `key`"
    INPUT_TYPE = "the attribute `type`; an input without one is a text"
    WORDS = "the number of words"
    NUMBER = "the number in a CSS text"


@dataclass(frozen=True)
class Column:
    """A column of a scope. `tables` are those of the scope that have it, under the name `stored`.

    `folded` names (of elements) are found in any case. Beside a CSS text there may be its `number`,
    or the `channels` of its colour: r, g, b and alpha.
    """

    name: str
    type: pa.DataType
    tables: tuple[str, ...]
    stored: str = ""
    unit: str = ""
    meaning: str = ""
    making: Making = Making.AS_STORED
    key: str = ""
    folded: bool = False
    number: Column | None = None
    channels: tuple[Column, Column, Column, Column] | None = None

    @property
    def kind(self) -> Kind:
        return kind_of(self.type)

    @property
    def source(self) -> str:
        """The stored column."""
        return self.stored or self.name


@dataclass(frozen=True)
class Part:
    """A table of a scope. `on` are the equal columns of the first table and of this one.

    A `complete` one has a row for each of the first. Where a row stands for several of the first,
    the column `weight` says for how many.
    """

    table: str
    on: tuple[tuple[str, str], ...] = (("capture", "capture"),)
    complete: bool = False
    weight: str | None = None


@dataclass(frozen=True)
class Scope:
    """`keys` tell its rows apart; they are what other scopes are joined by. Rows without a value in
    the column `only` of the first table do not belong to it. `hierarchy` is the column that numbers
    the rows of a tree, which then has `parent` and `end`.
    """

    name: str
    about: str
    parts: tuple[Part, ...]
    keys: tuple[str, ...]
    columns: Mapping[str, Column] = field(repr=False)
    aliases: Mapping[str, str] = field(default_factory=dict, repr=False)
    shown: tuple[str, ...] = ()
    only: str | None = None
    hierarchy: str | None = None

    @property
    def main(self) -> str:
        return self.parts[0].table

    def part(self, table: str) -> Part:
        return next(part for part in self.parts if part.table == table)

    def find(self, name: str) -> Column | None:
        """The column of this name; `attributes.NAME` is any attribute."""
        known = self.columns.get(self.aliases.get(name, name))
        if known is not None:
            return known
        base, dot, key = name.partition(".")
        whole = self.columns.get(base)
        if not dot or not key or whole is None or not pa.types.is_map(whole.type):
            return None
        return replace(
            whole,
            name=name,
            stored=whole.source,
            type=pa.string(),
            making=Making.ATTRIBUTE,
            key=key,
        )

    def names(self) -> list[str]:
        return [*self.columns, *self.aliases]

    def tables_with(self, stored: tuple[str, ...]) -> tuple[str, ...]:
        """Which of its tables have these keys."""
        found = [set(self._tables(name)) for name in stored]
        return tuple(part.table for part in self.parts if all(part.table in each for each in found))

    def _tables(self, stored: str) -> tuple[str, ...]:
        for column in self.columns.values():
            if column.source == stored and column.making is Making.AS_STORED:
                return column.tables
        return (self.main,)
