"""A whole query: from JSON to the tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.links import Link, link
from webgeist.query.operators import PARTS_OF_A_QUERY, operator
from webgeist.query.parse_conditions import Conditions
from webgeist.query.parse_results import Results
from webgeist.query.places import at
from webgeist.query.scopes import Kind
from webgeist.query.tree import (
    EVERYTHING,
    And,
    Distribution,
    Heatmap,
    Order,
    Output,
    Quantifier,
    Query,
    Related,
    Rows,
    Sample,
)
from webgeist.query.values import number, text, whole
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from webgeist.query.schema import Schema
    from webgeist.query.scopes import Scope
    from webgeist.query.tree import Condition, Reference

_DEFAULT = "@page"
_MOST_ROWS = 10_000_000
_RESULT_PARTS = ("$select", "$group")


def parse(schema: Schema, value: Any, scope: str | None = None) -> Query:
    """The tree of a query. QueryError with the place where it makes no sense."""
    if not isinstance(value, dict):
        raise QueryError("a query is a JSON object", remedy='{"$from": "@dom", "$where": {…}}')
    parts = _parts(value)
    given = parts.get("$from")
    name = text(given, "$from") if given is not None else scope or _DEFAULT
    return _Parser(schema, parts, schema.scope(name, "$from" if given is not None else "")).query()


def _parts(value: dict[str, Any]) -> dict[str, Any]:
    """The parts of a query under their names with `$`."""
    found: dict[str, Any] = {}
    for key, item in value.items():
        name = operator(key, PARTS_OF_A_QUERY)
        if name is None:
            raise QueryError(
                f"a query has no part {key[:40]!r}",
                where=at("", key),
                remedy=nearest(key if key.startswith("$") else f"${key}", PARTS_OF_A_QUERY),
            )
        if name in found:
            raise QueryError(f"{name} is there twice", where=at("", key))
        found[name] = item
    return found


@dataclass(frozen=True)
class _Parser:
    schema: Schema
    parts: dict[str, Any]
    scope: Scope

    def query(self) -> Query:
        where = EVERYTHING if "$where" not in self.parts else self._where()
        result = Results(self.schema, self.scope).read(self.parts)
        compare = self._compare(result)
        scope, where, result = self._rooted(where, result)
        query = Query(
            scope,
            where,
            result,
            self._order(result),
            self._limit(),
            self._sample(),
            compare,
            self._fetch(result),
        )
        return replace(query, where=where)

    def _where(self) -> Condition:
        value = self.parts["$where"]
        if value in ({}, []):
            raise QueryError("no condition is given", where="$where", remedy="leave $where out")
        return Conditions(self.schema).read(self.scope, value, "$where")

    def _rooted(
        self, where: Condition, result: Rows | Distribution | Heatmap
    ) -> tuple[Scope, Condition, Rows | Distribution | Heatmap]:
        """Where all that is wanted of pages belongs to one other scope, its rows are asked for
        instead; so are styles, which are the nodes' own.
        """
        references = _references(result)
        scopes = {reference.scope.name: reference.scope for reference in references}
        if len(scopes) != 1 or self.scope.name in scopes:
            return self.scope, where, result
        (inner,) = scopes.values()
        back = link(inner, self.scope, whole=True)
        if back is None or not (back.same or self.scope.name == "@page"):
            return self.scope, where, result
        if back.same and self.scope.only not in (None, inner.only):  # not all of them are meant
            return inner, Related(back, self.scope, where), _unlinked(result)
        return inner, _seen_from(inner, back, self.scope, where), _unlinked(result)

    def _order(self, result: Rows | Distribution | Heatmap) -> tuple[Order, ...]:
        value = self.parts.get("$order", [])
        given = value if isinstance(value, list) else [value]
        names = _names(result)
        return tuple(_ordering(item, names, at("$order", n)) for n, item in enumerate(given))

    def _limit(self) -> int | None:
        if "$limit" not in self.parts:
            return None
        return whole(self.parts["$limit"], "$limit", least=0, most=_MOST_ROWS)

    def _sample(self) -> Sample | None:
        value = self.parts.get("$sample")
        if "$sample" not in self.parts:
            return None
        given = value if isinstance(value, dict) else {"share": value}
        if set(given) - {"share", "seed"} or "share" not in given:
            raise QueryError('$sample needs {"share": …, "seed": …}', where="$sample")
        share = number(given["share"], "$sample")
        if not 0 < share <= 1:
            raise QueryError("a share is more than 0 and at most 1", where="$sample")
        return Sample(share, text(given.get("seed", ""), "$sample.seed"))

    def _compare(self, result: Rows | Distribution | Heatmap) -> bool:
        value = self.parts.get("$compare", False)
        if not isinstance(value, bool):
            raise QueryError("$compare is true or false", where="$compare")
        if value and not isinstance(result, Distribution):
            raise QueryError(
                "only distributions are compared", where="$compare", remedy="$top, $cdf, $histogram"
            )
        if value and "$where" not in self.parts:
            raise QueryError("$compare needs $where: which part?", where="$compare")
        return value

    def _fetch(self, result: Rows | Distribution | Heatmap) -> str | None:
        value = self.parts.get("$fetch")
        if value is None:
            return None
        texts = _texts(result)
        name = text(value, "$fetch")
        if name not in texts:
            raise QueryError(
                f"the answer has no texts {name[:40]!r}",
                where="$fetch",
                remedy=nearest(name, texts),
            )
        return name


def _seen_from(inner: Scope, back: Link, scope: Scope, where: Condition) -> Condition:
    """A condition on rows of a scope, said of the rows of another that belong to them.

    What it says of just these rows, it says of them directly.
    """
    match where:
        case And(items):
            return And(tuple(_seen_from(inner, back, scope, item) for item in items))
        case Related(link=Link(same=True), quantifier=Quantifier.ANY) if (
            back.same and where.scope.name == inner.name
        ):
            return where.condition
        case _:
            return Related(back, scope, where)


def _references(result: Rows | Distribution | Heatmap) -> list[Reference]:
    match result:
        case Rows(outputs=outputs, group=group):
            return [each.reference for each in (*outputs, *group) if each.reference]
        case Distribution(of=of):
            return [of]
        case Heatmap():
            return []


def _unlinked(result: Rows | Distribution | Heatmap) -> Rows | Distribution | Heatmap:
    """The same result, where the other scope's rows have become the rows."""

    def plain(output: Output) -> Output:
        found = output.reference and replace(output.reference, link=None)
        return replace(output, reference=found)

    match result:
        case Rows(outputs=outputs, group=group):
            return replace(
                result, outputs=tuple(map(plain, outputs)), group=tuple(map(plain, group))
            )
        case Distribution(of=of):
            return replace(result, of=replace(of, link=None))
        case Heatmap():
            return result


_DISTRIBUTION_COLUMNS = {
    "$top": ["value", "count", "share"],
    "$cdf": ["value", "count", "share", "cumulated"],
    "$histogram": ["low", "high", "count", "share"],
}


def _names(result: Rows | Distribution | Heatmap) -> list[str]:
    """The columns of the answer."""
    match result:
        case Rows(outputs=outputs, group=group):
            return [output.name for output in (*group, *outputs)]
        case Distribution(kind=kind):
            return _DISTRIBUTION_COLUMNS[kind]
        case Heatmap():
            return ["column", "row", "count", "share"]


def _texts(result: Rows | Distribution | Heatmap) -> list[str]:
    match result:
        case Rows(outputs=outputs, group=group):
            return [
                output.name
                for output in (*group, *outputs)
                if output.reference and output.reference.column.kind is Kind.TEXT
            ]
        case Distribution(of=of) if of.column.kind is Kind.TEXT:
            return ["value"]
        case _:
            return []


def _ordering(value: Any, names: list[str], where: str) -> Order:
    """`"width"`, `"-width"`, or `{"width": "desc"}`."""
    descending = False
    if isinstance(value, dict) and len(value) == 1:
        ((name, direction),) = value.items()
        if direction not in ("asc", "desc", 1, -1) or isinstance(direction, bool):
            raise QueryError("the direction is asc or desc", where=where)
        descending = direction in ("desc", -1)
    else:
        name = text(value, where)
        if name.startswith("-") and name not in names:
            name, descending = name[1:], True
    if name not in names:
        raise QueryError(
            f"the answer has no column {name[:40]!r}", where=where, remedy=nearest(name, names)
        )
    return Order(name, descending)
