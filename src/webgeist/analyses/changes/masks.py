"""Which part of a page a user meant: the widest name of it that means nothing else. Pure.

A mark on a link of a list is to hold for the list, one on a paragraph for that paragraph. So a mask
never covers prose of the content that was not marked, and goes by the steadiest way that is left.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webgeist.analyses.changes.addresses import Address
    from webgeist.analyses.changes.portrait import Passage

    Place = tuple[Passage, Address]

_SENTENCE = 8  # words
_LINKED = 0.5  # share of letters in links
_INSIDE = 2  # of the three nested regions of content
_WIDE = 0.5  # share of a page's passages that a name may not cover
_FEW = 4  # passages on a page below which that says nothing
_ALIKE = 0.5  # share of words that a passage has in common with the one that was marked


@dataclass(frozen=True)
class Mask:
    """Covers passages with this `name` among those of their elements; or, where there is none,
    those that are nested like this below this `heading`, or with these `words`.
    """

    name: str = ""
    nesting: int = 0
    heading: str | None = None
    words: tuple[str, ...] = ()

    def covers(self, address: Address) -> bool:
        if self.name:
            return self.name in address.names
        if self.nesting != address.nesting:
            return False
        if self.heading is not None:
            return self.heading == address.heading
        return _alike(frozenset(self.words), address.words)

    def covers_change(self, before: Address | None, after: Address | None) -> bool:
        """Whether it covers what changed: on each version that has it, or by words on one."""
        there = [each for each in (before, after) if each is not None]
        by_words = not self.name and self.heading is None
        return (any if by_words else all)(map(self.covers, there))

    def __str__(self) -> str:
        if self.name:
            return self.name
        if self.heading is not None:
            return f"below {self.heading!r}" if self.heading else "before any heading"
        return f"like {' '.join(self.words[:_SENTENCE])!r}"


def masks(marked: Collection[int], places: Sequence[Place]) -> tuple[Mask, ...]:
    """What covers the marked passages (by number) of a page, and no prose that was not marked."""
    others = [place for number, place in enumerate(places) if number not in marked]
    told = [address for passage, address in others if _is_prose(passage)]
    usual = Counter(name for _, address in places for name in set(address.names))
    wide = {n for n, count in usual.items() if len(places) > _FEW and count > _WIDE * len(places)}
    found = (_mask(places[number][1], told, wide) for number in sorted(marked))
    return tuple(dict.fromkeys(found))


def _mask(address: Address, told: Sequence[Address], wide: Collection[str]) -> Mask:
    for mask in _candidates(address, wide):
        if not any(map(mask.covers, told)):
            return mask
    return Mask(nesting=address.nesting, words=tuple(sorted(address.words)))


def _candidates(address: Address, wide: Collection[str]) -> Iterator[Mask]:
    yield from (Mask(name) for name in address.names if name not in wide)
    yield Mask(nesting=address.nesting, heading=address.heading)


def _is_prose(passage: Passage) -> bool:
    """What must not be covered by a mark on something else: sentences of the content."""
    long = passage.words >= _SENTENCE and passage.linked < _LINKED
    return long and passage.within >= _INSIDE


def _alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    if not mine and not theirs:
        return True
    return len(mine & theirs) >= _ALIKE * len(mine | theirs)
