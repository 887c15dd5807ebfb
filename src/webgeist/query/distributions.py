"""Distributions: what is made of values and how often each is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from sqlglot import exp

from webgeist.query.scopes import Kind
from webgeist.query.sqltree import (
    column,
    double,
    equal,
    every,
    filtered,
    grouped,
    integer,
    joined,
    named,
    own_table,
    subquery,
    there,
    whole,
    with_,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.query.sources import Source, Statement
    from webgeist.query.tree import Distribution, Heatmap


@dataclass(frozen=True)
class Counting:
    """Rows to be counted: `select` has their tables and conditions, `value` is what each has, and
    `count` how many there are.
    """

    select: exp.Select
    value: exp.Expr
    count: exp.Expr

    def alone(self) -> exp.Select:
        """Each value and its count."""
        shown = (named(self.value, "value"), self.shown_count())
        return grouped(self.select.select(*shown, copy=False), [exp.Literal.number(1)])

    def shown_count(self) -> exp.Expr:
        """A whole number: sums have more digits than answers have."""
        count = self.count.copy()
        return named(whole(count) if isinstance(count, exp.Sum) else count, "count")


def is_fixed(of: Distribution) -> bool:
    """Whether its steps do not depend on the values; all else has none."""
    return of.kind != "$histogram" or of.bins is None or of.span is not None


def distribution(of: Distribution, part: Counting) -> exp.Select:
    """A distribution in one step: what is shown of each value stands beside its count."""
    shown = [named(part.value, "value"), part.shown_count(), _share(part.count)]
    if of.kind == "$cdf":
        shown.append(_cumulated(of, part.value, part.count))
    select = part.select.select(*shown, copy=False)
    return grouped(select, [exp.Literal.number(1)])


def compared(of: Distribution, part: Counting, everything: Counting | None) -> exp.Select:
    """A distribution in two steps: first values and counts, beside those of everything, if it is
    compared with that; then what is made of them.
    """
    sums = ["count"] if everything is None else ["count", "count_all"]
    counts = part.alone() if everything is None else _beside(part.alone(), everything.alone())
    value = column("value")
    shown: list[exp.Expr] = [value]
    if not is_fixed(of):
        shown, counts = [column("low"), column("high")], _Bins(of, sums).over(counts)
    shown += [column("count"), _share(column("count"))]
    if of.kind == "$cdf":
        shown.append(_cumulated(of, value, column("count")))
    if everything is not None:
        shown += [column("count_all"), _share(column("count_all"), "share_all")]
    return with_(_from("counted"), "counted", counts).select(*shown, copy=False)


def in_sequence(of: Distribution, select: exp.Select) -> exp.Select:
    """Rows as a distribution has them."""
    if of.kind == "$histogram":
        first = column("value" if is_fixed(of) else "low")
        return select.order_by(exp.Ordered(this=first), copy=False)
    return select.order_by(*_sequence(of, column("value"), column("count")), copy=False)


def stepped(of: Distribution, value: exp.Expr, source: Source) -> tuple[exp.Expr, list[exp.Expr]]:
    """What is counted, and which rows count. Of a histogram whose steps are known beforehand it is
    the number of the step; otherwise the values, and the steps are made from them.
    """
    known = there(value.copy())
    if of.kind != "$histogram":
        return value, [known]
    if not is_fixed(of):
        return double(value), [known]
    within: list[exp.Expr] = [known]
    if of.span is not None:  # compared as it is stored, so that row groups can be passed over
        low, high = (source.operand(of.of.column, end) for end in of.span)
        within = [
            exp.GTE(this=value.copy(), expression=low),
            exp.LTE(this=value.copy(), expression=high),
        ]
    return _step(of, value, source.statement), within


def _step(of: Distribution, value: exp.Expr, statement: Statement) -> exp.Expr:
    """The number of a value's step. Start and width are doubles, and so is what they make."""
    start, width = _fixed(of)
    above = exp.Paren(this=_minus(value, statement.parameter(start))) if start else value
    step: exp.Expr = exp.Floor(this=exp.Div(this=above, expression=statement.parameter(width)))
    if of.bins is not None:  # the upper end belongs to the last step
        last = exp.Literal.number(of.bins - 1)
        step = exp.Least(this=step, expressions=[last], ignore_nulls=True)
    return step


def _fixed(of: Distribution) -> tuple[float, float]:
    """Where step 0 begins and how wide a step is, where that does not depend on the values."""
    if of.width is not None:
        return 0.0, float(of.width)
    low, high = of.span or (0.0, 1.0)
    return float(low), (high - low) / (of.bins or 1)


def edges(of: Distribution) -> Callable[[pa.Table], pa.Table] | None:
    """What makes the lower and the upper end of steps out of their numbers, where these are known
    beforehand: arithmetic that a statement would have to be told three times.
    """
    if of.kind != "$histogram" or not is_fixed(of):
        return None
    start, width = _fixed(of)

    def finish(found: pa.Table) -> pa.Table:
        step = found.column("value").to_numpy()
        low, high = (pa.array(start + (step + end) * width, pa.float64()) for end in (0, 1))
        return found.drop_columns("value").add_column(0, "low", low).add_column(1, "high", high)

    return finish


def _minus(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.Sub(this=one, expression=other)


def _sequence(of: Distribution, value: exp.Expr, count: exp.Expr) -> list[exp.Ordered]:
    """Numbers run upwards in a cumulated distribution; all else begins with the most frequent."""
    by_value = exp.Ordered(this=value.copy())
    if of.kind == "$cdf" and of.of.column.kind in (Kind.INTEGER, Kind.FLOAT, Kind.TIME):
        return [by_value]
    return [exp.Ordered(this=count.copy(), desc=True), by_value]


def _share(count: exp.Expr, name: str = "share") -> exp.Expr:
    """Of the sum of all."""
    return named(exp.Div(this=count.copy(), expression=_total(count.copy())), name)


def _cumulated(of: Distribution, value: exp.Expr, count: exp.Expr) -> exp.Expr:
    """The share of all up to here."""
    spec = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    so_far = exp.Window(
        this=exp.Sum(this=count.copy()),
        order=exp.Order(expressions=_sequence(of, value, count)),
        spec=spec,
    )
    return named(exp.Div(this=so_far, expression=_total(count.copy())), "cumulated")


def _total(count: exp.Expr) -> exp.Expr:
    return exp.Window(this=exp.Sum(this=count))


def _beside(part: exp.Select, everything: exp.Select) -> exp.Select:
    """The counts of a part beside those of the whole, for each value of the whole."""
    none = exp.Literal.number(0)
    counted = exp.Coalesce(this=column("count", "part"), expressions=[none])
    select = exp.Select().select(
        named(column("value", "everything"), "value"),
        named(counted, "count"),
        named(column("count", "everything"), "count_all"),
        copy=False,
    )
    select = select.from_(subquery(everything, "everything"), copy=False)
    same = equal(column("value", "part"), column("value", "everything"))
    return joined(select, subquery(part, "part"), same, "LEFT")


@dataclass(frozen=True)
class _Bins:
    """Equal steps between the least and the largest value, each with the sums of its counts."""

    of: Distribution
    sums: list[str]

    def over(self, counts: exp.Select) -> exp.Select:
        low, width = exp.Min(this=column("low")), exp.Min(this=column("width"))
        step = column("bin")
        after = exp.Paren(this=exp.Add(this=step.copy(), expression=exp.Literal.number(1)))
        select = exp.Select().select(
            named(_edge(low, step, width), "low"),
            named(_edge(low.copy(), after, width.copy()), "high"),
            *(named(_summed(name), name) for name in self.sums),
            copy=False,
        )
        select = grouped(select.from_(own_table("placed"), copy=False), [column("bin")])
        for name, made in (
            ("counts", counts),
            ("steps", self._steps()),
            ("placed", self._placed()),
        ):
            select = with_(select, name, made)
        return select

    def _steps(self) -> exp.Select:
        """Where the first step begins, and how wide each is."""
        low, high = exp.Min(this=column("value")), exp.Max(this=column("value"))
        span = exp.Paren(this=_minus(high, low))
        even = exp.Div(this=span, expression=double(exp.Literal.number(self.of.bins)))
        wide = exp.GT(this=high.copy(), expression=low.copy())
        width = exp.Case(ifs=[exp.If(this=wide, true=even)], default=exp.Literal.number("1.0"))
        shown = (named(low.copy(), "low"), named(double(width), "width"))
        return _from("counts").select(*shown, copy=False)

    def _placed(self) -> exp.Select:
        """Each value's step; the largest value belongs to the last."""
        above = exp.Paren(this=_minus(column("value"), column("low")))
        step = exp.Floor(this=exp.Div(this=above, expression=column("width")))
        last = exp.Literal.number((self.of.bins or 1) - 1)
        least = exp.Least(this=step, expressions=[last], ignore_nulls=True)
        select = exp.Select().select(
            named(least, "bin"), *map(column, (*self.sums, "low", "width")), copy=False
        )
        select = select.from_(own_table("counts"), copy=False)
        return joined(select, own_table("steps"), side="CROSS")


def _from(table: str) -> exp.Select:
    return exp.Select().from_(own_table(table), copy=False)


def _edge(low: exp.Expr, step: exp.Expr, width: exp.Expr) -> exp.Expr:
    return exp.Add(this=low, expression=exp.Mul(this=step, expression=width))


def _summed(name: str) -> exp.Expr:
    return whole(exp.Sum(this=column(name)))


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
    cells = [named(cell, name) for cell, name in zip(firsts_and_lasts, names, strict=True)]
    placed = filtered(select, [across[2], down[2]]).select(*cells, copy=False)
    counted = exp.Select().select(
        *map(column, names), named(exp.Count(this=exp.Star()), "count"), copy=False
    )
    counted = counted.from_(subquery(placed, "placed"), copy=False)
    return grouped(counted, [column(name) for name in names])


def _cells(
    source: Source, names: tuple[str, str], cells: int, all_: exp.Column
) -> tuple[exp.Expr, exp.Expr, exp.Expr]:
    """The first and the last cell that boxes cover one way, and that there is any."""
    start, extent = (source.value(source.scope.columns[name]) for name in names)
    end = exp.Paren(this=exp.Add(this=start.copy(), expression=extent))
    scale = exp.Div(this=double(exp.Literal.number(cells)), expression=all_)
    zero, last = exp.Literal.number(0), exp.Literal.number(cells - 1)
    first = exp.Floor(this=exp.Mul(this=double(start), expression=exp.Paren(this=scale)))
    beyond = exp.Ceil(this=exp.Mul(this=double(end), expression=exp.Paren(this=scale.copy())))
    until = exp.Sub(this=beyond, expression=exp.Literal.number(1))
    shown = every(
        [
            exp.GT(this=extent.copy(), expression=zero),
            exp.LT(this=start.copy(), expression=all_.copy()),
            exp.GT(this=end.copy(), expression=zero.copy()),
        ]
    )
    return (
        integer(exp.Greatest(this=first, expressions=[zero.copy()], ignore_nulls=True)),
        integer(exp.Least(this=until, expressions=[last], ignore_nulls=True)),
        shown,
    )


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
