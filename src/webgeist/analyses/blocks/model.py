"""Learned trees: read from JSON, asked without any learning library, and able to say why."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from webgeist.errors import DamagedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LEAF = -1


@dataclass(frozen=True)
class Tree:
    """Node 0 is the root. Where `feature` is -1 a node is a leaf; else a row goes left if its
    feature's value is at most the threshold. `value` is how likely the block type is there,
    `rows` how many examples came by.
    """

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    value: list[float]
    rows: list[int]

    def path(self, row: Sequence[float]) -> list[int]:
        """The nodes that a row comes by, from the root to its leaf."""
        node, path = 0, [0]
        while self.feature[node] != _LEAF:
            goes_left = row[self.feature[node]] <= self.threshold[node]
            node = self.left[node] if goes_left else self.right[node]
            path.append(node)
        return path


@dataclass(frozen=True)
class Model:
    """One tree or several, whose mean counts. `card` tells how it was made and how good it is."""

    block_type: str
    features: tuple[str, ...]
    trees: tuple[Tree, ...]
    rules: str  # the digest of the rules that its features come from
    card: dict[str, Any] = field(default_factory=dict)

    def score(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """How likely each row is of the block type, from 0 to 1."""
        found: NDArray[np.float64] = self._forest.leaves(values).mean(axis=1)
        return found

    @cached_property
    def _forest(self) -> _Forest:
        return _Forest(self.trees)

    def explain(self, row: Sequence[float]) -> list[str]:
        """The decisions that led to a row's score, in words, of the tree that is nearest to it."""
        scores = self._forest.leaves(np.array([row], np.float32))[0]
        away = np.abs(scores - scores.mean())
        near = [self.trees[k] for k in np.flatnonzero(away <= away.min() + 1e-9).tolist()]
        paths = [(tree.path(row), tree) for tree in near]
        path, tree = min(paths, key=lambda each: len(each[0]))
        return [self._decision(tree, node, row) for node in path[:-1]]

    def _decision(self, tree: Tree, node: int, row: Sequence[float]) -> str:
        name, value = self.features[tree.feature[node]], row[tree.feature[node]]
        if tree.threshold[node] == 0.5 and value in {0.0, 1.0}:
            return name if value else f"not {name}"
        sign = "<=" if value <= tree.threshold[node] else ">"
        return f"{name} = {value:g} {sign} {tree.threshold[node]:g}"

    def text(self, number: int = 0) -> str:
        """A tree as indented lines."""
        tree = self.trees[number]
        lines: list[str] = []
        waiting = [(0, 0, "")]
        while waiting:
            node, depth, mark = waiting.pop()
            if tree.feature[node] == _LEAF:
                shown = f"{tree.value[node]:.2f} ({tree.rows[node]} examples)"
            else:
                shown = f"{self.features[tree.feature[node]]} <= {tree.threshold[node]:g}"
                waiting.append((tree.right[node], depth + 1, "no: "))
                waiting.append((tree.left[node], depth + 1, "yes: "))
            lines.append("  " * depth + mark + shown)
        return "\n".join(lines)

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")) + "\n"


_MODEL = TypeAdapter(Model)


def read_model(text: str, file: str) -> Model:
    """DamagedError where the file is no model."""
    try:
        model = _MODEL.validate_json(text)
    except ValidationError as error:
        raise DamagedError(f"{file} is no model: {error.errors()[0]['msg']}") from error
    for tree in model.trees:
        count = len(tree.feature)
        sizes = {len(tree.threshold), len(tree.left), len(tree.right), len(tree.value), count}
        children = [*tree.left, *tree.right]
        if len(sizes) > 1 or not count or any(not -1 <= child < count for child in children):
            raise DamagedError(f"{file} holds a broken tree")
        for node, child in enumerate(tree.left):  # children come later: no walk can go round
            inner = tree.feature[node] != _LEAF
            if inner and (child <= node or tree.right[node] <= node):
                raise DamagedError(f"{file} holds a tree that goes round")
    return model


class _Forest:
    """Trees as one table, whose nodes are numbered through. Leaves lead to themselves."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        sizes = [len(tree.feature) for tree in trees]
        self._roots = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        self._feature = np.concatenate([tree.feature for tree in trees])
        self._threshold = np.concatenate([tree.threshold for tree in trees])
        self._value = np.concatenate([tree.value for tree in trees])
        children = [
            np.array([tree.left, tree.right], np.int64) + root
            for tree, root in zip(trees, self._roots.tolist(), strict=True)
        ]
        self._left, self._right = np.concatenate(children, axis=1)

    def leaves(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """What each tree says of each row: all go down together, a level at a time."""
        at = np.tile(self._roots, len(values))
        rows = np.repeat(np.arange(len(values)), len(self._roots))
        moving = np.flatnonzero(self._feature[at] != _LEAF)
        while len(moving):
            nodes = at[moving]
            goes_left = values[rows[moving], self._feature[nodes]] <= self._threshold[nodes]
            nodes = np.where(goes_left, self._left[nodes], self._right[nodes])
            at[moving] = nodes
            moving = moving[self._feature[nodes] != _LEAF]
        return self._value[at].reshape(len(values), len(self._roots))
