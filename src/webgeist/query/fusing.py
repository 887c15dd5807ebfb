"""Several things that a page must have, looked for in one pass.

"A header that is large, and a menu on top" asks the nodes of a page twice, each time with their
blocks. Where both ask the same tables in the same way, their rows are read once: those that fulfil
the one or the other, grouped by page, and each must be among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from webgeist.query.links import CAPTURE
from webgeist.query.sqltree import either, every, filtered, grouped, joined
from webgeist.query.tree import Among, And, Compare, Quantifier, Related

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.query.sources import Source
    from webgeist.query.tree import Condition

    Join = tuple[Source, list[exp.Expr]]
    Say = Callable[[Condition, Source, list[Join]], list[exp.Expr]]


def fusible(items: Iterable[Condition]) -> list[list[Related]]:
    """The conditions that ask the same rows of a page in the same way, two or more together."""
    found: dict[tuple[object, ...], list[Related]] = {}
    for item in items:
        if isinstance(item, Related) and _by_page(item):
            found.setdefault((item.scope.name, *_shape(item.condition)), []).append(item)
    return [alike for alike in found.values() if len(alike) > 1]


def _by_page(item: Related) -> bool:
    plain = item.link.on == (CAPTURE,) and not item.link.bounds and not item.link.fixed
    return item.quantifier is Quantifier.ANY and plain and not item.link.same


def _shape(condition: Condition) -> Iterable[object]:
    """What is joined for a condition, and which columns are read, in order."""
    match condition:
        case And(items):
            for item in items:
                yield from _shape(item)
        case Related(quantifier=Quantifier.ANY, scope=scope, link=link):
            yield (scope.name, link)
            yield from _shape(condition.condition)
        case Compare(column=column) | Among(column=column):
            yield column.tables
        case _:
            yield id(condition)  # like nothing else


def fused(alike: list[Related], outer: Source, inner: Source, say: Say) -> exp.In:
    """That a row's page is among those that have all of it. `say` tells what remains to be said of
    a condition when its joins are made.
    """
    joins: list[Join] = []
    told = [every(say(alike[0].condition, inner, joins))]
    for item in alike[1:]:
        own: list[Join] = []
        told.append(_on_the_same(every(say(item.condition, inner, own)), own, joins))
    select = exp.Select().select(inner.key("capture"), copy=False)
    select = select.from_(inner.tables()[0], copy=False)
    for source, on in joins:
        select = joined(select, source.tables()[0], every(on))
    common: list[exp.Expr] = [every(say(each, inner, joins)) for each in _in_common(alike)]
    if not common:  # otherwise most of the rows are passed over already
        common = [exp.Paren(this=either([each.copy() for each in told]))]
    select = grouped(filtered(select, common), [inner.key("capture")])
    all_ = every([exp.LogicalOr(this=each) for each in told])
    select.set("having", exp.Having(this=all_))
    return exp.In(this=outer.key("capture"), query=exp.Subquery(this=select))


def _on_the_same(said: exp.Expr, own: list[Join], joins: list[Join]) -> exp.Expr:
    """What was said of joins, said of others of the same shape."""
    aliases = {
        here: there
        for (mine, _), (theirs, _) in zip(own, joins, strict=True)
        for here, there in zip(mine.aliases.values(), theirs.aliases.values(), strict=True)
    }
    for column in said.find_all(exp.Column):
        table = column.args["table"]
        table.set("this", aliases.get(table.name, table.name))
    return said


def _in_common(alike: list[Related]) -> list[Among]:
    """A column that each of them compares: no other values matter. That is quicker to find."""
    each = [_values(item.condition) for item in alike]
    shared = [column for column in each[0] if all(column in values for values in each)]
    return [
        Among(each[0][name][0], tuple(dict.fromkeys(v for values in each for v in values[name][1])))
        for name in shared
    ]


def _values(condition: Condition) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    items = condition.items if isinstance(condition, And) else (condition,)
    found: dict[str, tuple[Any, tuple[Any, ...]]] = {}
    for item in items:
        if isinstance(item, Compare) and item.operator == "$eq":
            found[item.column.name] = (item.column, (item.value,))
        elif isinstance(item, Among):
            found[item.column.name] = (item.column, item.values)
    return found
