"""Where a list begins and ends: parts of a page that are built like its rows, and are not.

Right before or behind a list there is often one more element of the same name: what introduces it,
or the rest of the page. It is told by its size: a third of a row's, or three times as much.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.scrape.relations.model import Row
    from webgeist.scrape.relations.tree import Tree

_OFF = 3.0  # times as many cells as the row in the middle, or as few
_EVEN = 0.35  # how much the sizes of real rows may differ, in parts of the middle one
_FEWEST = 4  # rows, to know what is usual
_TAIL = 0.3  # of the rows may stand behind the first that is no row
_SMALL = 6  # cells: of smaller rows some may well lack most


def trimmed(tree: Tree, rows: Sequence[Row], *, head: bool) -> Sequence[Row]:
    """The rows without what is none at their end, and at their beginning where `head` says so."""
    sizes = [sum(int(tree.leaf_counts[node]) for node in row.nodes) for row in rows]
    begin, end = ends(sizes, head=head)
    return rows[begin:end]


def ends(sizes: Sequence[int], *, head: bool) -> tuple[int, int]:
    """Which of the rows with these numbers of cells are the list."""
    whole = 0, len(sizes)
    if len(sizes) < _FEWEST:
        return whole
    middle = median(sizes)
    odd = [at for at, size in enumerate(sizes) if not middle / _OFF < size < middle * _OFF]
    if not odd or middle < _SMALL:
        return whole
    begin = 1 if head and odd[0] == 0 else 0
    later = [at for at in odd if at >= max(begin, len(sizes) * (1 - _TAIL))]
    end = later[0] if later else len(sizes)
    kept = sizes[begin:end]
    return (begin, end) if len(kept) >= _FEWEST - 1 and _is_even(kept) else whole


def _is_even(sizes: Sequence[int]) -> bool:
    middle = median(sizes)
    return sum(abs(size - middle) for size in sizes) / len(sizes) <= _EVEN * middle
