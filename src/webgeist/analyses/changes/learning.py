"""What is learned when a user marks regions of a change. Pure."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from webgeist.analyses.changes.evidence import evidence
from webgeist.analyses.changes.items import Kind, items
from webgeist.analyses.changes.masks import masks
from webgeist.analyses.changes.regions import regions_of_items
from webgeist.analyses.changes.teaching import Lesson
from webgeist.analyses.changes.types import Place
from webgeist.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.changes.items import Item
    from webgeist.analyses.changes.model import Model
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.analyses.changes.regions import Region
    from webgeist.analyses.changes.teaching import Schooled

    Marked = tuple[Region, tuple[Item, ...]]

_QUOTED = 80  # characters of a region's text that are kept


def learn(
    pages: tuple[Portrait, Portrait],
    model: Model,
    school: Schooled,
    wanted: Sequence[int],
    *,
    important: bool,
) -> tuple[Lesson, ...]:
    """A lesson for each region that is meant: those numbered by `wanted`, from 1 in the order that
    a change has them; or, without, what counts for the whole change. UsageError, NotFoundError.
    """
    found = items(*pages)
    untaught = model.chances(evidence(*pages, found))
    chance = {id(item): float(each) for item, each in zip(found, untaught, strict=True)}
    chances = school.adapt(pages, found, untaught).chances
    made = regions_of_items(*pages, found, chances.tolist())
    if not made:
        raise UsageError("nothing changed between these captures", remedy="choose two others")
    chosen = [_numbered(made, each) for each in wanted] or _meant(made, important=important)
    if not chosen:
        raise UsageError("only looks changed, which never count", remedy="choose two others")
    return tuple(_lesson(pages, school, each, chance) for each in chosen)


def _numbered(made: Sequence[Marked], number: int) -> Marked:
    if not 1 <= number <= len(made):
        raise NotFoundError(f"the change has no region {number}", remedy=f"it has 1 to {len(made)}")
    return made[number - 1]


def _meant(made: Sequence[Marked], *, important: bool) -> list[Marked]:
    """All that changed is unimportant if the change is; important is what changed in the content,
    or else the likeliest.
    """
    worded = [each for each in made if each[0].kind is not Kind.RESTYLED]
    if not important:
        return worded
    return [each for each in worded if each[0].place is Place.CONTENT] or worded[:1]


def _lesson(
    pages: tuple[Portrait, Portrait],
    school: Schooled,
    marked: Marked,
    chance: dict[int, float],
) -> Lesson:
    region, changed = marked
    places = [
        *zip(pages[0].passages, school.before, strict=True),
        *zip(pages[1].passages, school.after, strict=True),
    ]
    offset = len(school.before)
    numbers = {item.at[0] for item in changed} | {
        None if item.at[1] is None else item.at[1] + offset for item in changed
    }
    return Lesson(
        region.place,
        region.type,
        round(max(chance[id(item)] for item in changed), 4),
        (region.text_after or region.text_before)[:_QUOTED],
        masks({number for number in numbers if number is not None}, places),
    )


def teaching_id(*said: object) -> str:
    """A short name for a teaching, the same each time that the same is taught."""
    return sha256("\0".join(map(str, said)).encode()).hexdigest()[:8]
