"""The feature model of a page: for each node of interest a value for each feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.blocks.rules.running import run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from webgeist.analyses.blocks.facts import Facts
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.rules.running import Row
    from webgeist.analyses.blocks.rules.syntax import Predicate

MISSING = -1.0  # a feature without a value; trees may split there
_PARTS = ("", ".horizontal", ".vertical")


@dataclass(frozen=True, eq=False)
class Table:
    """A row of `values` for each of `nodes`, a column for each of `names`."""

    nodes: tuple[int, ...]
    names: tuple[str, ...]
    values: NDArray[np.float32]


def feature_names(program: Compiled) -> tuple[str, ...]:
    """Columns in a fixed order; a pair has two."""
    return tuple(name for each in program.features for name in _columns(each))


def features(program: Compiled, facts: Facts) -> Table:
    """Every feature of each node of interest: 1 where a property holds, else 0; values as they are,
    the smallest where there are several, MISSING where there is none.
    """
    found = run(program, facts)
    nodes = tuple(sorted({int(str(row[0])) for row in found[program.interest]}))
    names = feature_names(program)
    row = {node: number for number, node in enumerate(nodes)}
    values = np.zeros((len(nodes), len(names)), np.float32)
    column = 0
    for predicate in program.features:
        width = len(_columns(predicate))
        if predicate.arity > 1:
            values[:, column : column + width] = MISSING
        for node, value in _smallest(found[predicate]).items():
            if node in row:
                values[row[node], column : column + width] = value
        column += width
    return Table(nodes, names, values)


def _smallest(rows: Iterable[Row]) -> dict[object, tuple[float, ...]]:
    """A value for each node; 1 where there is only the node itself."""
    found: dict[object, tuple[float, ...]] = {}
    for node, *rest in rows:
        value = tuple(map(_number, rest)) or (1.0,)
        if node not in found or value < found[node]:
            found[node] = value
    return found


def _columns(predicate: Predicate) -> list[str]:
    name = predicate.name.partition("::")[2]
    if predicate.arity <= 2:
        return [name]
    return [f"{name}{part}" for part in (_PARTS[1:] if predicate.arity == 3 else _PARTS)]


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return float(value)
    return MISSING
