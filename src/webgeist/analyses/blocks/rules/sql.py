"""One rule as one SQL query, for SQLite.

Joins are done in the order in which a rule's atoms stand (CROSS JOIN keeps SQLite from choosing
another), so whoever writes rules decides: the atom that leaves the fewest nodes comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Negation,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.blocks.rules.syntax import Literal, Predicate, Rule, Term

_OPERATORS = {"!=": "<>"}


def table_name(predicate: Predicate) -> str:
    """Readable in an EXPLAIN, and never two predicates in one table."""
    plain = re.sub(r"\W+", "_", predicate.name)
    marks = "".join(str(":<>".find(c)) for c in predicate.name if c in ":<>")
    return f'"{plain}_{predicate.arity}_{marks}"'


class Query:
    """A rule as SQL, and the columns by which it looks rows up."""

    def __init__(self, rule: Rule) -> None:
        self.lookups: Counter[tuple[Predicate, tuple[int, ...]]] = Counter()
        self._aliases = count()
        scope = _Scope(self, {})
        clauses = scope.read(rule.body)
        columns = ", ".join(
            f"{scope.expression(term)} AS c{number}" for number, term in enumerate(rule.head.terms)
        )
        self.sql = f"SELECT DISTINCT {columns or '1 AS c'}{clauses}"
        if computed := _computed(rule):
            values = " AND ".join(f"c{number} IS NOT NULL" for number in computed)
            self.sql = f"SELECT * FROM ({self.sql}) WHERE {values}"  # noqa: S608 - made here

    def alias(self) -> str:
        return f"r{next(self._aliases)}"


class _Scope:
    """What the variables of a body are in SQL; a negation sees those of around it."""

    def __init__(self, query: Query, outer: dict[str, str]) -> None:
        self._query = query
        self._known = dict(outer)
        self._conditions: list[str] = []
        self._computed: list[Comparison | Aggregate] = []

    def read(self, body: Sequence[Literal]) -> str:
        """The FROM and WHERE of a body."""
        sources = [self._source(each, body) for each in body if isinstance(each, Atom)]
        compared = [each for each in body if isinstance(each, Comparison)]
        collected = [each for each in body if isinstance(each, Aggregate)]
        self._settle([*self._computed, *compared, *collected])
        for literal in body:
            if isinstance(literal, Negation):
                inner = _Scope(self._query, self._known)
                self._conditions.append(f"NOT EXISTS (SELECT 1{inner.read(literal.body)})")
        where = f" WHERE {' AND '.join(self._conditions)}" if self._conditions else ""
        return (f" FROM {' CROSS JOIN '.join(sources)}" if sources else "") + where

    def expression(self, term: Term) -> str:
        match term:
            case Variable():
                return self._known[term.name]
            case Constant(value=str(text)):
                return "'" + text.replace("'", "''") + "'"
            case Constant():
                return str(term.value)
            case Arithmetic(operator="/"):
                return f"({self.expression(term.left)} * 1.0 / {self.expression(term.right)})"
            case Arithmetic():
                left, right = self.expression(term.left), self.expression(term.right)
                return f"({left} {term.operator} {right})"
            case _:
                raise TypeError(f"{term} is left over from a template")

    def _source(self, atom: Atom, body: Iterable[Literal]) -> str:
        alias = self._query.alias()
        looked_up = []
        mine: dict[str, int] = {}
        for number, term in enumerate(atom.terms):
            column = f"{alias}.c{number}"
            if isinstance(term, Variable):
                if term.name == "_":
                    continue
                if term.name not in self._known:
                    self._known[term.name] = column
                    mine[term.name] = number
                    continue
            if isinstance(term, Arithmetic):
                own = Variable(column, atom.place)
                self._known[column] = column
                self._computed.append(Comparison("=", own, term, atom.place))
                continue
            self._conditions.append(f"{column} = {self.expression(term)}")
            looked_up.append(number)
        if not looked_up:
            looked_up = self._ranges(mine, body)
        if looked_up:
            self._query.lookups[atom.predicate, tuple(looked_up)] += 1
        return f"{table_name(atom.predicate)} AS {alias}"

    def _ranges(self, mine: dict[str, int], body: Iterable[Literal]) -> list[int]:
        """The column that is compared most often with what is known before."""
        found: Counter[int] = Counter()
        for literal in body:
            if isinstance(literal, Comparison) and literal.operator not in {"=", "!="}:
                for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                    if isinstance(one, Variable) and one.name in mine and self._knows(other, mine):
                        found[mine[one.name]] += 1
        return [number for number, _ in found.most_common(1)]

    def _knows(self, term: Term, except_for: dict[str, int]) -> bool:
        match term:
            case Variable():
                return term.name in self._known and term.name not in except_for
            case Arithmetic():
                return self._knows(term.left, except_for) and self._knows(term.right, except_for)
            case _:
                return True

    def _settle(self, waiting: list[Comparison | Aggregate]) -> None:
        """Comparisons and aggregates, each when all that it needs is known; safety is checked, so
        there is always one.
        """
        while waiting:
            ready = next(each for each in waiting if self._is_ready(each))
            waiting.remove(ready)
            if isinstance(ready, Aggregate):
                self._aggregate(ready)
            else:
                self._compare(ready)

    def _is_ready(self, literal: Comparison | Aggregate) -> bool:
        if isinstance(literal, Aggregate):
            return True
        left, right = self._knows(literal.left, {}), self._knows(literal.right, {})
        if literal.operator != "=":
            return left and right
        return (
            (left and right)
            or (left and isinstance(literal.right, Variable))
            or (right and isinstance(literal.left, Variable))
        )

    def _compare(self, literal: Comparison) -> None:
        for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
            if isinstance(one, Variable) and one.name not in self._known:
                self._known[one.name] = self.expression(other)
                return
        operator = _OPERATORS.get(literal.operator, literal.operator)
        left, right = self.expression(literal.left), self.expression(literal.right)
        self._conditions.append(f"{left} {operator} {right}")

    def _aggregate(self, literal: Aggregate) -> None:
        inner = _Scope(self._query, self._known)
        clauses = inner.read(literal.body)
        over = inner.expression(literal.over)
        distinct = "DISTINCT " if literal.function in {"count", "sum", "avg"} else ""
        value = f"(SELECT {literal.function}({distinct}{over}){clauses})"
        if literal.result.name in self._known:
            self._conditions.append(f"{self._known[literal.result.name]} = {value}")
        else:
            self._known[literal.result.name] = value


def _computed(rule: Rule) -> list[int]:
    """The head's columns that may have no value: of nothing, there is no largest."""
    if not any(isinstance(each, Aggregate | Comparison) for each in rule.body):
        return []
    bound = {
        term.name
        for each in rule.body
        if isinstance(each, Atom)
        for term in each.terms
        if isinstance(term, Variable)
    }
    return [
        number
        for number, term in enumerate(rule.head.terms)
        if not (isinstance(term, Constant) or (isinstance(term, Variable) and term.name in bound))
    ]
