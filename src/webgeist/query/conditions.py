"""Conditions as SQL. Those on further tables of a scope become semi-joins: no row is doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from webgeist.query.fusing import fused, fusible
from webgeist.query.nearness import distance_squared
from webgeist.query.sqltree import (
    either,
    equal,
    every,
    filtered,
    joined,
    missing,
    negated,
    there,
    whole,
)
from webgeist.query.tree import (
    Among,
    And,
    Compare,
    Counted,
    Near,
    Not,
    Or,
    Quantifier,
    Related,
    There,
)

if TYPE_CHECKING:
    from webgeist.query.links import Link
    from webgeist.query.scopes import Column, Scope
    from webgeist.query.sources import Source, Statement
    from webgeist.query.tree import Condition

_OPERATORS: dict[str, type[exp.Binary]] = {
    "$eq": exp.EQ,
    "$ne": exp.NEQ,
    "$gt": exp.GT,
    "$gte": exp.GTE,
    "$lt": exp.LT,
    "$lte": exp.LTE,
    "$like": exp.Like,
    "$regex": exp.RegexpLike,
}
_BOUNDS: dict[str, type[exp.Binary]] = {
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
    "<>": exp.NEQ,
}


def homes(condition: Condition, scope: Scope) -> set[str]:
    """The tables of a scope each of which suffices for a condition."""
    tables = {part.table for part in scope.parts}
    match condition:
        case And(items) | Or(items):
            for item in items:
                tables &= homes(item, scope)
            return tables
        case Not(item):
            # What a table has no row for does not fulfil the condition, and so its negation.
            return {table for table in homes(item, scope) if _whole(scope, table)}
        case Near(channels=channels):
            return tables & set(channels[0].tables)
        case Related(link=link) | Counted(link=link):
            return set(scope.tables_with(link.outer))
        case Compare(column=column) | Among(column=column) | There(column=column):
            return tables & set(column.tables)


def _whole(scope: Scope, table: str) -> bool:
    part = scope.part(table)
    return table == scope.main or part.complete or part.weight is not None


def sql(condition: Condition, source: Source) -> exp.Expr:
    """Whether a row of the source fulfils the condition."""
    match condition:
        case And(items):
            return every(_grouped(And, items, source))
        case Or(items):
            return exp.Paren(this=either(_grouped(Or, items, source)))
        case Not(item):
            return negated(sql(item, source))
        case Related():
            return _related(condition, source)
        case Counted():
            return _counted(condition, source)
        case _:
            return _said(condition, source)


def _said(condition: Condition, source: Source) -> exp.Expr:
    """Of a column: here, or on the further table that has it."""
    found = homes(condition, source.scope)
    if found & source.aliases.keys():
        return _leaf(condition, source)
    return _on_part(condition, min(found), source)


def _grouped(kind: type[And | Or], items: tuple[Condition, ...], source: Source) -> list[exp.Expr]:
    """Those on the same further table of the scope are asked together."""
    parts: dict[str, list[Condition]] = {}
    together = fusible(items) if kind is And else []
    found: list[exp.Expr] = [_fused(alike, source) for alike in together]
    for item in items:
        if any(item in alike for alike in together):
            continue
        tables = homes(item, source.scope)
        if not tables or tables & source.aliases.keys() or isinstance(item, (Related, Counted)):
            found.append(sql(item, source))
        else:
            parts.setdefault(min(tables), []).append(item)
    found += [_on_part(kind(tuple(held)), table, source) for table, held in parts.items()]
    return found


def _fused(alike: list[Related], outer: Source) -> exp.Expr:
    all_ = And(tuple(item.condition for item in alike))
    inner = inside(alike[0].link, alike[0].scope, all_, outer.statement)
    return fused(alike, outer, inner, _joined)


def _on_part(condition: Condition, table: str, source: Source) -> exp.Expr:
    """A condition on a further table: whether its row for this one fulfils it."""
    inner = source.statement.source(source.scope, table)
    return _exists(inner, every([*_same_row(source, inner, table), sql(condition, inner)]))


def _same_row(source: Source, inner: Source, table: str) -> list[exp.Expr]:
    """What joins a further table of a scope to its first."""
    return [
        equal(inner.stored(table, theirs), source.stored(source.scope.main, ours))
        for ours, theirs in source.scope.part(table).on
    ]


def _exists(inner: Source, condition: exp.Expr) -> exp.Exists:
    one = exp.Select().select(exp.Literal.number(1), copy=False)
    one = one.from_(inner.tables()[0], copy=False)
    return exp.Exists(this=filtered(one, [condition]))


def _leaf(condition: Condition, source: Source) -> exp.Expr:
    match condition:
        case Compare(column, "$eq", value) if column.folded:
            return _folded(column, (value,), source)
        case Among(column, values) if column.folded:
            return _folded(column, values, source)
        case Compare(column, operator, value):
            kind = _OPERATORS[operator]
            return kind(this=source.value(column), expression=source.operand(column, value))
        case Among(column, values):
            wanted = [source.operand(column, value) for value in values]
            return exp.In(this=source.value(column), expressions=wanted)
        case There(column):
            return there(source.value(column))
        case Near(channels, lab, within):
            measured = distance_squared([source.value(each) for each in channels], lab, source)
            bound = source.statement.parameter(within * within)
            return exp.LTE(this=measured, expression=bound)
        case _:
            raise AssertionError(condition)


def _folded(column: Column, values: tuple[str, ...], source: Source) -> exp.Expr:
    """The name of an element as it is written, or in small letters. In files, engines find it by
    the latter condition more quickly than by either name: a function is applied to a column's
    dictionary.
    """
    small = dict.fromkeys(value.lower() for value in values)
    as_written = dict.fromkeys((*values, *small))
    found = [_either_of(source.value(column), list(as_written), source)]
    if len(as_written) > 1 and not source.holds(column):
        lower = exp.Lower(this=source.value(column))
        found.insert(0, _either_of(lower, list(small), source))
    return exp.Paren(this=every(found))


def _either_of(value: exp.Expr, wanted: list[str], source: Source) -> exp.Expr:
    operands: list[exp.Expr] = [source.statement.parameter(each) for each in wanted]
    if len(operands) == 1:
        return equal(value, operands[0])
    return exp.In(this=value, expressions=operands)


# --- other scopes --------------------------------------------------------------------------------


def _related(related: Related, outer: Source) -> exp.Expr:
    scope = related.scope
    none = related.quantifier is Quantifier.NONE
    if related.link.same and scope.main in outer.aliases:
        inner = type(outer)(outer.statement, scope, {scope.main: outer.aliases[scope.main]})
        guard = [] if demanding(related.condition, inner) else _belongs(inner)
        found = every([*guard, sql(related.condition, inner)])
        return negated(found) if none else found
    if related.quantifier is Quantifier.ALL:
        one = _exists_in(related.link, scope, And(()), outer)
        other = _exists_in(related.link, scope, Not(related.condition), outer)
        return every([one, negated(other)])
    found = _exists_in(related.link, scope, related.condition, outer)
    return negated(found) if none else found


def _exists_in(link: Link, scope: Scope, condition: Condition, outer: Source) -> exp.Exists:
    """Whether there is such a row. How often does not matter here, so what must be there as well is
    joined, and the engine is free to begin with whatever is rare.
    """
    inner = inside(link, scope, condition, outer.statement)
    select = exp.Select().select(exp.Literal.number(1), copy=False)
    select = select.from_(inner.tables()[0], copy=False)
    joins: list[tuple[Source, list[exp.Expr]]] = []
    said = [*linked(link, outer, inner), *_belongs(inner), *_joined(condition, inner, joins)]
    for source, on in joins:
        select = joined(select, source.tables()[0], every(on))
    return exp.Exists(this=filtered(select, said))


def _joined(
    condition: Condition, source: Source, joins: list[tuple[Source, list[exp.Expr]]]
) -> list[exp.Expr]:
    """What remains to be said when all that a row must have beside it was added to the joins."""
    if isinstance(condition, And):
        return [each for item in condition.items for each in _joined(item, source, joins)]
    if isinstance(condition, Related) and condition.quantifier is Quantifier.ANY:
        link, scope = condition.link, condition.scope
        if not (link.same and scope.main in source.aliases):
            inner = inside(link, scope, condition.condition, source.statement)
            joins.append((inner, [*linked(link, source, inner), *_belongs(inner)]))
            return _joined(condition.condition, inner, joins)
    elif not isinstance(condition, (Or, Not, Counted, Related)):
        tables = homes(condition, source.scope)
        if not tables & source.aliases.keys():
            return [_leaf(condition, _part(min(tables), source, joins))]
    return [sql(condition, source)]


def _part(table: str, source: Source, joins: list[tuple[Source, list[exp.Expr]]]) -> Source:
    """A further table of the source's scope, joined once."""
    alias = source.aliases[source.scope.main]
    for known, _ in joins:
        if known.beside == alias and table in known.aliases:
            return known
    inner = source.statement.source(source.scope, table, beside=alias)
    joins.append((inner, _same_row(source, inner, table)))
    return inner


def inside(link: Link, scope: Scope, condition: Condition, statement: Statement) -> Source:
    """The table of a scope that its rows are best looked for in."""
    able = set(scope.tables_with(link.inner)) & homes(condition, scope)
    order = [part.table for part in scope.parts]
    table = min(able, key=order.index) if able else scope.tables_with(link.inner)[0]
    return statement.source(scope, table)


def matching(link: Link, condition: Condition, outer: Source, inner: Source) -> exp.Expr:
    """What makes a row of the inner one of those that belong to the outer's and fulfil it."""
    said = [] if condition == And(()) else [sql(condition, inner)]
    return every([*linked(link, outer, inner), *_belongs(inner), *said])


def linked(link: Link, outer: Source, inner: Source) -> list[exp.Expr]:
    """What makes rows belong together."""
    found: list[exp.Expr] = [equal(inner.key(theirs), outer.key(ours)) for ours, theirs in link.on]
    for name, value in link.fixed:
        stored = inner.key(name)
        fixed = missing(stored) if value is None else equal(stored, exp.Literal.number(value))
        found.append(fixed)
    for bound in link.bounds:
        sides = (_sum(outer, bound.outer), _sum(inner, bound.inner))
        found.append(_BOUNDS[bound.operator](this=sides[0], expression=sides[1]))
    return found


def _sum(source: Source, names: tuple[str, ...]) -> exp.Expr:
    first, *rest = (source.key(name) for name in names)
    total: exp.Expr = first
    for each in rest:
        total = exp.Add(this=total, expression=each)
    return total


def demanding(condition: Condition, source: Source) -> bool:
    """Whether only rows that further tables of the scope have can fulfil a condition: those belong
    to the scope.
    """
    match condition:
        case And(items):
            return any(demanding(item, source) for item in items)
        case Or(items):
            return all(demanding(item, source) for item in items)
        case Not() | Related() | Counted():
            return False
        case _:
            return not homes(condition, source.scope) & source.aliases.keys()


def _belongs(source: Source) -> list[exp.Expr]:
    """That a row of the first table belongs to the scope."""
    only, main = source.scope.only, source.scope.main
    if only is None or main not in source.aliases:
        return []
    return [there(source.stored(main, only))]


def restricted(source: Source, condition: Condition) -> list[exp.Expr]:
    """What a statement's own rows must fulfil."""
    if condition == And(()):
        return _belongs(source)
    guard = [] if demanding(condition, source) else _belongs(source)
    return [*guard, sql(condition, source)]


def _counted(counted: Counted, outer: Source) -> exp.Expr:
    inner = inside(counted.link, counted.scope, counted.condition, outer.statement)
    total = exp.Select().select(count_of(inner), copy=False).from_(inner.tables()[0], copy=False)
    total = filtered(total, [matching(counted.link, counted.condition, outer, inner)])
    found: list[exp.Expr] = []
    for operator, number in counted.bounds:
        wanted = outer.statement.parameter(number)
        found.append(_OPERATORS[operator](this=exp.Subquery(this=total.copy()), expression=wanted))
    return every(found)


def count_of(source: Source) -> exp.Expr:
    """The number of rows; where one stands for several, of all of them."""
    (table,) = source.aliases
    weight = source.scope.part(table).weight
    if weight is None or table == source.scope.main:
        return exp.Count(this=exp.Star())
    total = exp.Sum(this=source.stored(table, weight))
    return exp.Coalesce(this=whole(total), expressions=[exp.Literal.number(0)])
