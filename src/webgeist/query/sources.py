"""Uses of tables in a statement, and the parameters that go with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from sqlglot import exp

from webgeist.query.holding import NOTHING
from webgeist.query.scopes import Making
from webgeist.query.sqltree import column, double_or_null, equal, single, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webgeist.query.holding import Held
    from webgeist.query.scopes import Column, Scope


@dataclass
class Statement:
    """What is being written: parameters by name, and which columns of which tables are read.

    Attributes that are `held` are columns of their own. `words` read stored tables; those without
    are called by their names.
    """

    held: Held = NOTHING
    words: Mapping[str, str] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    read: dict[str, set[str]] = field(default_factory=dict)
    _names: dict[tuple[type, Any] | None, str] = field(default_factory=dict)
    _aliases: int = 0

    def parameter(self, value: Any) -> exp.Placeholder:
        """A value's place; the same one for the same number or text."""
        key = (type(value), value) if isinstance(value, (str, int, float)) else None
        name = self._names.get(key) or f"p{len(self.parameters) + 1}"
        self.parameters[name] = value
        if key is not None:
            self._names[key] = name
        return exp.Placeholder(this=name)

    def source(self, scope: Scope, table: str, beside: str = "") -> Source:
        """A new use of a table of a scope."""
        return Source(self, scope, {table: self.alias(table)}, beside)

    def table(self, name: str, alias: str) -> exp.Table:
        return table(name, alias, self.words.get(name))

    def alias(self, table: str) -> str:
        self._aliases += 1
        self.read.setdefault(table, set())
        return f"t{self._aliases}"


@dataclass(frozen=True)
class Source:
    """Rows of a scope: the tables of it that are at hand, each under its alias. What is joined to
    the scope's first table stands `beside` the alias of that.
    """

    statement: Statement
    scope: Scope
    aliases: dict[str, str]
    beside: str = ""

    def tables(self) -> list[exp.Table]:
        return [self.statement.table(name, alias) for name, alias in self.aliases.items()]

    def reads(self, column: Column) -> bool:
        return any(name in self.aliases for name in column.tables)

    def holds(self, column: Column) -> bool:
        """Whether a column is read from memory."""
        held = self.statement.held
        return any(column.source in held.of(name) for name in column.tables if name in self.aliases)

    def stored(self, table_: str, name: str) -> exp.Column:
        """A stored column of one of its tables."""
        self.statement.read[table_].add(name)
        return column(name, self.aliases[table_])

    def key(self, name: str) -> exp.Column:
        """A stored column, from whichever of its tables has it."""
        having = self.scope.tables_with((name,))
        return self.stored(next(each for each in having if each in self.aliases), name)

    def value(self, wanted: Column) -> exp.Expr:
        """What a column is."""
        table_ = next(name for name in wanted.tables if name in self.aliases)
        match wanted.making:
            case Making.AS_STORED:
                return self.stored(table_, wanted.source)
            case Making.ATTRIBUTE:
                return self._attribute(table_, wanted.source, wanted.key)
            case Making.INPUT_TYPE:
                return self._input_type(table_, wanted.source)
            case Making.WORDS:
                return _words(self.stored(table_, wanted.source))
            case Making.NUMBER:
                return _number(self.stored(table_, wanted.source))

    def _attribute(self, table_: str, source: str, key: str) -> exp.Expr:
        name = f"{source}.{key}"
        self.statement.read[table_].add(name)
        if name in self.statement.held.of(table_):
            return column(name, self.aliases[table_])
        map_ = column(source, self.aliases[table_])
        return exp.Bracket(this=map_, expressions=[self.statement.parameter(key)])

    def _input_type(self, table_: str, source: str) -> exp.Expr:
        given = self._attribute(table_, source, "type")
        is_input = equal(self.stored(table_, "name"), exp.Literal.string("input"))
        default = exp.Coalesce(this=exp.Lower(this=given), expressions=[exp.Literal.string("text")])
        other = self._attribute(table_, source, "type")
        return exp.Case(ifs=[exp.If(this=is_input, true=default)], default=other)

    def operand(self, wanted: Column, value: Any) -> exp.Expr:
        """A parameter in the column's type, so that the column is compared as it is stored."""
        parameter = self.statement.parameter(value)
        if pa.types.is_float32(wanted.type):
            return single(parameter)
        return parameter


def _words(text: exp.Expr) -> exp.Expr:
    """Runs of letters between white space, counted by what is left when each is one letter."""

    def replaced(inner: exp.Expr, pattern: str, by: str) -> exp.Expr:
        return exp.RegexpReplace(
            this=inner,
            expression=exp.Literal.string(pattern),
            replacement=exp.Literal.string(by),
            modifiers=exp.Literal.string("g"),
        )

    return exp.Length(this=replaced(replaced(text, r"[^\s]+", "x"), r"\s+", ""))


def _number(text: exp.Expr) -> exp.Expr:
    """Pixels or a plain number; null for other texts."""
    bare = exp.Replace(
        this=text, expression=exp.Literal.string("px"), replacement=exp.Literal.string("")
    )
    return double_or_null(bare)
