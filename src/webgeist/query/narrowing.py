"""Where less has to be read for the same answer: rows of another scope are asked for instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webgeist.query.tree import (
    And,
    Compare,
    Distribution,
    Heatmap,
    Output,
    Quantifier,
    Query,
    Related,
    Rows,
)

if TYPE_CHECKING:
    from webgeist.query.scopes import Scope
    from webgeist.query.tree import Reference


def narrowed(query: Query) -> Query:
    """Where all that is asked of rows is what belongs to each, that is asked for instead.

    Styles say how many nodes they have, so that the nodes need not be read; and of pages that look
    a certain way only their blocks.
    """
    match query.where:
        case Related(link=link, scope=scope, condition=condition, quantifier=Quantifier.ANY):
            wanted = references(query.result)
        case _:
            return query
    if any(each.link or not _is_there(scope, each) for each in wanted):
        return query
    if link.same and query.scope.only in (None, scope.only) and counts(query.result):
        return replace(query, scope=scope, where=condition, result=_moved(query.result, scope))
    keys = {name for name, _ in link.on}
    if link.single and link.fixed and all(each.column.name in keys for each in wanted):
        fixed = [Compare(scope.columns[name], "$eq", value) for name, value in link.fixed]
        said = And((*fixed, condition))
        return replace(query, scope=scope, where=said, result=_moved(query.result, scope))
    return query


def _is_there(scope: Scope, reference: Reference) -> bool:
    """Whether a scope has the same stored column."""
    found = scope.columns.get(reference.column.name)
    return found is not None and not found.making and not reference.column.making


def _moved(result: Rows | Distribution | Heatmap, scope: Scope) -> Rows | Distribution | Heatmap:
    def there(reference: Reference) -> Reference:
        return replace(reference, scope=scope, column=scope.columns[reference.column.name])

    def moved(output: Output) -> Output:
        return replace(output, reference=output.reference and there(output.reference))

    match result:
        case Rows(outputs=outputs, group=group):
            return replace(
                result, outputs=tuple(map(moved, outputs)), group=tuple(map(moved, group))
            )
        case Distribution(of=of):
            return replace(result, of=there(of))
        case Heatmap():
            return result


def counts(result: Rows | Distribution | Heatmap) -> bool:
    """Whether a row that says how many it stands for is as good as those."""
    match result:
        case Rows(outputs=outputs, group=group, distinct=distinct):
            kinds = {output.aggregate for output in outputs}
            return distinct or bool(group) or (None not in kinds and "$quantile" not in kinds)
        case Distribution():
            return True
        case Heatmap():
            return False


def references(result: Rows | Distribution | Heatmap) -> list[Reference]:
    match result:
        case Rows(outputs=outputs, group=group):
            return [each.reference for each in (*group, *outputs) if each.reference]
        case Distribution(of=of):
            return [of]
        case Heatmap():
            return []
