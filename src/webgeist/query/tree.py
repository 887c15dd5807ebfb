"""A query as a small tree: names are resolved, operands have the types of their columns.

Conditions know nothing of missing values: a comparison with one is false, and its `Not` is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.query.links import Link
    from webgeist.query.scopes import Column, Scope


@dataclass(frozen=True)
class And:
    """All of them; with none, everything."""

    items: tuple[Condition, ...]


@dataclass(frozen=True)
class Or:
    """At least one of them."""

    items: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    """What does not fulfil it."""

    item: Condition


@dataclass(frozen=True)
class Compare:
    """A column with a value: `$eq`, `$gt`, …, `$like`, `$regex`."""

    column: Column
    operator: str
    value: Any


@dataclass(frozen=True)
class Among:
    """A column with one of several values."""

    column: Column
    values: tuple[Any, ...]


@dataclass(frozen=True)
class There:
    """A column that has a value."""

    column: Column


@dataclass(frozen=True)
class Near:
    """A colour within a CIE distance of another. The columns are its channels r, g and b."""

    channels: tuple[Column, Column, Column]
    lab: tuple[float, float, float]
    within: float


class Quantifier(StrEnum):
    """How many of the related rows must fulfil a condition. All: and there is one."""

    ANY = "$any"
    ALL = "$all"
    NONE = "$none"


@dataclass(frozen=True)
class Related:
    """What is said of the rows of another scope that belong to a row."""

    link: Link
    scope: Scope
    condition: Condition
    quantifier: Quantifier = Quantifier.ANY


@dataclass(frozen=True)
class Counted:
    """How many related rows fulfil a condition: `bounds` are comparisons with numbers."""

    link: Link
    scope: Scope
    condition: Condition
    bounds: tuple[tuple[str, float], ...]


Condition = And | Or | Not | Compare | Among | There | Near | Related | Counted
EVERYTHING = And(())


@dataclass(frozen=True)
class Reference:
    """A column of the rows, or of what belongs to each: then `link` and `scope` say how."""

    column: Column
    name: str  # as the query has it
    scope: Scope
    link: Link | None = None


@dataclass(frozen=True)
class Output:
    """A column of the answer: a reference, or an aggregate of one (of all rows, for a count)."""

    name: str
    reference: Reference | None
    aggregate: str | None = None
    quantile: float = 0.5


@dataclass(frozen=True)
class Rows:
    """Columns of rows or groups, each once where they are `distinct`."""

    outputs: tuple[Output, ...]
    group: tuple[Output, ...] = ()
    distinct: bool = False


@dataclass(frozen=True)
class Distribution:
    """How often each value is there: `$top` and `$cdf`; `$histogram` of equal steps.

    A histogram has either a number of `bins` or their `width`; `span` leaves out what lies outside.
    """

    kind: str
    of: Reference
    limit: int | None = None
    bins: int | None = None
    width: float | None = None
    span: tuple[float, float] | None = None


@dataclass(frozen=True)
class Heatmap:
    """How many boxes cover each cell of a grid laid over every page."""

    columns: int
    rows: int


@dataclass(frozen=True)
class Order:
    """By a column of the answer."""

    name: str
    descending: bool


@dataclass(frozen=True)
class Sample:
    """A share of the captures, always the same ones for a seed."""

    share: float
    seed: str


@dataclass(frozen=True)
class Query:
    """What is asked of the rows of one scope."""

    scope: Scope
    where: Condition
    result: Rows | Distribution | Heatmap
    order: tuple[Order, ...] = ()
    limit: int | None = None
    sample: Sample | None = None
    compare: bool = False
    fetch: str | None = None
