"""Which passages of two versions belong together. Pure, and symmetric in what it finds.

First those with the same words, in the same order as many as possible; others with the same words
were moved. What is left is paired by the words that it shares, preferring the same place between
passages that stayed, then by place and nesting alone. The rest was added or removed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.analyses.changes.noise import plain, steady, tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

    from webgeist.analyses.changes.portrait import Passage

_ALIKE = 0.4  # share of words in common from which two passages are one that was edited
_TRIED = 5  # twins that are looked at closely
_COMMON = 60  # passages that a word may be in and still tell which belong together


@dataclass(frozen=True)
class Pair:
    """A passage of both versions, or of one. `moved`: its place among the others is another."""

    before: int | None
    after: int | None
    moved: bool = False


def align(before: Sequence[Passage], after: Sequence[Passage]) -> list[Pair]:
    """All passages of both versions, each in one pair, by their place. Where several answers are
    as good, it is the same one whichever version comes first.
    """
    if [p.text for p in after] < [p.text for p in before]:
        back = (Pair(pair.after, pair.before, pair.moved) for pair in _aligned(after, before))
        return sorted(back, key=_place)
    return sorted(_aligned(before, after), key=_place)


def _aligned(before: Sequence[Passage], after: Sequence[Passage]) -> list[Pair]:
    same = _same([(p.picture, p.text) for p in before], [(p.picture, p.text) for p in after])
    kept = set(_increasing(same))
    pairs = [Pair(one, other, (one, other) not in kept) for one, other in same]
    left = sorted(set(range(len(before))) - {one for one, _ in same})
    right = sorted(set(range(len(after))) - {other for _, other in same})
    edited = _edited(before, after, left, right, sorted(kept))
    pairs += [Pair(one, other) for one, other in edited]
    ones, others = {one for one, _ in edited}, {other for _, other in edited}
    pairs += [Pair(one, None) for one in left if one not in ones]
    pairs += [Pair(None, other) for other in right if other not in others]
    return pairs


def _place(pair: Pair) -> tuple[int, int]:
    first = pair.after if pair.after is not None else pair.before
    return first or 0, pair.before or 0


def _same(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Equal ones, the nth of a kind with the other's nth."""
    places = {key: place for place, key in enumerate(_numbered(theirs))}
    return [(place, places[key]) for place, key in enumerate(_numbered(mine)) if key in places]


def _numbered(values: Iterable[Hashable]) -> list[tuple[Hashable, int]]:
    seen: Counter[Hashable] = Counter()
    numbered = []
    for value in values:
        numbered.append((value, seen[value]))
        seen[value] += 1
    return numbered


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, sorted by their first, in which their second grows too."""
    tops: list[int] = []
    enders: list[int] = []
    previous: list[int] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(tops, second)
        previous.append(enders[length - 1] if length else -1)
        tops[length : length + 1] = [second]
        enders[length : length + 1] = [number]
    run: list[tuple[int, int]] = []
    number = enders[-1] if enders else -1
    while number >= 0:
        run.append(pairs[number])
        number = previous[number]
    return run[::-1]


def _edited(
    before: Sequence[Passage],
    after: Sequence[Passage],
    left: Sequence[int],
    right: Sequence[int],
    kept: Sequence[tuple[int, int]],
) -> list[tuple[int, int]]:
    """Passages that are one, by their words, else by their place and nesting."""
    mine = _Rest(before, left, [one for one, _ in kept])
    theirs = _Rest(after, right, sorted(other for _, other in kept))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for _, one, other in sorted(_candidates(mine, theirs), reverse=True):
        if one not in taken and other not in used:
            taken[one] = other
            used.add(other)
    return [*taken.items(), *_by_place(mine, theirs, taken.keys(), used)]


class _Rest:
    """The passages of a version that have no twin: their words, and the gap between passages that
    stayed which each of them stands in.
    """

    def __init__(
        self, passages: Sequence[Passage], left: Sequence[int], kept: Sequence[int]
    ) -> None:
        self.passages = passages
        self.words = {
            place: Counter(tokens(steady(plain(passages[place].text))[0])) for place in left
        }
        self.gap = {place: bisect_left(kept, place) for place in left}

    def key(self, place: int) -> tuple[int, int, bool]:
        """What two passages share that stand in the same place."""
        passage = self.passages[place]
        return self.gap[place], passage.path, passage.picture


def _candidates(mine: _Rest, theirs: _Rest) -> Iterator[tuple[float, int, int]]:
    """Pairs that share enough words, with how well they fit."""
    index: dict[str, list[int]] = {}
    for place, words in theirs.words.items():
        for word in words:
            index.setdefault(word, []).append(place)
    for one, words in mine.words.items():
        votes: Counter[int] = Counter()
        for word in words:
            found = index.get(word, ())
            if len(found) <= _COMMON:
                votes.update(found)
        for other, _ in votes.most_common(_TRIED):
            fit = _fit(mine, theirs, one, other)
            if fit is not None:
                yield fit, one, other


def _fit(mine: _Rest, theirs: _Rest, one: int, other: int) -> float | None:
    """The share of their words that two passages have in common, more in the same place."""
    words, others = mine.words[one], theirs.words[other]
    passage, twin = mine.passages[one], theirs.passages[other]
    alike = 2 * (words & others).total() / (words.total() + others.total())
    if alike < _ALIKE or passage.picture != twin.picture:
        return None
    return alike + 0.2 * (mine.gap[one] == theirs.gap[other]) + 0.1 * (passage.path == twin.path)


def _by_place(
    mine: _Rest, theirs: _Rest, taken: Collection[int], used: Collection[int]
) -> Iterator[tuple[int, int]]:
    """What stands between the same neighbours, nested the same way, in turn; as many on both."""
    ones: dict[tuple[int, int, bool], list[int]] = {}
    others: dict[tuple[int, int, bool], list[int]] = {}
    for rest, paired, found in ((mine, set(taken), ones), (theirs, set(used), others)):
        for place in rest.gap:
            if place not in paired:
                found.setdefault(rest.key(place), []).append(place)
    for key, places in ones.items():
        if len(places) == len(others.get(key, ())):
            yield from zip(places, others[key], strict=True)
