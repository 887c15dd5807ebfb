"""Where a page changed: passages that changed the same way side by side are one region. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.analyses.changes.types import place_of, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.analyses.changes.items import Item, Kind
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.analyses.changes.types import Place, Type

    Box = tuple[float, float, float, float]

_NEAR = 2  # passages that may stand between two of a region
_SHOWN = 200  # characters of a region's text


@dataclass(frozen=True)
class Region:
    """`place` and `type` are its block types of level 1 and 2. `gone` and `came` count words,
    without dates, counters and ids; `noise` names those that changed. `chance` is how likely its
    change is one of content. Boxes are left, top, right, bottom on each version's page; None where
    it is not on it, or not to be seen.
    """

    kind: Kind
    place: Place
    type: Type
    passages: int
    gone: int
    came: int
    noise: tuple[str, ...]
    chance: float
    before: Box | None
    after: Box | None
    text_before: str
    text_after: str


@dataclass(frozen=True)
class _Placed:
    item: Item
    place: Place
    type: Type
    chance: float


def regions(
    before: Portrait, after: Portrait, found: Sequence[Item], chances: Sequence[float]
) -> list[Region]:
    """The regions that changed, the most important first."""
    return [region for region, _ in regions_of_items(before, after, found, chances)]


def regions_of_items(
    before: Portrait, after: Portrait, found: Sequence[Item], chances: Sequence[float]
) -> list[tuple[Region, tuple[Item, ...]]]:
    """The same, each with what changed in it."""
    placed = [
        _placed(before, after, item, chance) for item, chance in zip(found, chances, strict=True)
    ]
    made = [(_region(run), tuple(each.item for each in run)) for run in _runs(placed)]
    return sorted(made, key=lambda each: (-each[0].chance, -each[0].gone - each[0].came))


def _placed(before: Portrait, after: Portrait, item: Item, chance: float) -> _Placed:
    page = after if item.after is not None else before
    place = place_of(item.shown, page)
    return _Placed(item, place, type_of(item.shown, page, place), chance)


def _runs(placed: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    run: list[_Placed] = []
    for each in placed:
        if run and not _together(run[-1], each):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _together(one: _Placed, other: _Placed) -> bool:
    if (one.item.kind, one.place, one.type) != (other.item.kind, other.place, other.type):
        return False
    return any(
        mine is not None and theirs is not None and abs(theirs - mine) <= _NEAR
        for mine, theirs in zip(one.item.at, other.item.at, strict=True)
    )


def _region(run: Sequence[_Placed]) -> Region:
    first, found = run[0], [each.item for each in run]
    noise = sorted({kind for item in found for kind in item.noise})
    return Region(
        kind=first.item.kind,
        place=first.place,
        type=first.type,
        passages=len(run),
        gone=sum(item.gone for item in found),
        came=sum(item.came for item in found),
        noise=tuple(noise),
        chance=max(each.chance for each in run),
        before=_around([i.before.box for i in found if i.before and i.before.seen]),
        after=_around([i.after.box for i in found if i.after and i.after.seen]),
        text_before=_text([i.before.text for i in found if i.before]),
        text_after=_text([i.after.text for i in found if i.after]),
    )


def _around(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _text(texts: Sequence[str]) -> str:
    text = " ".join(texts)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
