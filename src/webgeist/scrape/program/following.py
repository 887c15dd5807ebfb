"""The pages of a list, one after the other, each with the rows that are new on it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from webgeist.analyses.blocks.turning import paginate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from webgeist.scrape.program.browsing import Tab
    from webgeist.scrape.program.finding import FoundRow, View
    from webgeist.scrape.program.model import ForEach

_LOOK_SECONDS = 0.2
_GROWING = frozenset({"load-more", "scroll"})  # ways that add to a page


async def list_pages(
    tab: Tab, step: ForEach, patience: float
) -> AsyncIterator[tuple[View, list[FoundRow]]]:
    """Each page of the list that the tab shows, from this one on, and its rows.

    Where a page grows instead of giving way to the next, rows that were there are left out.
    """
    first = await _settled_rows(tab, step, patience)
    if step.pages == 1:
        yield first
        return
    before: list[dict[str, str | None]] = []
    async for turn in paginate(tab.page, most=step.pages, go=tab.go):
        view, rows = await _settled_rows(tab, step, patience)
        values = [row.values for row in rows]
        known = overlap(before, values) if turn.way in _GROWING else 0
        before = values
        yield view, rows[known:]


async def _settled_rows(tab: Tab, step: ForEach, patience: float) -> tuple[View, list[FoundRow]]:
    """The rows, when there are some and no more appear; those that there are after so long."""
    until = asyncio.get_running_loop().time() + patience
    before = -1
    while True:
        view = await tab.view()
        rows = view.rows(step.relation)
        if (rows and len(rows) == before) or asyncio.get_running_loop().time() >= until:
            return view, rows
        before = len(rows)
        await asyncio.sleep(_LOOK_SECONDS)


def overlap(before: Sequence[Any], now: Sequence[Any]) -> int:
    """How many of the first items were the last ones before."""
    for size in range(min(len(before), len(now)), 0, -1):
        if list(before[-size:]) == list(now[:size]):
            return size
    return 0
