"""What a query wants of its rows: columns, aggregates, distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.errors import QueryError
from webgeist.query.links import link
from webgeist.query.operators import AGGREGATES, DISTRIBUTIONS, RESULTS, operator
from webgeist.query.places import at, column_of
from webgeist.query.scopes import Kind
from webgeist.query.tree import Distribution, Heatmap, Output, Reference, Rows
from webgeist.query.values import number, text, whole
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from webgeist.query.schema import Schema
    from webgeist.query.scopes import Scope

_MOST_OUTPUTS = 200
_MOST_BINS = 10_000
_MOST_CELLS = 200  # of a heat map, each way
_CELLS = 20
_BINS = 20
_BOX = ("x", "y", "width", "height")
_ONE = ("of", "limit", "bins", "width", "range")


@dataclass(frozen=True)
class Results:
    """Reads what is wanted of the rows of a scope."""

    schema: Schema
    scope: Scope

    def read(self, parts: dict[str, Any]) -> Rows | Distribution | Heatmap:
        """One result: `$select` with `$group`, or another one alone."""
        alone = [name for name in RESULTS if name in parts]
        if len(alone) + ("$select" in parts) > 1:
            raise QueryError(
                "a query has one result", where=alone[-1], remedy="aggregates go into $select"
            )
        if alone:
            found = self._result(self.scope, alone[0], parts[alone[0]], alone[0])
            return (
                found if isinstance(found, (Distribution, Heatmap)) else self._grouped(found, parts)
            )
        if "$select" not in parts:
            return self._grouped(self._default(), parts)
        return self._select(parts)

    def _select(self, parts: dict[str, Any]) -> Rows | Distribution | Heatmap:
        items = parts["$select"]
        given = items if isinstance(items, list) else [items]
        if not given:
            raise QueryError("the list is empty", where="$select")
        outputs: list[Output] = []
        distinct = False
        for n, item in enumerate(given):
            place = at("$select", n) if isinstance(items, list) else "$select"
            found = self._item(self.scope, item, place)
            if isinstance(found, (Distribution, Heatmap)):
                if len(given) > 1:
                    raise QueryError("a distribution stands alone in $select", where=place)
                return found
            distinct |= found.distinct
            outputs += found.outputs
        if len(outputs) > _MOST_OUTPUTS:
            raise QueryError(f"an answer has at most {_MOST_OUTPUTS} columns", where="$select")
        return self._grouped(Rows(tuple(outputs), distinct=distinct), parts)

    def _default(self) -> Rows:
        """The keys, and what tells most about a row."""
        names = dict.fromkeys((*self.scope.keys, *self.scope.shown))
        outputs = [self._output(self.scope, name, "") for name in names]
        return Rows(tuple(outputs))

    def _grouped(self, rows: Rows, parts: dict[str, Any]) -> Rows:
        value = parts.get("$group", [])
        given = value if isinstance(value, list) else [value]
        if "$group" in parts and not given:
            raise QueryError("the list is empty", where="$group")
        group = [self._output(self.scope, item, at("$group", n)) for n, item in enumerate(given)]
        plain = [output for output in rows.outputs if output.aggregate is None]
        if group and "$select" not in parts and len(plain) == len(rows.outputs):
            rows, plain = Rows((Output("count", None, "$count"),)), []
        outputs = [each for each in rows.outputs if each.aggregate]
        named = {output.name for output in group}
        strays = [output for output in plain if output.name not in named]
        if strays and (group or outputs):
            raise QueryError(
                f"{strays[0].name} is neither in $group nor aggregated",
                where="$select",
                remedy='add it to "$group"',
            )
        if group or outputs:
            rows = Rows(tuple(outputs), tuple(group), rows.distinct)
        return _unique(rows)

    # --- one item ------------------------------------------------------------------------------

    def _item(self, scope: Scope, item: Any, where: str) -> Rows | Distribution | Heatmap:
        """`"url"`, `{"url": 1}`, `{"$avg": "width"}`, `{"name": {"$avg": …}}`, `{"@styles": …}`."""
        if isinstance(item, str):
            return Rows((self._output(scope, item, where),))
        if not isinstance(item, dict) or not item:
            raise QueryError("a column's name or an object is needed here", where=where)
        if len(item) > 1:
            rows = [self._item(scope, {key: value}, where) for key, value in item.items()]
            if not all(isinstance(each, Rows) for each in rows):
                raise QueryError("a distribution stands alone in $select", where=where)
            found = [each for each in rows if isinstance(each, Rows)]
            outputs = tuple(output for each in found for output in each.outputs)
            return Rows(outputs, distinct=any(each.distinct for each in found))
        ((key, value),) = item.items()
        return self._entry(scope, key, value, at(where, key))

    def _entry(
        self, scope: Scope, key: str, value: Any, where: str
    ) -> Rows | Distribution | Heatmap:
        if key.startswith("@") and "." not in key:
            return self._inside(self.schema.scope(key, where), value, where)
        if value in (1, True) and (key.startswith("@") or scope.find(key)):
            return Rows((self._output(scope, key, where),))
        if word := operator(key, RESULTS):
            return self._result(scope, word, value, where)
        if isinstance(value, dict) and len(value) == 1:
            return self._named(scope, key, value, where)
        if isinstance(value, str):  # {"address": "url"}
            reference = self._reference(scope, value, where)
            return Rows((Output(text(key, where), reference),))
        column_of(scope, key, where)  # which says what is wrong
        raise QueryError("1 is needed here: this column is wanted", where=where)

    def _inside(self, scope: Scope, value: Any, where: str) -> Rows | Distribution | Heatmap:
        """Columns of another scope: `{"@styles": ["color", "cursor"]}`."""
        if not isinstance(value, list):
            return self._item(scope, value, where)
        found = [self._item(scope, item, at(where, n)) for n, item in enumerate(value)]
        if not found or not all(isinstance(each, Rows) for each in found):
            raise QueryError("names of columns are needed here", where=where)
        rows = [each for each in found if isinstance(each, Rows)]
        outputs = tuple(output for each in rows for output in each.outputs)
        return Rows(outputs, distinct=any(each.distinct for each in rows))

    def _named(
        self, scope: Scope, name: str, value: dict[str, Any], where: str
    ) -> Rows | Distribution | Heatmap:
        """`{"largest": {"$max": "width"}}`: an aggregate under a name of its own."""
        ((key, inner),) = value.items()
        word = operator(key, AGGREGATES)
        if word is None:
            column_of(scope, name, where)
            raise QueryError(
                "an aggregate is needed here", where=at(where, key), remedy=nearest(key, AGGREGATES)
            )
        found = self._aggregate(scope, word, inner, at(where, key))
        return Rows((Output(text(name, where), found.reference, word, found.quantile),))

    def _result(
        self, scope: Scope, word: str, value: Any, where: str
    ) -> Rows | Distribution | Heatmap:
        if word == "$distinct":
            names = value if isinstance(value, list) else [value]
            if not names:
                raise QueryError("the list is empty", where=where)
            outputs = [self._output(scope, name, where) for name in names]
            return Rows(tuple(outputs), distinct=True)
        if word == "$heatmap":
            return self._heatmap(scope, value, where)
        if word in DISTRIBUTIONS:
            return self._distribution(scope, word, value, where)
        return Rows((self._aggregate(scope, word, value, where),))

    def _aggregate(self, scope: Scope, word: str, value: Any, where: str) -> Output:
        if word == "$count" and value in ("*", 1, True):
            return Output("count", None, word)
        quantile = 0.5
        if word == "$quantile" and isinstance(value, dict):
            if set(value) - {"of", "q"} or "of" not in value:
                raise QueryError('$quantile needs {"of": …, "q": …}', where=where)
            quantile, value = number(value.get("q", 0.5), at(where, "q")), value["of"]
            if not 0 <= quantile <= 1:
                raise QueryError("q is from 0 to 1", where=at(where, "q"))
        found = self._reference(scope, value, where)
        kind = found.column.kind
        if word in ("$avg", "$quantile", "$sum"):
            found = _as_number(found, word, where)
        elif kind is Kind.NESTED and word != "$count":
            raise QueryError(f"{word} is not for lists and maps", where=where)
        return Output(f"{word[1:]}_{found.name}", found, word, quantile)

    def _distribution(self, scope: Scope, word: str, value: Any, where: str) -> Distribution:
        given = value if isinstance(value, dict) else {"of": value}
        options = dict(given)
        if "of" not in options or set(options) - set(_ONE):
            stray = next(iter(set(options) - set(_ONE)), "of")
            raise QueryError(f'{word} needs {{"of": …}}', where=at(where, stray))
        of = self._reference(scope, options.pop("of"), at(where, "of"))
        if of.column.kind is Kind.NESTED:
            raise QueryError(f"{of.name} has lists or maps", where=where)
        if word == "$histogram":
            return _histogram(_as_number(of, word, where), options, where)
        strays = set(options) - {"limit"}
        if strays:
            raise QueryError(f"{word} has no {min(strays)}", where=at(where, min(strays)))
        limit = options.get("limit")
        if limit is not None:
            limit = whole(limit, at(where, "limit"), least=1, most=1 << 31)
        return Distribution(word, of, limit)

    def _heatmap(self, scope: Scope, value: Any, where: str) -> Heatmap:
        given = {} if value in (1, True) else value
        if not isinstance(given, dict) or set(given) - {"columns", "rows"}:
            raise QueryError('$heatmap needs {"columns": …, "rows": …}', where=where)
        if scope.name != self.scope.name or any(scope.find(name) is None for name in _BOX):
            raise QueryError(f"{scope.name} has no boxes here", where=where, remedy="$from @dom")
        columns, rows = (
            whole(given.get(key, _CELLS), at(where, key), least=1, most=_MOST_CELLS)
            for key in ("columns", "rows")
        )
        return Heatmap(columns, rows)

    # --- names ---------------------------------------------------------------------------------

    def _output(self, scope: Scope, name: Any, where: str) -> Output:
        found = self._reference(scope, name, where)
        return Output(found.name, found)

    def _reference(self, scope: Scope, name: Any, where: str) -> Reference:
        """`"width"`, or `"@visual.width"` of another scope."""
        wanted = text(name, where)
        shown = wanted
        if wanted.startswith("@"):
            other, dot, wanted = wanted.partition(".")
            scope = self.schema.scope(other, where)
            if not dot:
                raise QueryError(
                    f"{other} is no column", where=where, remedy=f"one of its columns: {other}.…"
                )
            shown = wanted
        column = column_of(scope, wanted, where)
        if scope.name == self.scope.name:
            return Reference(column, shown, scope)
        found = link(self.scope, scope)
        if scope.name == "@visual" and self.scope.name == "@page":
            found = link(self.scope, scope, whole=True)
        if found is None:
            raise QueryError(f"{scope.name} does not belong to {self.scope.name}", where=where)
        return Reference(column, shown, scope, found)


def _as_number(reference: Reference, word: str, where: str) -> Reference:
    """Of a CSS text, the number beside it."""
    column = reference.column.number or reference.column
    if not column.kind.is_number:
        raise QueryError(f"{word} is for numbers; {reference.name} has none", where=where)
    return Reference(column, reference.name, reference.scope, reference.link)


def _histogram(of: Reference, options: dict[str, Any], where: str) -> Distribution:
    if "limit" in options or {"bins", "width"} <= set(options):
        raise QueryError("$histogram has either bins or width", where=where)
    span = _span(options.get("range"), at(where, "range"))
    if "width" in options:
        width = number(options["width"], at(where, "width"))
        if width <= 0:
            raise QueryError("a width is more than 0", where=at(where, "width"))
        return Distribution("$histogram", of, width=width, span=span)
    bins = whole(options.get("bins", _BINS), at(where, "bins"), least=1, most=_MOST_BINS)
    return Distribution("$histogram", of, bins=bins, span=span)


def _span(value: Any, where: str) -> tuple[float, float] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:  # noqa: PLR2004 - two ends
        raise QueryError("a range is a list of two numbers", where=where)
    low, high = (number(item, at(where, n)) for n, item in enumerate(value))
    if low >= high:
        raise QueryError("a range has its lower end first", where=where)
    return low, high


def _unique(rows: Rows) -> Rows:
    """Columns of the same name get their scope's in front."""
    seen: dict[str, int] = {}
    for output in (*rows.group, *rows.outputs):
        seen[output.name] = seen.get(output.name, 0) + 1

    def named(output: Output) -> Output:
        if seen[output.name] == 1 or output.reference is None:
            return output
        name = f"{output.reference.scope.name}.{output.name}"
        return Output(name, output.reference, output.aggregate, output.quantile)

    found = Rows(tuple(map(named, rows.outputs)), tuple(map(named, rows.group)), rows.distinct)
    names = [output.name for output in (*found.group, *found.outputs)]
    for name in names:
        if names.count(name) > 1:
            raise QueryError(f"the answer would have two columns {name}", where="$select")
    return found
