"""From the tree to one SQL statement: which tables are read, and what is made of their rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from webgeist.query.conditions import homes, linked, restricted
from webgeist.query.distributions import (
    Counting,
    compared,
    distribution,
    edges,
    grid,
    in_sequence,
    is_fixed,
    spans,
    stepped,
)
from webgeist.query.holding import NOTHING
from webgeist.query.narrowing import counts, narrowed, references
from webgeist.query.outputs import Values
from webgeist.query.sources import Statement
from webgeist.query.sqltree import (
    column,
    either,
    equal,
    every,
    filtered,
    grouped,
    joined,
    named,
    there,
)
from webgeist.query.tree import (
    EVERYTHING,
    And,
    Compare,
    Distribution,
    Heatmap,
    Query,
    Rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow as pa

    from webgeist.query.holding import Held
    from webgeist.query.links import Link
    from webgeist.query.sources import Source
    from webgeist.query.tree import Condition, Reference

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


def plan(query: Query, held: Held = NOTHING, words: Mapping[str, str] | None = None) -> Plan:
    """The statement that answers a query. `words` are those that read its tables. Of tables that
    are `held`, what else is read is not there.
    """
    return _Planner(narrowed(query), Statement(held, words or {})).plan()


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
                finish = edges(of)
                aliases = {"low": "value", "high": "value"} if finish else {}
                return self._planned(self._ordered(self._distribution(of), aliases), finish)
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
        return filtered(select, said), source, beside

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
        alone = own and all(len(each.column.tables) == 1 for each in own)
        for part in scope.parts:
            whole = part.table == scope.main or part.complete or (part.weight and weights)
            if part.table in able and (whole or (alone and self._passes_over_missing())):
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
                other = self.statement.source(
                    scope, scope.main if not able or scope.main in able else min(able)
                )
                beside[scope.name] = other
                on = [*linked(link, source, other), *restricted(other, EVERYTHING)]
                select = joined(select, other.tables()[0], every(on), "LEFT")
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
        weights = counts(rows)
        select, source, beside = self._from(references(rows), self.query.where, weights=weights)
        values = Values(source, beside)
        outputs = [
            named(values.output(output), f"c{number}")
            for number, output in enumerate((*rows.group, *rows.outputs))
        ]
        select = select.select(*outputs, copy=False)
        if rows.distinct and not rows.group and not self._keyed(rows):
            plain = [values.of(each.reference) for each in rows.outputs if each.reference]
            select = filtered(select, [_some(plain)]).distinct(copy=False)
        if rows.group:
            places = range(1, len(rows.group) + 1)
            select = grouped(select, [exp.Literal.number(place) for place in places])
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
                this=column(name),
                desc=order.descending,
                nulls_first=False,
            )
            select = select.order_by(by, copy=False)
        return select if self.query.limit is None else select.limit(self.query.limit, copy=False)

    # --- distributions -------------------------------------------------------------------------

    def _distribution(self, of: Distribution) -> exp.Select:
        part = self._counting(of, self.query.where)
        if self.query.compare or not is_fixed(of):
            whole = self._counting(of, EVERYTHING) if self.query.compare else None
            select = compared(of, part, whole)
        else:
            select = distribution(of, part)
        if not self.query.order:
            select = in_sequence(of, select)
        return select if of.limit is None else select.limit(of.limit, copy=False)

    def _counting(self, of: Distribution, where: Condition) -> Counting:
        """Each value (of a histogram: each step), and how often it is there."""
        select, source, beside = self._from([of.of], where, weights=True)
        values = Values(source, beside)
        value, within = stepped(of, values.of(of.of), source)
        return Counting(filtered(select, within), value, values.count_of_some())

    def _heatmap(self, map_: Heatmap) -> exp.Select:
        """The boxes of all rows, each with the size of its page."""
        select, source, _ = self._from([], self.query.where, weights=False)
        alias = self.statement.alias("captures")
        self.statement.read["captures"] |= {"capture", "screenshot_width", "screenshot_height"}
        same = equal(column("capture", alias), source.key("capture"))
        select = joined(select, self.statement.table("captures", alias), same)
        size = (column("screenshot_width", alias), column("screenshot_height", alias))
        return spans(map_, select, source, size)


def _with_parts(select: exp.Select, source: Source, references: list[Reference]) -> exp.Select:
    """Joins the further tables of a scope that columns are wanted from."""
    for reference in references:
        if source.reads(reference.column):
            continue
        name = reference.column.tables[0]
        source.aliases[name] = source.statement.alias(name)
        on: list[exp.Expr] = [
            equal(source.stored(name, theirs), source.stored(source.scope.main, ours))
            for ours, theirs in source.scope.part(name).on
        ]
        select = joined(
            select, source.statement.table(name, source.aliases[name]), every(on), "LEFT"
        )
    return select


def _some(values: list[exp.Expr]) -> exp.Expr:
    """That not all of them are missing."""
    return either([there(value.copy()) for value in values])
