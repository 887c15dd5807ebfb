"""The CIE distance of two colours, in SQL: CIE76, which is the plain distance in L*a*b*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from webgeist.query.sqltree import double, integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.query.sources import Source

_TO_XYZ = (  # from linear sRGB, divided by the white of D65
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


_LINEAR = [
    part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - sRGB's own
    for part in (byte / 255 for byte in range(256))
]


def distance_squared(
    channels: Sequence[exp.Expr], lab: tuple[float, float, float], source: Source
) -> exp.Expr:
    """The square of the distance between a colour (channels of 0 to 255) and one in L*a*b*."""
    bytes_to_linear = source.statement.parameter(_LINEAR)
    linear = [_looked_up(bytes_to_linear, each) for each in channels]
    x, y, z = (_f(_weighted(row, linear)) for row in _TO_XYZ)
    parts = (
        _less(_times(116.0, y), _number(16.0)),
        _times(500.0, _less(x, y.copy())),
        _times(200.0, _less(y.copy(), z)),
    )
    first, second, third = (
        exp.Pow(
            this=exp.Paren(this=_less(part, source.statement.parameter(wanted))),
            expression=_number(2.0),
        )
        for part, wanted in zip(parts, lab, strict=True)
    )
    return exp.Paren(this=_plus(first, _plus(second, third)))


def _looked_up(values: exp.Placeholder, byte: exp.Expr) -> exp.Expr:
    """The value of a byte, from a list that begins with that of 0; lists count from 1."""
    place = _plus(integer(byte), exp.Literal.number(1))
    return exp.Bracket(this=values.copy(), expressions=[place], offset=1)


def _f(part: exp.Expr) -> exp.Expr:
    root = exp.Pow(this=part.copy(), expression=_number(1 / 3))
    line = exp.Div(
        this=exp.Paren(this=_plus(_times(24389 / 27, part.copy()), _number(16.0))),
        expression=_number(116.0),
    )
    is_curved = exp.GT(this=part, expression=_number(216 / 24389))
    return exp.Case(ifs=[exp.If(this=is_curved, true=root)], default=line)


def _weighted(row: tuple[float, float, float], linear: list[exp.Expr]) -> exp.Expr:
    first, second, third = (
        _times(weight, part.copy()) for weight, part in zip(row, linear, strict=True)
    )
    return exp.Paren(this=_plus(first, _plus(second, third)))


def _times(factor: float, part: exp.Expr) -> exp.Expr:
    return exp.Mul(this=_number(factor), expression=exp.Paren(this=part))


def _plus(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.Add(this=one, expression=other)


def _less(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.Sub(this=one, expression=other)


def _number(value: float) -> exp.Expr:
    return double(exp.Literal.number(repr(value)))
