"""The pages of a list, one after the other, each with the rows that are new on it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from webgeist.analyses.blocks.turning import paginate
from webgeist.errors import NotFoundError
from webgeist.scrape.program.tabs import SiteError
from webgeist.scrape.program.waiting import are_awaited, is_awaited, is_blank

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from webgeist.scrape.program.finding import FoundRow, View
    from webgeist.scrape.program.model import ForEach
    from webgeist.scrape.program.tabs import Tab

_LOOK_SECONDS = 0.1
_STILL_SECONDS = 0.5  # a list that has not changed for so long is there
_IDLE = 3  # times in a row that a list may seem to grow, without a new row
_GROWING = frozenset({"load-more", "scroll"})  # ways that add to a page
_WORDS = "document.body ? document.body.innerText : ''"


async def list_pages(
    tab: Tab, step: ForEach, patience: float
) -> AsyncIterator[tuple[View, list[FoundRow]]]:
    """Each page of the list that the tab shows, from this one on, and its rows.

    Where a page grows instead of giving way to the next, rows that were there are left out.
    """
    reader = _Reader(tab, step, patience)
    if step.pages == 1:
        await reader.settle()
        yield reader.now
        return
    idle = 0
    async for turn in paginate(tab.page, most=step.pages, go=tab.go, settle=reader.settle):
        rows = reader.new(grows=turn.way in _GROWING)
        if rows:
            tab.refusals.forget(for_good=turn.way != "start")
        idle = 0 if rows or turn.way not in _GROWING else idle + 1
        yield reader.now[0], rows
        if idle == _IDLE:
            return
    if step.pages is None:
        reader.now = await reader.look()  # what came after the last look
        rest = reader.rest()
        yield reader.now[0], rest
        if not rest and (refused := tab.refusals.newest):
            raise SiteError(f"{tab.url}: the list breaks off, because of {refused}")


class _Reader:
    """The rows of a list as they are now, and as they were on the page before."""

    def __init__(self, tab: Tab, step: ForEach, patience: float) -> None:
        self._tab = tab
        self._step = step
        self._patience = patience
        self._before: list[dict[str, str | None]] = []
        self._way: str | None = None  # to the rows, on the pages before
        self._everywhere: set[str] | None = None  # columns that every row had so far
        self.now: tuple[View, list[FoundRow]]

    async def look(self) -> tuple[View, list[FoundRow]]:
        view = await self._tab.view()
        rows = view.rows(self._step.relation, self._way if self._before else None)
        self._way = view.row_path or self._way
        return view, [row for row in rows if not is_blank(row.values)]

    async def settle(self) -> None:
        """Wait for rows, until no more appear; not for longer than our patience."""
        until = asyncio.get_running_loop().time() + self._patience
        while not await self._is_there(until):
            pass
        frame = self._frame() if self._step.pages != 1 else None
        if frame is not None:
            await self._tab.go(frame)
            await self.settle()

    def _frame(self) -> str | None:
        """The address of the frame that the rows are in, whose pages can be turned by itself."""
        view, rows = self.now
        cell = next((each for row in rows for each in row.cells.values() if each), None)
        document = 0 if cell is None else int(view.page.document[cell.node])
        url = view.page.documents[document].url
        return url if document and url.startswith(("http:", "https:")) else None

    async def _is_there(self, until: float) -> bool:
        """Look for the rows when the page is still; whether this was the last time."""
        await self._still(until)
        is_late = asyncio.get_running_loop().time() >= until
        try:
            self.now = await self.look()
        except NotFoundError:
            if is_late:
                raise
            return False
        rows = [row.values for row in self.now[1]]
        if is_late and any(is_awaited(value) for row in rows for value in row.values()):
            raise SiteError(f"{self._tab.url}: rows say that they are still being loaded")
        return is_late or (bool(rows) and not are_awaited(rows))

    async def _still(self, until: float) -> None:
        """Wait until the page has said the same for a while."""
        loop = asyncio.get_running_loop()
        await self._tab.calm(max(0.0, until - loop.time()))
        words, since = await self._tab.page.evaluate(_WORDS), loop.time()
        while loop.time() - since < _STILL_SECONDS and loop.time() < until:
            await asyncio.sleep(_LOOK_SECONDS)
            if (said := await self._tab.page.evaluate(_WORDS)) != words:
                words, since = said, loop.time()

    def new(self, *, grows: bool) -> list[FoundRow]:
        """The rows that were not there on the page before, if it has grown."""
        values = [row.values for row in self.now[1]]
        known = overlap(self._before, values) if grows else 0
        self._before = values
        self._check(values[known:])
        return self.now[1][known:]

    def _check(self, rows: Sequence[dict[str, str | None]]) -> None:
        """NotFoundError where the rows of a page lack what every row had before."""
        if not rows:
            return
        full = {name for name in rows[0] if all(row[name] is not None for row in rows)}
        for name in sorted((self._everywhere or set()) - full):
            if len(rows) > 1 and all(row.get(name) is None for row in rows):
                raise NotFoundError(
                    f"every row had {name} before, and none of the {len(rows)} on this page has",
                    remedy="the list looks different here: show it again what is meant",
                )
        self._everywhere = full if self._everywhere is None else self._everywhere & full

    def rest(self) -> list[FoundRow]:
        """The rows that were added to the page; none if it is another one by now."""
        known = overlap(self._before, [row.values for row in self.now[1]])
        return self.now[1][known:] if known or not self._before else []


def overlap(before: Sequence[Any], now: Sequence[Any]) -> int:
    """How many of the first items were the last ones before. A few of them may have been changed
    meanwhile, in a list that is longer now.
    """
    for size in range(min(len(before), len(now)), 0, -1):
        if list(before[-size:]) == list(now[:size]):
            return size
    same = sum(one == other for one, other in zip(before, now, strict=False))
    return len(before) if before and len(now) >= len(before) and 2 * same > len(before) else 0
