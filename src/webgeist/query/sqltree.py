"""Parts of a statement's tree, made directly.

SQLGlot's own builders take text, which they parse, and copy what they are given: that would take
longer than all the rest of a query's compilation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import DType


def table(name: str, alias: str, words: str | None = None) -> exp.Table:
    """A stored table, by its name or by the words that read it."""
    this = _quoted(name) if words is None else exp.Var(this=words)
    return exp.Table(this=this, alias=exp.TableAlias(this=_plain(alias)))


def own_table(name: str) -> exp.Table:
    """What the statement itself defines with `with_`."""
    return exp.Table(this=_plain(name))


def with_(select: exp.Select, name: str, made: exp.Select) -> exp.Select:
    """Defines a table of the statement's own."""
    known = select.args.get("with_")
    found = exp.CTE(this=made, alias=exp.TableAlias(this=_plain(name)))
    if known is None:
        select.set("with_", exp.With(expressions=[found]))
    else:
        known.append("expressions", found)
    return select


def subquery(select: exp.Select, alias: str) -> exp.Subquery:
    return exp.Subquery(this=select, alias=exp.TableAlias(this=_plain(alias)))


def column(name: str, alias: str | None = None) -> exp.Column:
    return exp.Column(this=_quoted(name), table=_plain(alias) if alias else None)


def named(value: exp.Expr, name: str) -> exp.Alias:
    return exp.Alias(this=value, alias=_quoted(name))


def joined(
    select: exp.Select, other: exp.Expr, on: exp.Expr | None = None, side: str = ""
) -> exp.Select:
    """`side` is LEFT or CROSS; without one, rows without a partner are left out."""
    kind = {"kind": side} if side == "CROSS" else {"side": side or None}
    select.append("joins", exp.Join(this=other, on=on, **kind))
    return select


def filtered(select: exp.Select, said: Sequence[exp.Expr]) -> exp.Select:
    """What rows must fulfil, beside what they must already."""
    before = select.args.get("where")
    parts = [*([before.this] if before else []), *said]
    if parts:
        select.set("where", exp.Where(this=every(parts)))
    return select


def grouped(select: exp.Select, by: Sequence[exp.Expr]) -> exp.Select:
    select.set("group", exp.Group(expressions=list(by)))
    return select


def _quoted(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=True)


def _plain(name: str) -> exp.Identifier:
    return exp.Identifier(this=name, quoted=False)


# --- values --------------------------------------------------------------------------------------


def double(value: exp.Expr) -> exp.Cast:
    return _cast(value, exp.DType.DOUBLE)


def single(value: exp.Expr) -> exp.Cast:
    return _cast(value, exp.DType.FLOAT)


def whole(value: exp.Expr) -> exp.Cast:
    return _cast(value, exp.DType.BIGINT)


def integer(value: exp.Expr) -> exp.Cast:
    return _cast(value, exp.DType.INT)


def double_or_null(value: exp.Expr) -> exp.TryCast:
    return exp.TryCast(this=value, to=exp.DataType(this=exp.DType.DOUBLE))


def _cast(value: exp.Expr, to: DType) -> exp.Cast:
    return exp.Cast(this=value, to=exp.DataType(this=to))


# --- conditions ----------------------------------------------------------------------------------


def equal(one: exp.Expr, other: exp.Expr) -> exp.EQ:
    return exp.EQ(this=one, expression=other)


def missing(value: exp.Expr) -> exp.Is:
    return exp.Is(this=value, expression=exp.null())


def there(value: exp.Expr) -> exp.Not:
    return exp.Not(this=exp.Paren(this=missing(value)))


def every(parts: Sequence[exp.Expr]) -> exp.Expr:
    """All of them."""
    return _connected(parts, exp.And) if parts else exp.true()


def either(parts: Sequence[exp.Expr]) -> exp.Expr:
    """At least one of them."""
    return _connected(parts, exp.Or)


def _connected(parts: Sequence[exp.Expr], kind: type[exp.And | exp.Or]) -> exp.Expr:
    first, *rest = (_closed(part) for part in parts)
    for part in rest:
        first = kind(this=first, expression=part)
    return first


def _closed(part: exp.Expr) -> exp.Expr:
    return exp.Paren(this=part) if isinstance(part, exp.Connector) else part


def truly(condition: exp.Expr) -> exp.Expr:
    """False where a condition is neither true nor false, because a value is missing."""
    if isinstance(condition, (exp.Exists, exp.Is, exp.Boolean)):
        return condition
    return exp.Coalesce(this=condition, expressions=[exp.false()])


def negated(condition: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Paren(this=truly(condition)))
