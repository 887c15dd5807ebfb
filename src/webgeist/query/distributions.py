"""Distributions: what is made of values and how often each is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from sqlglot import exp

from webgeist.query.scopes import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.query.sources import Source, Statement
    from webgeist.query.tree import Distribution, Heatmap


def distribution(
    of: Distribution,
    part: exp.Select,
    whole: exp.Select | None,
    statement: Statement,
    *,
    ordered: bool,
) -> exp.Select:
    """A statement over `value` and `count`; with a whole to compare with, also over its counts.

    Unless the query has an order of its own (`ordered`), rows come as the distribution has them.
    """
    sums = ["count"] if whole is None else ["count", "count_all"]
    counts = part if whole is None else _compared(part, whole)
    shown: list[exp.Expr] = [_column("value")]
    order = _sequence(of)
    if of.kind == "$histogram":
        order = [exp.Ordered(this=_column("low"))]
        shown = [_column("low"), _column("high")]
        if _is_fixed(of):
            shown = [_named(edge, end) for edge, end in _edges(of, statement)]
        else:
            counts = _Bins(of, sums).over(counts)
    select = exp.Select().from_("counted", copy=False).with_("counted", as_=counts, copy=False)
    select = select.select(*shown, _column("count"), _share("count"), copy=False)
    if of.kind == "$cdf":
        select = select.select(_cumulated(of), copy=False)
    if whole is not None:
        beside = (_column("count_all"), _share("count_all", "share_all"))
        select = select.select(*beside, copy=False)
    if not ordered:
        select = select.order_by(*order, copy=False)
    return select if of.limit is None else select.limit(of.limit, copy=False)


def stepped(of: Distribution, value: exp.Expr, source: Source) -> tuple[exp.Expr, list[exp.Expr]]:
    """What is counted, and which rows count. Of a histogram whose steps are known beforehand it is
    the number of the step; otherwise the values, and the steps are made from them.
    """
    there: exp.Expr = exp.Not(this=exp.Paren(this=exp.Is(this=value.copy(), expression=exp.null())))
    if of.kind != "$histogram":
        return value, [there]
    number = _double(value)
    if not _is_fixed(of):
        return number, [there]
    within = [there]
    if of.span is not None:  # compared as it is stored, so that row groups can be passed over
        low, high = (source.operand(of.of.column, end) for end in of.span)
        within = [
            exp.GTE(this=value.copy(), expression=low),
            exp.LTE(this=value.copy(), expression=high),
        ]
    start, width = _fixed(of)
    statement = source.statement
    above = number if start == 0 else _minus(number, statement.parameter(start))
    step: exp.Expr = exp.Floor(
        this=exp.Div(this=exp.Paren(this=above), expression=_double(statement.parameter(width)))
    )
    if of.bins is not None:  # the upper end belongs to the last step
        last = exp.Literal.number(of.bins - 1)
        step = exp.Least(this=step, expressions=[last], ignore_nulls=True)
    return step, within


def _is_fixed(of: Distribution) -> bool:
    return of.bins is None or of.span is not None


def _fixed(of: Distribution) -> tuple[float, float]:
    """Where step 0 begins and how wide a step is, where that does not depend on the values."""
    if of.width is not None:
        return 0.0, of.width
    low, high = of.span or (0.0, 1.0)
    return low, (high - low) / (of.bins or 1)


def _edges(of: Distribution, statement: Statement) -> list[tuple[exp.Expr, str]]:
    """The lower and the upper end of a step, by its number."""
    start, width = _fixed(of)
    first, size = (_double(statement.parameter(number)) for number in (start, width))
    after = exp.Paren(this=exp.Add(this=_column("value"), expression=exp.Literal.number(1)))
    return [
        (_edge(first, _column("value"), size), "low"),
        (_edge(first.copy(), after, size.copy()), "high"),
    ]


def _minus(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.Sub(this=one, expression=other)


def _sequence(of: Distribution) -> list[exp.Ordered]:
    """Numbers run upwards in a cumulated distribution; all else begins with the most frequent."""
    by_value = exp.Ordered(this=_column("value"))
    if of.kind == "$cdf" and of.of.column.kind in (Kind.INTEGER, Kind.FLOAT, Kind.TIME):
        return [by_value]
    return [exp.Ordered(this=_column("count"), desc=True), by_value]


def _share(count: str, name: str = "share") -> exp.Expr:
    """Of the sum of all."""
    return _named(exp.Div(this=_double(_column(count)), expression=_total(count)), name)


def _cumulated(of: Distribution) -> exp.Expr:
    """The share of all up to here."""
    spec = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    so_far = exp.Window(
        this=exp.Sum(this=_column("count")),
        order=exp.Order(expressions=_sequence(of)),
        spec=spec,
    )
    return _named(exp.Div(this=_double(so_far), expression=_total("count")), "cumulated")


def _total(count: str) -> exp.Expr:
    return exp.Window(this=exp.Sum(this=_column(count)))


def _compared(part: exp.Select, whole: exp.Select) -> exp.Select:
    """The counts of a part beside those of the whole, for each value of the whole."""
    none = exp.Literal.number(0)
    counted = exp.Coalesce(this=_column("count", "part"), expressions=[none])
    same = exp.EQ(this=_column("value", "part"), expression=_column("value", "whole"))
    return (
        exp.Select()
        .select(
            _named(_column("value", "whole"), "value"),
            _named(counted, "count"),
            _named(_column("count", "whole"), "count_all"),
        )
        .from_(whole.subquery("whole"))
        .join(part.subquery("part"), on=same, join_type="left")
    )


@dataclass(frozen=True)
class _Bins:
    """Equal steps between the least and the largest value, each with the sums of its counts."""

    of: Distribution
    sums: list[str]

    def over(self, counts: exp.Select) -> exp.Select:
        low, width = exp.Min(this=_column("low")), exp.Min(this=_column("width"))
        step = _column("bin")
        after = exp.Paren(this=exp.Add(this=step.copy(), expression=exp.Literal.number(1)))
        select = exp.Select().select(
            _named(_edge(low, step, width), "low"),
            _named(_edge(low.copy(), after, width.copy()), "high"),
            *(_named(_summed(name), name) for name in self.sums),
            copy=False,
        )
        select = select.from_("placed", copy=False).group_by(_column("bin"), copy=False)
        for name, made in (
            ("counts", counts),
            ("steps", self._steps()),
            ("placed", self._placed()),
        ):
            select = select.with_(name, as_=made, copy=False)
        return select

    def _steps(self) -> exp.Select:
        """Where the first step begins, and how wide each is."""
        low, high = exp.Min(this=_column("value")), exp.Max(this=_column("value"))
        span = exp.Paren(this=_minus(high, low))
        even = exp.Div(this=span, expression=_double(exp.Literal.number(self.of.bins)))
        wide = exp.GT(this=high.copy(), expression=low.copy())
        width = exp.Case(ifs=[exp.If(this=wide, true=even)], default=exp.Literal.number("1.0"))
        select = exp.Select().from_("counts", copy=False)
        return select.select(_named(low.copy(), "low"), _named(_double(width), "width"), copy=False)

    def _placed(self) -> exp.Select:
        """Each value's step; the largest value belongs to the last."""
        above = exp.Paren(this=_minus(_column("value"), _column("low")))
        step = exp.Floor(this=exp.Div(this=above, expression=_column("width")))
        last = exp.Literal.number((self.of.bins or 1) - 1)
        least = exp.Least(this=step, expressions=[last], ignore_nulls=True)
        select = exp.Select().select(
            _named(least, "bin"), *map(_column, (*self.sums, "low", "width")), copy=False
        )
        return select.from_("counts", copy=False).join("steps", join_type="cross", copy=False)


def _edge(low: exp.Expr, step: exp.Expr, width: exp.Expr) -> exp.Expr:
    return exp.Add(this=low, expression=exp.Mul(this=step, expression=width))


def _summed(name: str) -> exp.Expr:
    return exp.Cast(this=exp.Sum(this=_column(name)), to=exp.DataType.build("BIGINT"))


def _column(name: str, table: str | None = None) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table)


def _named(value: exp.Expr, name: str) -> exp.Expr:
    return exp.alias_(value, name, quoted=True)


def _double(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=value, to=exp.DataType.build("DOUBLE"))


# --- heat maps -----------------------------------------------------------------------------------


def spans(
    map_: Heatmap, select: exp.Select, source: Source, size: tuple[exp.Column, exp.Column]
) -> exp.Select:
    """The cells that boxes cover, and how many boxes cover just those.

    There are far fewer such spans than boxes; `grid` lays them over each other.
    """
    across = _cells(source, ("x", "width"), map_.columns, size[0])
    down = _cells(source, ("y", "height"), map_.rows, size[1])
    names = ("left", "right", "top", "bottom")
    firsts_and_lasts = (*across[:2], *down[:2])
    placed = select.where(across[2], down[2]).select(
        *(_named(cell, name) for cell, name in zip(firsts_and_lasts, names, strict=True))
    )
    return (
        exp.Select()
        .select(*map(_column, names), _named(exp.Count(this=exp.Star()), "count"))
        .from_(placed.subquery("placed"))
        .group_by(*map(_column, names))
    )


def _cells(
    source: Source, names: tuple[str, str], cells: int, whole: exp.Column
) -> tuple[exp.Expr, exp.Expr, exp.Expr]:
    """The first and the last cell that boxes cover one way, and that there is any."""
    start, extent = (source.value(source.scope.columns[name]) for name in names)
    end = exp.Paren(this=exp.Add(this=start.copy(), expression=extent))
    scale = exp.Div(this=_double(exp.Literal.number(cells)), expression=whole)
    zero, last = exp.Literal.number(0), exp.Literal.number(cells - 1)
    first = exp.Floor(this=exp.Mul(this=_double(start), expression=exp.Paren(this=scale)))
    beyond = exp.Ceil(this=exp.Mul(this=_double(end), expression=exp.Paren(this=scale.copy())))
    until = exp.Sub(this=beyond, expression=exp.Literal.number(1))
    shown = exp.and_(
        exp.GT(this=extent.copy(), expression=zero),
        exp.LT(this=start.copy(), expression=whole.copy()),
        exp.GT(this=end.copy(), expression=zero.copy()),
    )
    return (
        _integer(exp.Greatest(this=first, expressions=[zero.copy()], ignore_nulls=True)),
        _integer(exp.Least(this=until, expressions=[last], ignore_nulls=True)),
        shown,
    )


def _integer(value: exp.Expr) -> exp.Expr:
    return exp.Cast(this=value, to=exp.DataType.build("INT"))


def grid(map_: Heatmap) -> Callable[[pa.Table], pa.Table]:
    """Lays spans over each other: each cell with how many boxes cover it, and their share."""

    def finish(found: pa.Table) -> pa.Table:
        left, right, top, bottom, count = (
            found.column(name).to_numpy() for name in ("left", "right", "top", "bottom", "count")
        )
        edges = np.zeros((map_.rows + 1, map_.columns + 1), np.int64)
        for rows, columns, sign in (
            (top, left, 1),
            (bottom + 1, left, -1),
            (top, right + 1, -1),
            (bottom + 1, right + 1, 1),
        ):
            np.add.at(edges, (rows, columns), sign * count)
        cells = edges.cumsum(0).cumsum(1)[:-1, :-1]
        rows, columns = np.indices(cells.shape)
        total = max(1, int(count.sum()))
        return pa.table(
            {
                "column": pa.array(columns.ravel(), pa.int32()),
                "row": pa.array(rows.ravel(), pa.int32()),
                "count": pa.array(cells.ravel(), pa.int64()),
                "share": pa.array(cells.ravel() / total, pa.float64()),
            }
        )

    return finish
