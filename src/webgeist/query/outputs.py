"""What the columns of an answer are: values, counts, aggregates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from webgeist.query.sqltree import double, missing, whole

if TYPE_CHECKING:
    from webgeist.query.sources import Source
    from webgeist.query.tree import Output, Reference

_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "$sum": exp.Sum,
    "$avg": exp.Avg,
    "$min": exp.Min,
    "$max": exp.Max,
}


@dataclass(frozen=True)
class Values:
    """What the columns of an answer are. A row that stands for several counts as often."""

    source: Source
    beside: dict[str, Source]

    def of(self, reference: Reference) -> exp.Expr:
        held = self.beside[reference.scope.name] if reference.link else self.source
        return held.value(reference.column)

    def count(self) -> exp.Expr:
        weight = self._weight()
        if weight is None:
            return exp.Count(this=exp.Star())
        total = whole(exp.Sum(this=weight))
        return exp.Coalesce(this=total, expressions=[exp.Literal.number(0)])

    def count_of_some(self) -> exp.Expr:
        """The same of a group, which has a row at least."""
        weight = self._weight()
        return exp.Count(this=exp.Star()) if weight is None else exp.Sum(this=weight)

    def output(self, output: Output) -> exp.Expr:
        if output.reference is None:
            return self.count()
        value = self.of(output.reference)
        match output.aggregate:
            case None:
                return value
            case "$count":
                return self._there(value)
            case "$quantile":
                return exp.WithinGroup(
                    this=exp.PercentileCont(this=exp.Literal.number(repr(output.quantile))),
                    expression=exp.Order(expressions=[exp.Ordered(this=value)]),
                )
            case name:
                return self._aggregate(name, value)

    def _weight(self) -> exp.Expr | None:
        """How many rows one stands for, where not the scope's first table is read."""
        first = next(iter(self.source.aliases))
        weight = self.source.scope.part(first).weight
        return None if weight is None else self.source.stored(first, weight)

    def _there(self, value: exp.Expr) -> exp.Expr:
        """How many rows have a value."""
        weight = self._weight()
        if weight is None:
            return exp.Count(this=value)
        none = exp.If(this=missing(value), true=exp.Literal.number(0))
        counted = exp.Case(ifs=[none], default=weight)
        return exp.Coalesce(this=whole(exp.Sum(this=counted)), expressions=[exp.Literal.number(0)])

    def _aggregate(self, name: str, value: exp.Expr) -> exp.Expr:
        weight = self._weight()
        if name in ("$min", "$max"):
            return _AGGREGATES[name](this=value)
        number = double(value)
        if weight is None:
            return _AGGREGATES[name](this=number)
        total = exp.Sum(this=exp.Mul(this=number, expression=weight))
        return (
            total if name == "$sum" else exp.Div(this=total, expression=self._there(value.copy()))
        )
