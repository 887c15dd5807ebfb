"""Numbers that look like pages and are of another kind: page sizes, days of a month, votes."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.blocks.link import Link

_SIZES = re.compile(
    r"limit|per_?page|page_?size|psize|show|count|rows|items|view|results|num(?!ber)|length|pp$",
    re.IGNORECASE,
)
_USUAL_SIZES = frozenset({5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 80, 90, 100, 150, 200, 250, 500})
_BY_COLUMNS = frozenset({6, 8, 9, 12, 16, 18, 24, 32, 36, 45, 48, 64, 72, 96, 120})
_PLACES = re.compile(r"start|offset|from|begin|first|skip|pos", re.IGNORECASE)
_FEWEST_DAYS, _LAST_DAY = 27, 31
_THINGS = re.compile(
    r"days?|months?|years?|date|votes?|rating|rate|stars?|score|lang|size|seasons?|episodes?|series"
    r"|volumes?|vol|ch|chap|chapters?|sec|sections?|rounds?|levels?|grades?|steps?|floors?|rooms?|bedrooms?|age",
    re.IGNORECASE,
)
_YEARS = range(1900, 2101)
_SECOND = 2  # the first page of a list shows this or a lower number
_FURTHEST = 3  # pages from this one to the nearest that a pager shows
HELD = frozenset(
    {"HELD_PAGER", "OWN_PAGER", "OWN_NEXT", "OWN_PREVIOUS", "HELD_NEXT", "HELD_PREVIOUS"}
)


def values(run: Iterable[Link]) -> dict[str | None, list[float]]:
    """The numbers that are said, in order, by the frame of their addresses."""
    found: dict[str | None, set[float]] = {}
    for link in run:
        if link.number is not None:
            found.setdefault(link.frame, set()).add(link.number)
    return {frame: sorted(numbers) for frame, numbers in found.items()}


def kinds(members: Iterable[Link]) -> list[Link]:
    """One of all that are alike to `other_numbers`."""
    alike = {(link.agrees, link.word, link.near, HELD & link.notes): link for link in members}
    return list(alike.values())


def other_numbers(link: Link, values: Sequence[float], *, alone: bool = False) -> str | None:
    """Why a link's number is no page's; None where it may be. `alone`: the run has nothing else,
    neither arrows nor this page.
    """
    steps = {b - a for a, b in itertools.pairwise(values)}
    if link.agrees and 1 not in steps and len(values) > 1 and _are_sizes(link, values):
        return "the number says how many things are shown"
    if link.agrees and _THINGS.fullmatch(link.word):
        return "the number is part of a date, a vote or another thing"
    if not (link.page_word or HELD & link.notes) and all(each in _YEARS for each in values):
        return "the numbers are years"
    own = link.near or link.scripted
    named = link.page_word and own
    if alone and not (named or HELD & link.notes) and _are_all(values):
        return "this page is none of them, and nothing leads on"
    if (alone and not own and _are_late(link, values)) or (1 in steps and _are_far(link, values)):
        return "this page would be none of them"
    if _is_month(values) and not (link.near and link.page_word) and not HELD & link.notes:
        return "the numbers are the days of a month"
    return None


def _are_sizes(link: Link, values: Sequence[float]) -> bool:
    """By the name of what they set; or lists are shown in such sizes, and nothing says page."""
    if _SIZES.search(link.word):
        return True
    said = link.page_word or HELD & link.notes or _PLACES.search(link.word)
    return bool(link.word) and not said and (_USUAL_SIZES | _BY_COLUMNS).issuperset(values)


def _are_far(link: Link, values: Sequence[float]) -> bool:
    """Numbers that begin where no list that begins here would: sizes of shoes, for one."""
    if link.step is None or link.number is None or not link.agrees or link.page_word:
        return False
    here = link.number - link.step
    return not HELD & link.notes and min(abs(each - here) for each in values) > _FURTHEST


def _are_late(link: Link, values: Sequence[float]) -> bool:
    """The last pages of another list, such as those of a thread that is named beside them."""
    return link.agrees and not HELD & link.notes and values[0] > _SECOND


def _are_all(values: Sequence[float]) -> bool:
    """From one on without a gap: in a pager, this page's own number is no link, or says so."""
    return list(values) == list(range(1, len(values) + 1))


def _is_month(values: Sequence[float]) -> bool:
    return len(values) >= _FEWEST_DAYS and values[0] >= 1 and values[-1] <= _LAST_DAY
