"""The archive's calendar: months, weeks and the days that have stories."""

from __future__ import annotations

from calendar import Calendar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from webgeist.samples.magazine.stories import Story

Month = tuple[int, int]


@dataclass(frozen=True)
class Sheet:
    """One month: its stories, its weeks with the number of stories per day, its neighbours."""

    month: Month
    stories: list[Story]
    weeks: list[list[tuple[date, int]]]
    before: Month | None
    after: Month | None


def months(stories: list[Story]) -> list[Month]:
    """Every month with a story, newest first."""
    return sorted({(one.published.year, one.published.month) for one in stories}, reverse=True)


def sheet(stories: list[Story], month: Month) -> Sheet | None:
    known = months(stories)
    if month not in known:
        return None
    place = known.index(month)
    within = [one for one in stories if (one.published.year, one.published.month) == month]
    weeks = [
        [(day, sum(one.published.date() == day for one in within)) for day in week]
        for week in Calendar().monthdatescalendar(*month)
    ]
    before = known[place + 1] if place + 1 < len(known) else None
    return Sheet(month, within, weeks, before, known[place - 1] if place else None)
