"""Which nodes of two pages are the same ones.

Trees are walked from the roots, and the children of nodes that belong together are paired in order:
first by their whole subtrees, then by what each says of itself, its id, at last its name. At each
step equal beginnings and ends are taken off, and what is unique on both sides splits the rest (as
patience diff does), so one node more or less leaves everything around it paired. Steps are bounded:
O(n log n), whatever a page is like. Pure, and symmetric: the pages may be exchanged.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from webgeist.page.model import Page

    Pair = tuple[int, int]
    Run = tuple[Sequence[int], Sequence[int], int]  # siblings of both pages, and the step to take

_TRIES = 8  # how often a run is split by one key before a weaker one is tried


def align(before: Page, after: Page) -> list[Pair]:
    """Pairs of nodes (of `before`, of `after`) in document order. The parents of a pair are one.

    Nodes in no pair are only in one of the pages, with everything below them.
    """
    words: dict[object, int] = {}
    one, other = _Tree(before, words), _Tree(after, words)
    if one.rank <= other.rank:
        return sorted(_walk(one, other))
    return sorted((second, first) for first, second in _walk(other, one))


class _Tree:
    """A page's nodes with their children, and for each a number for every way to compare it.

    Equal numbers mean equal things, on both pages. The last child list is that of the roots.
    """

    def __init__(self, page: Page, words: dict[object, int]) -> None:
        self.end: list[int] = page.end.tolist()
        self.children: list[list[int]] = [[] for _ in range(len(page) + 1)]
        for node, parent in enumerate(page.parent.tolist()):
            self.children[parent].append(node)
        attributes: list[list[tuple[str, str]] | None] = page.nodes["attributes"].to_pylist()
        said = [tuple(pairs or ()) for pairs in attributes]
        # Which page counts as the first must not matter where there are two ways to pair.
        self.rank = (len(page), page.names, [text or "" for text in page.texts], said)

        def number(what: object) -> int:
            return words.setdefault(what, len(words))

        kinds = list(zip(page.type.tolist(), page.names, strict=True))
        names = [number(kind) for kind in kinds]
        ids = [number((*kind, dict(s).get("id"))) for kind, s in zip(kinds, said, strict=True)]
        own = [number(each) for each in zip(names, page.texts, said, strict=True)]
        below = own.copy()
        for node in range(len(own) - 1, -1, -1):
            if self.children[node]:
                below[node] = number((own[node], *(below[child] for child in self.children[node])))
        self.keys = (below, own, ids, names)  # the strictest first


def _walk(one: _Tree, other: _Tree) -> Iterator[Pair]:
    open_pairs: list[Pair] = [(-1, -1)]  # the roots' own, which is no node
    siblings = _Siblings(one, other)
    whole, other_whole = one.keys[0], other.keys[0]
    while open_pairs:
        first, second = open_pairs.pop()
        for left, right in siblings.pairs(one.children[first], other.children[second]):
            if whole[left] == other_whole[right]:
                below = range(left, one.end[left]), range(right, other.end[right])
                yield from zip(*below, strict=True)
            else:
                yield left, right
                open_pairs.append((left, right))


class _Siblings:
    """Pairs the children of two nodes that belong together."""

    def __init__(self, one: _Tree, other: _Tree) -> None:
        self._keys = tuple(zip(one.keys, other.keys, strict=True))

    def pairs(self, left: Sequence[int], right: Sequence[int]) -> Iterator[Pair]:
        """No two pairs cross. They come in any order."""
        runs: list[Run] = [(left, right, 0)]
        while runs:
            mine, theirs, step = runs.pop()
            if mine and theirs:
                yield from self._split(mine, theirs, step, runs)

    def _split(
        self, left: Sequence[int], right: Sequence[int], step: int, runs: list[Run]
    ) -> Iterator[Pair]:
        """Pair what the step's key tells; what lies between is put on `runs`, for a later one."""
        level = step // _TRIES
        if level == len(self._keys):
            yield from self._in_turn(left, right)
            return
        key, other_key = self._keys[level]
        mine, theirs = [key[node] for node in left], [other_key[node] for node in right]
        start = _common(mine, theirs)
        stop = _common(mine[start:][::-1], theirs[start:][::-1])
        last, other_last = len(left) - stop, len(right) - stop
        yield from zip(left[:start], right[:start], strict=True)
        yield from zip(left[last:], right[other_last:], strict=True)
        left, right = left[start:last], right[start:other_last]
        anchors = _anchors(mine[start:last], theirs[start:other_last])
        step = step + 1 if anchors else (level + 1) * _TRIES
        here, there = 0, 0
        for at, other_at in anchors:
            yield left[at], right[other_at]
            runs.append((left[here:at], right[there:other_at], step))
            here, there = at + 1, other_at + 1
        runs.append((left[here:], right[there:], step))

    def _in_turn(self, left: Sequence[int], right: Sequence[int]) -> Iterator[Pair]:
        """By name: the nth of a name with the other page's nth, as far as those do not cross."""
        key, other_key = self._keys[-1]
        mine, theirs = (
            _numbered([key[node] for node in left]),
            _numbered([other_key[node] for node in right]),
        )
        for at, other_at in _anchors(mine, theirs):
            yield left[at], right[other_at]


def _common(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """How long both are equal from their beginnings."""
    for place, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return place
    return min(len(mine), len(theirs))


def _numbered(values: Sequence[int]) -> list[Pair]:
    """Each value with how often it came before."""
    seen: Counter[int] = Counter()
    numbered = []
    for value in values:
        numbered.append((value, seen[value]))
        seen[value] += 1
    return numbered


def _anchors(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[Pair]:
    """Places of what stands exactly once on both sides, as many as are in the same order."""
    here, there = Counter(mine), Counter(theirs)
    places = {value: place for place, value in enumerate(theirs) if there[value] == 1}
    return _increasing(
        [
            (place, places[value])
            for place, value in enumerate(mine)
            if here[value] == 1 and value in places
        ]
    )


def _increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """The longest run of pairs, sorted by their first, in which their second grows too."""
    tops: list[int] = []  # the smallest second that a run of each length can end with
    enders: list[int] = []  # which pair that is
    previous: list[int] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(tops, second)
        previous.append(enders[length - 1] if length else -1)
        tops[length : length + 1] = [second]
        enders[length : length + 1] = [number]
    run: list[Pair] = []
    number = enders[-1] if enders else -1
    while number >= 0:
        run.append(pairs[number])
        number = previous[number]
    return run[::-1]
