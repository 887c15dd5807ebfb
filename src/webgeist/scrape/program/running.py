"""Runs a program: its steps in order, on tabs of a browser, with the skip blocks of a run.

A loop's body has a tab of its own as soon as it loads something, so the list stays where it is. A
site that fails inside a skip block costs that block: it is counted and done by the next run. What
the program looks for and does not find ends the run: rather no data than wrong data.
"""

from __future__ import annotations

import asyncio
import os
import re
from functools import singledispatchmethod
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from webgeist.errors import NotFoundError, WebgeistError
from webgeist.scrape.freshness import ALWAYS, EVER
from webgeist.scrape.program import model
from webgeist.scrape.program.following import list_pages
from webgeist.scrape.program.outline import said
from webgeist.scrape.program.place import Place, StopLoop, Tally, all_of, cell_of, with_secrets
from webgeist.scrape.program.tabs import GoneError, SiteError
from webgeist.scrape.program.waiting import is_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from webgeist.scrape.duplicates import Duplicates
    from webgeist.scrape.freshness import Freshness
    from webgeist.scrape.program.browsing import Browsing
    from webgeist.scrape.program.finding import FoundRow, View
    from webgeist.scrape.program.tabs import Tab
    from webgeist.scrape.run import Run

_LOOK_SECONDS = 0.15  # between two looks at a page that may not be ready
_SCROLL_TO_END = """() => {
    for (const each of document.querySelectorAll("body *"))
        if (each.scrollHeight > each.clientHeight + 20 && each.clientHeight > 100
            && /auto|scroll/.test(getComputedStyle(each).overflowY))
            each.scrollTop = each.scrollHeight;
    window.scrollTo(0, document.documentElement.scrollHeight);
}"""
_PATIENCE = 10.0  # seconds that something may take to appear on a page


class Runner:
    """One walk through a program. `workers` rows of the outermost loop are done at once; `secrets`
    are what `{env:NAME}` means; `on_step` hears of every step before it is done.
    """

    def __init__(
        self,
        run: Run,
        browsing: Browsing,
        *,
        patience: float = _PATIENCE,
        workers: int = 1,
        secrets: Mapping[str, str] = os.environ,
        on_step: Callable[[model.Step], None] = lambda _: None,
    ) -> None:
        self._workers = workers
        self._secrets = secrets
        self.run = run
        self._browsing = browsing
        self.patience = patience
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
            await self.do(step, place)

    async def do(self, step: model.Step, place: Place) -> None:
        """One step. What it does not find is told with its line and page."""
        self._on_step(step)
        try:
            await self._do(step, place)
        except NotFoundError as error:
            raise _told(step, place, error) from error
        except PlaywrightError as error:
            raise SiteError(f"{place.tab.url}: {error.message.splitlines()[0][:200]}") from error

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
        tab, view, cell = cell_of(step.target, place)
        href = view.value(cell.node, "href") or ""
        if href.startswith(("http:", "https:")):
            await self._own_tab(place)
            await place.tab.go(href)
            return
        async with tab.lock:
            now = await tab.view()
            node = now.same(view, cell)
            if node is None:
                raise NotFoundError(
                    f"{step.target} ({cell.value[:60]!r}) is no longer where it was on the list",
                    remedy="where a click changes the list itself, end the row with a step that "
                    "brings it back, as a click on its button; else show it again what is meant",
                )
            opened = await tab.click(now, node, aside=True)
            place.strayed = opened is None and tab.has_left(now)
            await self._move(place, opened)

    @_do.register
    async def _(self, step: model.Type, place: Place) -> None:
        view, node = await self._await(step.into, place)
        text = step.text.fill(with_secrets(step.text, place.values(), self._secrets))
        await place.tab.element(view, node).type(text, enter=step.enter)

    @_do.register
    async def _(self, step: model.Select, place: Place) -> None:
        view, node = await self._await(step.target, place)
        await place.tab.element(view, node).select(step.option.fill(place.values()))

    @_do.register
    async def _(self, step: model.Scroll, place: Place) -> None:
        if step.target is None:
            await place.tab.page.evaluate(_SCROLL_TO_END)
            await place.tab.calm()
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
                _, view, cell = cell_of(target, place)
                place.known[name] = view.value(cell.node, target.attribute)
                continue
            place.known[name] = await self._value(name, target, place, name not in step.optional)

    async def _value(
        self, name: str, target: model.Target, place: Place, needed: bool
    ) -> str | None:
        """What a target says, as soon as it says something; what is not needed is not waited for,
        unless the page itself says that it is coming.
        """
        until = asyncio.get_running_loop().time() + self.patience
        while True:
            view = await place.tab.view()
            node = view.find(target)
            value = None if node is None else view.value(node, target.attribute)
            is_coming = is_awaited(value)
            if not is_coming and (value or not needed):
                return value
            if asyncio.get_running_loop().time() >= until:
                break
            await asyncio.sleep(_LOOK_SECONDS)
        if is_coming:
            raise SiteError(f"{place.tab.url}: {name} ({target}) still says {value!r}")
        if value is None:
            raise NotFoundError(f"{name} ({target}) is not on the page{view.why_not(target)}")
        return value

    @_do.register
    async def _(self, step: model.Output, place: Place) -> None:
        values = place.values()
        row = {name: template.value(values) for name, template in step.columns.items()}
        await asyncio.to_thread(self.run.output, row, source=place.tab.url)
        self.tally.rows += 1

    # --- around other steps --------------------------------------------------------------------

    @_do.register
    async def _(self, step: model.ForEach, place: Place) -> None:
        duplicates = None
        if step.stop_after_duplicates:
            duplicates = self.run.stop_after_duplicates(step.stop_after_duplicates)
        any_row = False
        async for view, rows in list_pages(place.tab, step, self.patience):
            any_row = any_row or bool(rows)
            if not await self._rows(step, place, (view, rows), duplicates):
                return
        if not any_row and place.loops == 0 and not step.optional:
            raise NotFoundError(
                "the list has no row", remedy="optional: true, if a list may be empty"
            )

    async def _rows(
        self,
        step: model.ForEach,
        place: Place,
        page: tuple[View, Sequence[FoundRow]],
        duplicates: Duplicates | None,
    ) -> bool:
        """The rows of one page of a list, several at once in the outermost loop; whether the loop
        goes on.
        """
        view, rows = page
        stopped = False
        free = asyncio.Semaphore(self._workers if place.loops == 0 else 1)

        async def do(row: FoundRow) -> None:
            nonlocal stopped
            async with free:
                if stopped:
                    return
                try:
                    await self._row(step, place, view, row)
                except StopLoop:
                    stopped = True
                stopped = stopped or (duplicates is not None and duplicates.reached)

        if place.loops == 0 and self._workers > 1:
            await all_of([do(row) for row in rows])
        else:
            for row in rows:
                await do(row)
        return not stopped

    async def _row(self, step: model.ForEach, place: Place, view: View, row: FoundRow) -> None:
        inner = self.inside(step, place, view, row)
        try:
            await self._steps(step.steps, inner)
        finally:
            await self.leave(inner, place)

    @staticmethod
    async def leave(inner: Place, place: Place) -> None:
        """The body of a loop is done with a row: what it opened is closed, the list is back."""
        if inner.own:
            await inner.tab.close()
        if inner.strayed:
            await place.tab.back()

    @staticmethod
    def inside(step: model.ForEach, place: Place, view: View, row: FoundRow) -> Place:
        """Where the body of a loop is for one of its rows."""
        cells = {f"{step.name}.{name}": cell for name, cell in row.cells.items()}
        there = {name: (place.tab, view, cell) for name, cell in cells.items() if cell}
        values = {name: cell.value if cell else None for name, cell in cells.items()}
        known = place.known.new_child(values)
        return Place(
            place.tab,
            own=False,
            cells=place.cells | there,
            known=known,
            loops=place.loops + 1,
        )

    @_do.register
    async def _(self, step: model.SkipBlock, place: Place) -> None:
        values = place.values()
        key = [part.value(values) for part in step.key]
        block = self.run.skip_block(
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
            return self.run.unless_changed(view.page.text(0))
        if fresh.runs is not None:
            return self.run.runs(fresh.runs)
        return EVER if fresh.seconds is None else self.run.last(minutes=fresh.seconds / 60)

    @_do.register
    async def _(self, step: model.If, place: Place) -> None:
        holds = await self.holds(step.condition, place)
        await self._steps(step.steps if holds else step.otherwise, place)

    @_do.register
    async def _(self, step: model.StopWhen, place: Place) -> None:
        if await self.holds(step.condition, place):
            raise StopLoop

    async def holds(self, condition: model.Condition, place: Place) -> bool:
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
        until = asyncio.get_running_loop().time() + (self.patience if seconds is None else seconds)
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
            raise NotFoundError(f"{target} is not on the page{view.why_not(target)}")
        return view, node


def _told(step: model.Step, place: Place, error: NotFoundError) -> NotFoundError:
    """Where in the program, and on which page; said once, by the innermost step."""
    if error.message.startswith(("line ", "step ")):
        return error
    line = f"line {step.line}" if step.line else "step"  # of a script
    place_ = f"{line} ({said(step)[:80]}), on {place.tab.url}"
    return NotFoundError(
        f"{place_}: {error.message}",
        remedy=error.remedy or "the page may have changed: show it again what is meant",
    )
