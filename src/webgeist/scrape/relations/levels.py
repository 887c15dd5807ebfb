"""At which level of a page the rows are: the cell, what it stands in, or further out.

From the inside out, the innermost repetition counts, unless what repeats there are the fields of a
record that repeats itself further out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.scrape.relations.segments import segment
from webgeist.scrape.relations.shapes import ALIKE, likeness, mean_likeness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.scrape.relations.model import Row
    from webgeist.scrape.relations.tree import Tree

_FEW_FIELDS = 8
_LISTS = frozenset({"li", "tr", "option", "dt", "dd", "article"})
_SAME_LABELS = 0.6
_RICH = 2.0
_WAVERING = 0.25


@dataclass(frozen=True)
class Level:
    """Rows among the children of `parent`."""

    parent: int
    rows: tuple[Row, ...]


def levels(tree: Tree, cells: Sequence[int]) -> Iterator[Level]:
    """All levels at which something repeats, the innermost first."""
    first, last = min(cells), max(cells)
    inside = first
    for parent in tree.above(first):
        children = tree.children.get(parent, [])
        if inside not in children:
            inside = parent
            continue
        if tree.page.end[parent] > last:
            also = _holding(tree, children, last)
            rows = segment(tree, parent, inside, also if also != inside else None)
            if len(rows) > 1 and _reaches(tree, rows[0], cells):
                yield Level(parent, tuple(rows))
        inside = parent


def _holding(tree: Tree, children: list[int], node: int) -> int | None:
    return next((each for each in children if each <= node < tree.page.end[each]), None)


def _reaches(tree: Tree, row: Row, cells: Sequence[int]) -> bool:
    """Whether a row has all cells."""
    return all(any(each <= cell < tree.page.end[each] for each in row.nodes) for cell in cells)


def choose(tree: Tree, found: Sequence[Level]) -> Level | None:
    """The level whose rows are meant."""
    if not found:
        return None
    best = found[0]
    for outer in found[1:]:
        if is_record_of(tree, best, outer) or is_accident(tree, best, outer):
            best = outer
    return best


def is_record_of(tree: Tree, inner: Level, outer: Level) -> bool:
    """Whether the inner rows are the fields of an outer row, rather than rows of their own."""
    groups = [found for row in outer.rows if (found := _inside(tree, inner, row))]
    if len(groups) < 2 or not _is_regular(tree, outer):  # noqa: PLR2004
        return False
    counts = Counter(map(len, groups))
    if _has_labels(tree, groups):
        return True
    leaves = [int(tree.leaf_counts[each]) for group in groups for each in group]
    rich = sum(leaves) / len(leaves) >= _RICH
    if rich:
        return not _are_alike(tree, groups[0])
    constant = counts.most_common(1)[0][1] >= 0.8 * len(groups)
    if constant:
        return True
    name = tree.name(inner.rows[0].nodes[0])
    return name not in _LISTS and max(counts) <= _FEW_FIELDS


def is_accident(tree: Tree, inner: Level, outer: Level) -> bool:
    """Whether a few parts of a record happen to be alike, while records further out really are."""
    fewer = len(inner.rows) < min(_FEW_FIELDS, len(outer.rows))
    most = _WAVERING if len(inner.rows) > 2 else _WAVERING / 2  # noqa: PLR2004 - two prove little
    return fewer and _wavering(tree, inner) > most and _wavering(tree, outer) < _WAVERING


def _wavering(tree: Tree, level: Level) -> float:
    """How much the sizes of rows differ, in parts of the middle one."""
    sizes = sorted(sum(int(tree.leaf_counts[node]) for node in row.nodes) for row in level.rows)
    middle = sizes[len(sizes) // 2]
    return sum(abs(size - middle) for size in sizes) / len(sizes) / middle


def _inside(tree: Tree, inner: Level, row: Row) -> list[int]:
    """What an outer row has of the kind of the inner rows."""
    example = inner.rows[0].nodes[0]
    wrapper = _relative(tree, inner.parent, row)
    if wrapper is None:
        return []
    return [each for each in tree.children.get(wrapper, ()) if likeness(tree, each, example) > 0.5]  # noqa: PLR2004


def _relative(tree: Tree, parent: int, row: Row) -> int | None:
    """The node of a row that is most like `parent`, which stands in another row."""
    best, node = 0.5, None
    for root in row.nodes:
        for each in [root, *_elements(tree, root)]:
            if tree.name(each) == tree.name(parent):
                like = likeness(tree, each, parent)
                if like > best:
                    best, node = like, each
    return node


def _elements(tree: Tree, node: int) -> Iterator[int]:
    for child in tree.children.get(node, ()):
        yield child
        yield from _elements(tree, child)


def _is_regular(tree: Tree, level: Level) -> bool:
    nodes = [row.nodes[0] for row in level.rows]
    return mean_likeness(tree, nodes, nodes[0]) > 0.6  # noqa: PLR2004


def _has_labels(tree: Tree, groups: list[list[int]]) -> bool:
    """Whether the first words of the fields are the same in all records: names of fields."""
    size = min(map(len, groups))
    same = 0
    for place in range(size):
        words = Counter(_label(tree, group[place]) for group in groups)
        word, count = words.most_common(1)[0]
        same += bool(word) and count >= _SAME_LABELS * len(groups) and len(groups) > 2  # noqa: PLR2004
    return size > 1 and same >= _SAME_LABELS * size


def _label(tree: Tree, node: int) -> str:
    leaves = tree.leaves(node)
    text = tree.text(leaves[0]) if leaves else ""
    return text if len(leaves) > 1 else text.partition(":")[0] * (":" in text)


def _are_alike(tree: Tree, nodes: list[int]) -> bool:
    return len(nodes) > 1 and mean_likeness(tree, nodes, nodes[0]) > 0.7  # noqa: PLR2004


def spread(tree: Tree, level: Level) -> tuple[Row, ...]:
    """The rows together with those in the neighbours of their parent: lists with headings between
    them, and grids whose lines are elements of their own.
    """
    rows, parent = level.rows, level.parent
    for above in tree.above(parent):
        siblings = tree.children.get(above, [])
        if parent not in siblings:
            break
        more = list(rows)
        at = siblings.index(parent)
        for sibling in siblings[at + 1 :]:
            more += _rows_like(tree, rows[0], parent, sibling)
        if len(more) > len(rows):
            if not _only_headings(tree, siblings[at:], more):
                break
            rows = tuple(more)
        parent = above
        if tree.name(parent) in ("body", "html", "main"):
            break
    return rows


def _rows_like(tree: Tree, example: Row, parent: int, sibling: int) -> list[Row]:
    """The rows in a neighbour of the rows' parent that is built like it."""
    if likeness(tree, sibling, parent) < ALIKE:
        return []
    for holder in [sibling, *_elements(tree, sibling)]:
        for child in tree.children.get(holder, ()):
            if likeness(tree, child, example.nodes[0]) > 0.75:  # noqa: PLR2004
                found = segment(tree, holder, child)
                same = [row for row in found if len(row.nodes) >= min(1, len(example.nodes))]
                return same if len(found) > 1 or len(tree.children[holder]) <= 2 else found  # noqa: PLR2004
    return []


def _only_headings(tree: Tree, siblings: list[int], rows: Sequence[Row]) -> bool:
    """Whether all that the groups have besides rows is a heading each."""
    inside = {leaf for row in rows for node in row.nodes for leaf in tree.leaves(node)}
    for sibling in siblings:
        outside = [leaf for leaf in tree.leaves(sibling) if leaf not in inside]
        if len(outside) == len(tree.leaves(sibling)):  # no rows here: something between groups
            continue
        if len(outside) > 2 or sum(len(tree.text(leaf)) for leaf in outside) > 120:  # noqa: PLR2004
            return False
    return True
