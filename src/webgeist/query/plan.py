"""From the tree to one SQL statement: which tables are read, and what is made of their rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from webgeist.query.conditions import homes, linked, restricted
from webgeist.query.distributions import distribution, grid, spans, stepped
from webgeist.query.sources import Statement, column, every, table
from webgeist.query.tree import (
    EVERYTHING,
    And,
    Compare,
    Distribution,
    Heatmap,
    Output,
    Quantifier,
    Query,
    Related,
    Rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from webgeist.query.links import Link
    from webgeist.query.scopes import Scope
    from webgeist.query.sources import Source
    from webgeist.query.tree import Condition, Reference

_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "$sum": exp.Sum,
    "$avg": exp.Avg,
    "$min": exp.Min,
    "$max": exp.Max,
}
_HASH_DIGITS = 8


@dataclass(frozen=True)
class Plan:
    """A statement, its parameters, the columns that it reads of each table, and what is made of its
    rows afterwards: the names of their columns, which are a query's own words and so no part of the
    statement, or the grid of a heat map.
    """

    tree: exp.Select
    parameters: dict[str, Any]
    read: dict[str, set[str]]
    finish: Callable[[pa.Table], pa.Table] | None = None


def plan(query: Query) -> Plan:
    """The statement that answers a query."""
    return _Planner(_narrowed(query), Statement()).plan()


def _narrowed(query: Query) -> Query:
    """Where all that is asked of rows is what belongs to each, that is asked for instead.

    Styles say how many nodes they have, so that the nodes need not be read; and of pages that look
    a certain way only their blocks.
    """
    match query.where:
        case Related(link=link, scope=scope, condition=condition, quantifier=Quantifier.ANY):
            wanted = _references(query.result)
        case _:
            return query
    if any(each.link or not _is_there(scope, each) for each in wanted):
        return query
    if link.same and query.scope.only in (None, scope.only) and _counts(query.result):
        return replace(query, scope=scope, where=condition, result=_moved(query.result, scope))
    keys = {name for name, _ in link.on}
    if link.single and link.fixed and all(each.column.name in keys for each in wanted):
        fixed = [Compare(scope.columns[name], "$eq", value) for name, value in link.fixed]
        said = And((*fixed, condition))
        return replace(query, scope=scope, where=said, result=_moved(query.result, scope))
    return query


def _is_there(scope: Scope, reference: Reference) -> bool:
    """Whether a scope has the same stored column."""
    found = scope.columns.get(reference.column.name)
    return found is not None and not found.making and not reference.column.making


def _moved(result: Rows | Distribution | Heatmap, scope: Scope) -> Rows | Distribution | Heatmap:
    def there(reference: Reference) -> Reference:
        return replace(reference, scope=scope, column=scope.columns[reference.column.name])

    def moved(output: Output) -> Output:
        return replace(output, reference=output.reference and there(output.reference))

    match result:
        case Rows(outputs=outputs, group=group):
            return replace(
                result, outputs=tuple(map(moved, outputs)), group=tuple(map(moved, group))
            )
        case Distribution(of=of):
            return replace(result, of=there(of))
        case Heatmap():
            return result


def _counts(result: Rows | Distribution | Heatmap) -> bool:
    """Whether a row that says how many it stands for is as good as those."""
    match result:
        case Rows(outputs=outputs, group=group, distinct=distinct):
            kinds = {output.aggregate for output in outputs}
            return distinct or bool(group) or (None not in kinds and "$quantile" not in kinds)
        case Distribution():
            return True
        case Heatmap():
            return False


def _references(result: Rows | Distribution | Heatmap) -> list[Reference]:
    match result:
        case Rows(outputs=outputs, group=group):
            return [each.reference for each in (*group, *outputs) if each.reference]
        case Distribution(of=of):
            return [of]
        case Heatmap():
            return []


@dataclass(frozen=True)
class _Planner:
    query: Query
    statement: Statement

    def plan(self) -> Plan:
        match self.query.result:
            case Rows() as rows:
                names = [output.name for output in (*rows.group, *rows.outputs)]
                tree = self._ordered(self._rows(rows), {n: f"c{at}" for at, n in enumerate(names)})
                return self._planned(tree, lambda table: table.rename_columns(names))
            case Distribution() as of:
                tree = self._ordered(self._distribution(of), {})
                return self._planned(tree, None)
            case Heatmap() as map_:
                return self._planned(self._heatmap(map_), grid(map_))

    def _planned(self, tree: exp.Select, finish: Callable[[pa.Table], pa.Table] | None) -> Plan:
        return Plan(tree, self.statement.parameters, self.statement.read, finish)

    # --- where rows come from ------------------------------------------------------------------

    def _from(
        self, references: list[Reference], where: Condition, *, weights: bool
    ) -> tuple[exp.Select, Source, dict[str, Source]]:
        """The statement up to its conditions; its rows, and those of other scopes beside them."""
        scope = self.query.scope
        own = [each for each in references if each.link is None]
        others = [each for each in references if each.link is not None]
        source = self.statement.source(scope, self._table(own, others, where, weights=weights))
        select = exp.Select().from_(source.tables()[0], copy=False)
        select = _with_parts(select, source, own)
        beside: dict[str, Source] = {}
        for reference in others:
            if reference.link is not None:
                select = self._beside(select, source, reference, reference.link, beside)
        said = [*restricted(source, where), *self._sampled(source)]
        return (select.where(*said, copy=False) if said else select), source, beside

    def _table(
        self, own: list[Reference], others: list[Reference], where: Condition, *, weights: bool
    ) -> str:
        """One table that suffices, or else the scope's first."""
        scope = self.query.scope
        able = homes(where, scope)
        for reference in own:
            able &= set(reference.column.tables)
        for reference in others:
            able &= set(scope.tables_with(reference.link.outer if reference.link else ()))
        for part in scope.parts:
            whole = part.table == scope.main or part.complete or (part.weight and weights)
            if part.table in able and (whole or (own and self._passes_over_missing())):
                return part.table
        return scope.main

    def _passes_over_missing(self) -> bool:
        """Whether rows without a value do not count, so that the table with the values suffices."""
        result = self.query.result
        return isinstance(result, Distribution) or (isinstance(result, Rows) and result.distinct)

    def _beside(
        self,
        select: exp.Select,
        source: Source,
        reference: Reference,
        link: Link,
        beside: dict[str, Source],
    ) -> exp.Select:
        """Joins what a reference to another scope needs, unless it is there."""
        scope = reference.scope
        if scope.name not in beside:
            if link.same:
                main = {scope.main: source.aliases[scope.main]}
                beside[scope.name] = type(source)(self.statement, scope, main)
            else:
                able = set(reference.column.tables) & set(scope.tables_with(link.inner))
                joined = self.statement.source(
                    scope, scope.main if not able or scope.main in able else min(able)
                )
                beside[scope.name] = joined
                on = [*linked(link, source, joined), *restricted(joined, EVERYTHING)]
                select = select.join(joined.tables()[0], on=every(on), join_type="left", copy=False)
        return _with_parts(select, beside[scope.name], [reference])

    def _sampled(self, source: Source) -> list[exp.Expr]:
        """A share of the captures, by the hash of their ids: the same on every engine."""
        sample = self.query.sample
        if sample is None or sample.share == 1:
            return []
        seeded = exp.Concat(
            expressions=[self.statement.parameter(sample.seed), source.key("capture")]
        )
        hashed = exp.Substring(
            this=exp.MD5(this=seeded),
            start=exp.Literal.number(1),
            length=exp.Literal.number(_HASH_DIGITS),
        )
        bound = f"{int(sample.share * 16**_HASH_DIGITS):0{_HASH_DIGITS}x}"
        return [hashed < self.statement.parameter(bound)]

    # --- rows ----------------------------------------------------------------------------------

    def _rows(self, rows: Rows) -> exp.Select:
        weights = _counts(rows)
        references = _references(rows)
        select, source, beside = self._from(references, self.query.where, weights=weights)
        values = _Values(source, beside)
        outputs = [
            exp.alias_(values.output(output), f"c{number}")
            for number, output in enumerate((*rows.group, *rows.outputs))
        ]
        select = select.select(*outputs, copy=False)
        if rows.distinct and not rows.group and not self._keyed(rows):
            plain = [values.of(each.reference) for each in rows.outputs if each.reference]
            select = select.where(_some(plain), copy=False).distinct(copy=False)
        for place in range(1, len(rows.group) + 1):
            select = select.group_by(exp.Literal.number(place), copy=False)
        return select

    def _keyed(self, rows: Rows) -> bool:
        """Whether rows are distinct as they are, because their keys are among the columns."""
        if any(each.reference is None or each.reference.link for each in rows.outputs):
            return False
        names = {each.reference.column.name for each in rows.outputs if each.reference}
        return set(self.query.scope.keys) <= names | self._settled()

    def _settled(self) -> set[str]:
        """The columns that can have one value only."""
        match self.query.where:
            case And(items):
                equal = [item for item in items if isinstance(item, Compare)]
                return {item.column.name for item in equal if item.operator == "$eq"}
            case _:
                return set()

    def _ordered(self, select: exp.Select, aliases: dict[str, str]) -> exp.Select:
        for order in self.query.order:
            name = aliases.get(order.name, order.name)
            by = exp.Ordered(
                this=exp.column(exp.to_identifier(name, quoted=True)),
                desc=order.descending,
                nulls_first=False,
            )
            select = select.order_by(by, copy=False)
        return select if self.query.limit is None else select.limit(self.query.limit, copy=False)

    # --- distributions -------------------------------------------------------------------------

    def _distribution(self, of: Distribution) -> exp.Select:
        part = self._values(of, self.query.where)
        whole = self._values(of, EVERYTHING) if self.query.compare else None
        return distribution(of, part, whole, self.statement, ordered=bool(self.query.order))

    def _values(self, of: Distribution, where: Condition) -> exp.Select:
        """Each value (of a histogram: each step), and how often it is there."""
        select, source, beside = self._from([of.of], where, weights=True)
        values = _Values(source, beside)
        value, within = stepped(of, values.of(of.of), source)
        return (
            select.select(exp.alias_(value, "value"), copy=False)
            .select(exp.alias_(values.count(), "count"), copy=False)
            .where(*within, copy=False)
            .group_by(exp.Literal.number(1), copy=False)
        )

    def _heatmap(self, map_: Heatmap) -> exp.Select:
        """The boxes of all rows, each with the size of its page."""
        select, source, _ = self._from([], self.query.where, weights=False)
        alias = self.statement.alias("captures")
        self.statement.read["captures"] |= {"capture", "screenshot_width", "screenshot_height"}
        select = select.join(
            table("captures", alias),
            on=column(alias, "capture").eq(source.key("capture")),
            join_type="inner",
        )
        size = (column(alias, "screenshot_width"), column(alias, "screenshot_height"))
        return spans(map_, select, source, size)


def _with_parts(select: exp.Select, source: Source, references: list[Reference]) -> exp.Select:
    """Joins the further tables of a scope that columns are wanted from."""
    for reference in references:
        if source.reads(reference.column):
            continue
        name = reference.column.tables[0]
        source.aliases[name] = source.statement.alias(name)
        on: list[exp.Expr] = [
            source.stored(name, there).eq(source.stored(source.scope.main, here))
            for here, there in source.scope.part(name).on
        ]
        joined = table(name, source.aliases[name])
        select = select.join(joined, on=every(on), join_type="left", copy=False)
    return select


def _some(values: list[exp.Expr]) -> exp.Expr:
    """That not all of them are missing."""
    return exp.or_(
        *(
            exp.Not(this=exp.Paren(this=exp.Is(this=value.copy(), expression=exp.null())))
            for value in values
        )
    )


@dataclass(frozen=True)
class _Values:
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
        total = _whole(exp.Sum(this=weight))
        return exp.Coalesce(this=total, expressions=[exp.Literal.number(0)])

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
        empty = exp.Is(this=value, expression=exp.null())
        counted = exp.Case().when(empty, exp.Literal.number(0)).else_(weight)
        return exp.Coalesce(this=_whole(exp.Sum(this=counted)), expressions=[exp.Literal.number(0)])

    def _aggregate(self, name: str, value: exp.Expr) -> exp.Expr:
        weight = self._weight()
        if name in ("$min", "$max"):
            return _AGGREGATES[name](this=value)
        double = exp.Cast(this=value, to=exp.DataType.build("DOUBLE"))
        if weight is None:
            return _AGGREGATES[name](this=double)
        total = exp.Sum(this=exp.Mul(this=double, expression=weight))
        return (
            total if name == "$sum" else exp.Div(this=total, expression=self._there(value.copy()))
        )


def _whole(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=value, to=exp.DataType.build("BIGINT"))
