"""What users taught about the changes of a page or site, and what follows from it. Pure.

A teaching says of regions of one change that they are important, or not. Two things are learned:
masks, which decide about the same parts of the page in every later change; and a calibration, which
moves how likely changes of that kind of block are content, a little with each teaching.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from math import exp, log
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.masks import Mask  # noqa: TC001 - pydantic reads it
from webgeist.analyses.changes.types import Place, Type, place_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from webgeist.analyses.changes.addresses import Address
    from webgeist.analyses.changes.items import Item
    from webgeist.analyses.changes.portrait import Portrait

    Floats = NDArray[np.floating]
    Block = tuple[Place, Type]

UNIMPORTANT = 0.001  # how likely a change is content that is taught to be none
IMPORTANT = 0.99
_SPREAD = 0.25  # how far a calibration moves by itself: the variance of its prior
_STEPS = 25


@dataclass(frozen=True)
class Lesson:
    """One marked region: its block types, how likely it was content untaught, and its masks."""

    place: Place
    type: Type
    chance: float
    text: str
    masks: tuple[Mask, ...]


@dataclass(frozen=True)
class Teaching:
    """What a user said of a change: between the captures `before` and `after`, of a page (`of` is
    its URL) or meant for its whole site (its host). `time` is seconds since 1970.
    """

    id: str
    time: float
    site: bool
    of: str
    before: str
    after: str
    important: bool
    lessons: tuple[Lesson, ...]

    def document(self) -> dict[str, Any]:
        """As it is told, with the time as people write it."""
        when = datetime.fromtimestamp(self.time, UTC).isoformat()
        return asdict(self) | {"time": when}


@dataclass(frozen=True)
class Taught:
    """What was taught about one page, oldest first. A newer teaching outweighs an older one."""

    teachings: tuple[Teaching, ...] = ()
    shifts: Mapping[Block, float] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shifts", calibration(self.teachings))

    def __bool__(self) -> bool:
        return bool(self.teachings)

    def verdict(self, before: Address | None, after: Address | None) -> Teaching | None:
        """The newest teaching about what stands there."""
        for teaching in reversed(self.teachings):
            masks = (mask for lesson in teaching.lessons for mask in lesson.masks)
            if any(mask.covers_change(before, after) for mask in masks):
                return teaching
        return None


@dataclass(frozen=True)
class Adapted:
    """How likely passages are content after what was taught. `by` counts those that a teaching
    decided about, `calibrated` those that became likelier or less because of others.
    """

    chances: Floats
    by: Mapping[Teaching, int]
    calibrated: int

    @property
    def raised(self) -> bool:
        """Whether something changed that was taught to be important."""
        return any(teaching.important for teaching in self.by)


@dataclass(frozen=True, eq=False)
class Schooled:
    """What was taught, with the addresses of all passages of both versions."""

    taught: Taught
    before: Sequence[Address]
    after: Sequence[Address]

    def adapt(
        self, pages: tuple[Portrait, Portrait], found: Sequence[Item], chances: Floats
    ) -> Adapted:
        """The chances of changed passages, as taught."""
        adapted, by, calibrated = np.array(chances, float), Counter[Teaching](), 0
        for number, item in enumerate(found):
            if item.kind is Kind.RESTYLED:
                continue
            teaching = self.taught.verdict(*self._addresses(item))
            if teaching is None:
                adapted[number] = self._calibrated(pages, item, float(chances[number]))
                calibrated += bool(adapted[number] != chances[number])
            else:
                by[teaching] += 1
                adapted[number] = IMPORTANT if teaching.important else UNIMPORTANT
        return Adapted(adapted, by, calibrated)

    def _addresses(self, item: Item) -> tuple[Address | None, Address | None]:
        old, new = item.at
        return (
            None if old is None else self.before[old],
            None if new is None else self.after[new],
        )

    def _calibrated(self, pages: tuple[Portrait, Portrait], item: Item, chance: float) -> float:
        page = pages[0] if item.after is None else pages[1]
        place = place_of(item.shown, page)
        shift = self.taught.shifts.get((place, type_of(item.shown, page, place)), 0.0)
        return _chance(_odds(chance) + shift) if shift else chance


def calibration(teachings: Iterable[Teaching]) -> dict[Block, float]:
    """How much more likely than learned changes of a kind of block are content, in logarithms of
    odds: the most probable shift given what was marked, and that small shifts are the rule
    (a logistic model of one weight with a normal prior; Newton's method).
    """
    marked: dict[Block, list[tuple[float, bool]]] = defaultdict(list)
    for teaching in teachings:
        for lesson in teaching.lessons:
            marked[lesson.place, lesson.type].append((_odds(lesson.chance), teaching.important))
    return {block: _shift(found) for block, found in marked.items()}


def _shift(marked: Sequence[tuple[float, bool]]) -> float:
    shift = 0.0
    for _ in range(_STEPS):
        chances = [_chance(odds + shift) for odds, _ in marked]
        slope = sum(yes - p for (_, yes), p in zip(marked, chances, strict=True)) - shift / _SPREAD
        bend = sum(p * (1 - p) for p in chances) + 1 / _SPREAD
        shift += slope / bend
    return round(shift, 6)


def explained(adapted: Adapted) -> str:
    """Which teachings were applied, for the reason of a change; empty where none was."""
    told = [
        f"{_passages(count)} {'important' if teaching.important else 'unimportant'} ({teaching.id})"
        for teaching, count in adapted.by.items()
    ]
    if adapted.calibrated:
        told.append(f"{_passages(adapted.calibrated)} calibrated")
    return f"as taught: {', '.join(told)}" if told else ""


def _passages(count: int) -> str:
    return f"{count} {'passage' if count == 1 else 'passages'}"


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))


def _odds(chance: float) -> float:
    bounded = min(max(chance, 1e-6), 1 - 1e-6)
    return log(bounded / (1 - bounded))
