"""How two pages differ: nodes added and removed, and what changed of those that stayed. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from webgeist.page.alignment import align

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

MOVED = 1.0  # CSS pixels: a box that moved or grew by no more counts as where it was
# What can change of a node. What only follows from other nodes (numbers, paint order) is not in it.
KINDS = ("text", "attributes", "state", "style", "box")
STATE = (
    *("shadow", "pseudo", "value", "checked", "selected", "clickable", "stacking_context"),
    "source_url",
)
_HALVES = (("styles_inherited", "style_inherited"), ("styles_own", "style_own"))
_FRAME = frozenset({"style", "nodes"})  # columns of a style table that are no properties


@dataclass(frozen=True)
class Change:
    """A node that both pages have, by its number on each, and which of `KINDS` changed."""

    before: int
    after: int
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """`same`: the node tables are equal in every value, paint order and parts of pixels included.

    `removed` are nodes of the first page, `added` of the second. A node that is removed or added
    is so with everything below it; one that went elsewhere is both.
    """

    same: bool
    removed: tuple[int, ...]
    added: tuple[int, ...]
    changed: tuple[Change, ...]

    def counts(self) -> dict[str, int]:
        """How many nodes were removed, added, changed, and changed in each of `KINDS`."""
        kinds = {kind: sum(kind in change.kinds for change in self.changed) for kind in KINDS}
        totals = {"removed": self.removed, "added": self.added, "changed": self.changed}
        return {name: len(found) for name, found in totals.items()} | kinds


def compare(before: Page, after: Page) -> Difference:
    """What is different in `after`. Properties that only one of two Chromiums knows don't count."""
    if _same(before, after):
        return Difference(same=True, removed=(), added=(), changed=())
    pairs = np.array(align(before, after), np.int64).reshape(-1, 2)
    left, right = pairs[:, 0], pairs[:, 1]
    marks = dict(_marks(before, after, left, right))
    found = np.flatnonzero(_any(list(marks.values())))
    changed = (
        Change(int(left[at]), int(right[at]), tuple(kind for kind in KINDS if marks[kind][at]))
        for at in found
    )
    return Difference(
        same=False,
        removed=_others(len(before), left),
        added=_others(len(after), right),
        changed=tuple(changed),
    )


def _any(marks: Sequence[Bools] | Bools) -> Bools:
    found: Bools = np.logical_or.reduce(marks)
    return found


def _same(before: Page, after: Page) -> bool:
    if len(before) != len(after) or not _plain(before.nodes).equals(_plain(after.nodes)):
        return False
    for name, _ in _HALVES:
        one, other = getattr(before, name), getattr(after, name)
        shared = properties(one, other)
        if not one.select(shared).equals(other.select(shared)):
            return False
    return True


def properties(one: pa.Table, other: pa.Table) -> list[str]:
    """The longhands that both style tables have."""
    known = set(other.column_names) - _FRAME
    return [name for name in one.column_names if name in known]


def _plain(nodes: pa.Table) -> pa.Table:
    """The table with words instead of a dictionary's numbers for them, which may differ."""
    return pa.table({name: _words(nodes[name]) for name in nodes.column_names})


def _words(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column


def _others(nodes: int, paired: Ints) -> tuple[int, ...]:
    return tuple(np.setdiff1d(np.arange(nodes), paired).tolist())


def _marks(before: Page, after: Page, left: Ints, right: Ints) -> Iterator[tuple[str, Bools]]:
    """For each kind of change, which pairs of nodes have it."""

    def differ(*columns: str) -> Bools:
        codes = (_codes(before.nodes[name], after.nodes[name]) for name in columns)
        return _any([one[left] != other[right] for one, other in codes])

    yield "text", differ("text", "rendered_text")
    yield "attributes", _attributes_differ(before, after, left, right)
    yield "state", differ(*STATE)
    yield "style", _styles_differ(before, after, left, right)
    yield "box", _boxes_differ(before, after, left, right)


def _codes(one: pa.ChunkedArray, other: pa.ChunkedArray) -> tuple[Ints, Ints]:
    """Two columns as numbers: equal ones for equal values, -1 for null."""
    chunks = [*_words(one).chunks, *_words(other).chunks]
    together = pa.chunked_array(chunks, _words(one).type).combine_chunks()
    codes = together.dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return codes[: len(one)], codes[len(one) :]


def _attributes_differ(before: Page, after: Page, left: Ints, right: Ints) -> Bools:
    one, other = before.nodes["attributes"].to_pylist(), after.nodes["attributes"].to_pylist()
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    return np.array([_unlike(one[node], other[twin]) for node, twin in pairs], bool)


def _unlike(one: list[tuple[str, str]] | None, other: list[tuple[str, str]] | None) -> bool:
    """Whether attributes differ; their order means nothing."""
    return one != other and dict(one or ()) != dict(other or ())


def _styles_differ(before: Page, after: Page, left: Ints, right: Ints) -> Bools:
    """By what the style vectors say: their numbers depend on the order of the nodes."""
    differ = np.zeros(len(left), bool)
    for table, column in _HALVES:
        one, other = _vectors(getattr(before, table), getattr(after, table))
        differ |= _of_nodes(before, column, one)[left] != _of_nodes(after, column, other)[right]
    return differ


def _vectors(one: pa.Table, other: pa.Table) -> tuple[Ints, Ints]:
    """A number for each style vector, the same for the same on both pages; -1 stands last."""
    codes = [np.concatenate(_codes(one[name], other[name])) for name in properties(one, other)]
    rows = np.column_stack(codes) if codes else np.zeros((len(one) + len(other), 1), np.int64)
    known: dict[bytes, int] = {}
    numbers = np.array([known.setdefault(row.tobytes(), len(known)) for row in rows], np.int64)
    none = np.array([-1], np.int64)
    return np.append(numbers[: len(one)], none), np.append(numbers[len(one) :], none)


def _of_nodes(page: Page, column: str, numbers: Ints) -> Ints:
    """The style number of each node; -1 where it has no layout."""
    rows = page.nodes[column].combine_chunks().fill_null(-1).to_numpy(zero_copy_only=False)
    found: Ints = numbers[rows]
    return found


def _boxes_differ(before: Page, after: Page, left: Ints, right: Ints) -> Bools:
    one, other = before.boxes[left], after.boxes[right]
    gone = np.isnan(one) != np.isnan(other)
    far = np.abs(np.nan_to_num(one) - np.nan_to_num(other)) > MOVED
    return _any((gone | far).T)
