"""Runs a program: its steps in order, on tabs of a browser, with the skip blocks of a run.

A loop's body has a tab of its own as soon as it loads something, so the list stays where it is. A
site that fails inside a skip block costs that block: it is counted and done by the next run. What
the program looks for and does not find ends the run: rather no data than wrong data.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import ChainMap
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from webgeist.errors import NotFoundError, UsageError, WebgeistError
from webgeist.scrape.freshness import ALWAYS, EVER
from webgeist.scrape.program import model
from webgeist.scrape.program.following import list_pages
from webgeist.scrape.program.outline import said
from webgeist.scrape.program.tabs import GoneError, SiteError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.scrape.freshness import Freshness
    from webgeist.scrape.program.browsing import Browsing
    from webgeist.scrape.program.finding import Cell, FoundRow, View
    from webgeist.scrape.program.tabs import Tab
    from webgeist.scrape.run import Run

_LOOK_SECONDS = 0.15  # between two looks at a page that may not be ready
_PATIENCE = 10.0  # seconds that something may take to appear on a page


class StopLoop(Exception):  # noqa: N818 - no error: a step says so
    """The innermost loop is over."""


@dataclass
class Tally:
    """What a run of a program has done. `failures` are blocks that were left, with the reason."""

    rows: int = 0
    failures: list[str] = field(default_factory=list)


class _Known(dict[str, str | None]):
    """Columns that a loop finds by itself are known when they are looked for."""

    def __missing__(self, name: str) -> str | None:
        there = [each for each in self if each.partition(".")[0] == name.partition(".")[0]]
        raise NotFoundError(
            f"the row has no {name}", remedy=f"it has: {', '.join(there) or 'nothing'}"
        )


@dataclass
class Place:
    """Where a program is: the tab (of a loop further out, unless it is its own), what is known,
    and the cells of the rows that loops are at.
    """

    tab: Tab
    own: bool = True
    cells: dict[str, tuple[Tab, View, Cell]] = field(default_factory=dict)
    known: ChainMap[str, str | None] = field(default_factory=ChainMap)

    def values(self) -> dict[str, str | None]:
        """What templates are filled with."""
        return _Known({**self.known, "url": self.tab.url})


class Runner:
    """One walk through a program. `on_step` hears of every step before it is done."""

    def __init__(
        self,
        run: Run,
        browsing: Browsing,
        *,
        patience: float = _PATIENCE,
        on_step: Callable[[model.Step], None] = lambda _: None,
    ) -> None:
        self._run = run
        self._browsing = browsing
        self._patience = patience
        self._on_step = on_step
        self.tally = Tally()

    async def walk(self, program: model.Program) -> Tally:
        """Do the whole program."""
        place = Place(await self._browsing.tab())
        try:
            await self._steps(program.steps, place)
        except StopLoop:
            pass  # outside of loops it ends the program
        except (SiteError, GoneError) as error:
            again = "the same command goes on from here"
            raise WebgeistError(f"no page outside of any block: {error}", remedy=again) from error
        finally:
            await place.tab.close()
        return self.tally

    async def _steps(self, steps: Iterable[model.Step], place: Place) -> None:
        for step in steps:
            self._on_step(step)
            try:
                await self._do(step, place)
            except NotFoundError as error:
                raise _told(step, place, error) from error
            except PlaywrightError as error:
                raise SiteError(
                    f"{place.tab.url}: {error.message.splitlines()[0][:200]}"
                ) from error

    @singledispatchmethod
    async def _do(self, step: model.Step, _place: Place) -> None:
        raise TypeError(f"{type(step).__name__} is no step")

    # --- on the page ---------------------------------------------------------------------------

    @_do.register
    async def _(self, step: model.Load, place: Place) -> None:
        url = step.url.fill(place.values())
        await self._own_tab(place)
        await place.tab.go(url)

    async def _own_tab(self, place: Place) -> None:
        """The list that a loop goes through stays where it is."""
        if not place.own:
            place.tab, place.own = await self._browsing.tab(), True

    @_do.register
    async def _(self, step: model.Click, place: Place) -> None:
        if step.target.cell:
            await self._click_cell(step, place)
            return
        view, node = await self._await(step.target, place)
        await self._move(place, await place.tab.click(view, node))

    async def _move(self, place: Place, opened: Tab | None) -> None:
        """Go on in a tab that a click opened."""
        if opened is None:
            return
        if place.own:
            await place.tab.close()
        place.tab, place.own = opened, True

    async def _click_cell(self, step: model.Click, place: Place) -> None:
        """A link in a row opens in the body's own tab, and so does the answer to a form that is
        sent by it; other cells are clicked where they are.
        """
        tab, view, cell = _cell(step.target, place)
        href = view.value(cell.node, "href") or ""
        if href.startswith(("http:", "https:")):
            await self._own_tab(place)
            await place.tab.go(href)
            return
        now = await tab.view()
        node = now.same(view, cell)
        if node is None:
            raise NotFoundError(
                f"{step.target} ({cell.value[:60]!r}) is no longer where it was on the list"
            )
        await self._move(place, await tab.click(now, node, aside=True))

    @_do.register
    async def _(self, step: model.Type, place: Place) -> None:
        view, node = await self._await(step.into, place)
        text = step.text.fill(_with_secrets(step.text, place.values()))
        await place.tab.element(view, node).type(text, enter=step.enter)

    @_do.register
    async def _(self, step: model.Select, place: Place) -> None:
        view, node = await self._await(step.target, place)
        await place.tab.element(view, node).select(step.option.fill(place.values()))

    @_do.register
    async def _(self, step: model.Scroll, place: Place) -> None:
        if step.target is None:
            await place.tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            return
        view, node = await self._await(step.target, place)
        await place.tab.element(view, node).scroll()

    @_do.register
    async def _(self, step: model.Wait, place: Place) -> None:
        if step.target is None:
            await asyncio.sleep(step.seconds)
        else:
            await self._await(step.target, place, step.seconds)

    @_do.register
    async def _(self, step: model.Scrape, place: Place) -> None:
        for name, target in step.cells.items():
            if target.cell:
                _, view, cell = _cell(target, place)
                place.known[name] = view.value(cell.node, target.attribute)
                continue
            view, node = await self._look(target, place, 0 if name in step.optional else None)
            value = None if node is None else view.value(node, target.attribute)
            if value is None and name not in step.optional:
                raise NotFoundError(f"{name} ({target}) is not on the page")
            place.known[name] = value

    @_do.register
    async def _(self, step: model.Output, place: Place) -> None:
        values = place.values()
        row = {name: template.value(values) for name, template in step.columns.items()}
        await asyncio.to_thread(self._run.output, row, source=place.tab.url)
        self.tally.rows += 1

    # --- around other steps --------------------------------------------------------------------

    @_do.register
    async def _(self, step: model.ForEach, place: Place) -> None:
        duplicates = None
        if step.stop_after_duplicates:
            duplicates = self._run.stop_after_duplicates(step.stop_after_duplicates)
        async for view, rows in list_pages(place.tab, step, self._patience):
            for row in rows:
                try:
                    await self._row(step, place, view, row)
                except StopLoop:
                    return
                if duplicates is not None and duplicates.reached:
                    return

    async def _row(self, step: model.ForEach, place: Place, view: View, row: FoundRow) -> None:
        cells = {f"{step.name}.{name}": cell for name, cell in row.cells.items()}
        there = {name: (place.tab, view, cell) for name, cell in cells.items() if cell}
        values = {name: cell.value if cell else None for name, cell in cells.items()}
        known = place.known.new_child(values)
        inner = Place(place.tab, own=False, cells=place.cells | there, known=known)
        try:
            await self._steps(step.steps, inner)
        finally:
            if inner.own:
                await inner.tab.close()

    @_do.register
    async def _(self, step: model.SkipBlock, place: Place) -> None:
        values = place.values()
        key = [part.value(values) for part in step.key]
        block = self._run.skip_block(
            step.name,
            *key,
            within=step.within,
            fresh=await self._fresh(step.fresh, place),
            retries=step.retries,
        )
        try:
            async for attempt in block:
                async with attempt:
                    await self._steps(step.steps, place)
        except (SiteError, GoneError) as error:
            self.tally.failures.append(f"line {step.line}, {step.name} {key}: {error}")

    async def _fresh(self, fresh: model.Fresh, place: Place) -> Freshness:
        if fresh.always:
            return ALWAYS
        if fresh.unless_changed:
            view = await place.tab.view()
            return self._run.unless_changed(view.page.text(0))
        if fresh.runs is not None:
            return self._run.runs(fresh.runs)
        return EVER if fresh.seconds is None else self._run.last(minutes=fresh.seconds / 60)

    @_do.register
    async def _(self, step: model.If, place: Place) -> None:
        holds = await self._holds(step.condition, place)
        await self._steps(step.steps if holds else step.otherwise, place)

    @_do.register
    async def _(self, step: model.StopWhen, place: Place) -> None:
        if await self._holds(step.condition, place):
            raise StopLoop

    async def _holds(self, condition: model.Condition, place: Place) -> bool:
        if condition.target is not None:
            found = (await self._look(condition.target, place, 0))[1] is not None
        else:
            values = place.values()
            text = condition.text.fill(values) if condition.text else ""
            other = condition.other.fill(values) if condition.other else ""
            found = {
                "is": text == other,
                "contains": other in text,
                "matches": condition.kind == "matches" and re.search(other, text) is not None,
            }[condition.kind]
        return found is not condition.negated

    # --- looking -------------------------------------------------------------------------------

    async def _look(
        self, target: model.Target, place: Place, seconds: float | None = None
    ) -> tuple[View, int | None]:
        """The node of a target, as soon as it is there; None after so long (our patience)."""
        until = asyncio.get_running_loop().time() + (self._patience if seconds is None else seconds)
        while True:
            view = await place.tab.view()
            node = view.find(target)
            if node is not None or asyncio.get_running_loop().time() >= until:
                return view, node
            await asyncio.sleep(_LOOK_SECONDS)

    async def _await(
        self, target: model.Target, place: Place, seconds: float | None = None
    ) -> tuple[View, int]:
        view, node = await self._look(target, place, seconds)
        if node is None:
            raise NotFoundError(f"{target} is not on the page")
        return view, node


def _cell(target: model.Target, place: Place) -> tuple[Tab, View, Cell]:
    found = place.cells.get(target.cell or "")
    if found is None:
        raise NotFoundError(f"the row has no {target.cell}")
    return found


def _with_secrets(text: model.Template, known: dict[str, str | None]) -> dict[str, str | None]:
    for hole in text.holes:
        if hole.startswith(model.SECRET):
            name = hole.removeprefix(model.SECRET)
            if name not in os.environ:
                raise UsageError(f"the environment has no {name}", remedy=f"export {name}=…")
            known[hole] = os.environ[name]
    return known


def _told(step: model.Step, place: Place, error: NotFoundError) -> NotFoundError:
    """Where in the program, and on which page; said once, by the innermost step."""
    if error.message.startswith("line "):
        return error
    place_ = f"line {step.line} ({said(step)[:80]}), on {place.tab.url}"
    return NotFoundError(
        f"{place_}: {error.message}",
        remedy=error.remedy or "the page may have changed: show it again what is meant",
    )
