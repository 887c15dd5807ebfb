"""Programs as Python: what `webgeist scrape show --python` writes is made of these.

    async with Scraper("papers", store="papers.db") as scraper:
        page = await scraper.page()
        await page.load("https://library.example/papers")
        async for row in page.rows("row", {"title": "h2 a"}, pages=None):
            with scraper.costs_a_block():
                async for _ in scraper.run.skip_block("Paper", row["title"]):
                    await row.open("row.title")
                    (year,) = await row.scrape({"year": ".year"})
                    row.output(title=row["title"], year=year)

Each does what the step of a program does, in the same browser, with the same manners.
"""

from __future__ import annotations

import os
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Self

from webgeist.errors import NotFoundError
from webgeist.scrape.program import model
from webgeist.scrape.program.browsing import Browsing
from webgeist.scrape.program.following import list_pages
from webgeist.scrape.program.place import Place, StopLoop
from webgeist.scrape.program.running import Runner
from webgeist.scrape.program.tabs import GoneError, SiteError
from webgeist.scrape.run import ALWAYS, Run
from webgeist.settings.load import load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    TargetLike = str | Mapping[str, str]

__all__ = ["ALWAYS", "Page", "Row", "Scraper", "StopLoop"]


class Scraper:
    """A browser and a run of skip blocks. `options` are settings by their names, with __ for the
    point, as in crawl__delay_seconds=2. `failures` are blocks that were left.
    """

    def __init__(
        self, name: str, *, store: str | Path, viewport: str = "desktop", **options: Any
    ) -> None:
        named = {name.replace("__", "."): value for name, value in options.items()}
        settings = load_settings(environ=os.environ, flags=named).settings
        self.run = Run(name, store=store)
        self._browsing = Browsing(settings, viewport)
        self._runner = Runner(self.run, self._browsing)
        self._stack = AsyncExitStack()

    @property
    def failures(self) -> list[str]:
        return self._runner.tally.failures

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._browsing)
        await self._stack.enter_async_context(self.run)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None and self.failures:  # the run has not reached its end
            failed = SiteError(f"{len(self.failures)} blocks were left")
            with suppress(SiteError):
                await self._stack.__aexit__(SiteError, failed, None)
            return
        await self._stack.__aexit__(kind, error, traceback)

    async def page(self) -> Page:
        """A tab."""
        return Page(self._runner, Place(await self._browsing.tab()))

    @contextmanager
    def costs_a_block(self) -> Iterator[None]:
        """A site that fails in here costs what is in here: it is counted, and the run goes on."""
        try:
            yield
        except (SiteError, GoneError) as error:
            self.failures.append(str(error))


class Page:
    """A place in the browser: a tab, of a loop further out unless it has opened its own."""

    def __init__(self, runner: Runner, place: Place) -> None:
        self._runner = runner
        self._place = place

    @property
    def url(self) -> str:
        return self._place.tab.url

    async def _do(self, step: model.Step) -> None:
        await self._runner.do(step, self._place)

    async def load(self, url: str) -> None:
        await self._do(model.Load(0, _literal(url)))

    async def click(self, target: TargetLike) -> None:
        await self._do(model.Click(0, _target(target)))

    async def open(self, cell: str) -> None:
        """Click a cell of a row that a loop is at: loop.column. Links open in a tab of the row."""
        await self._do(model.Click(0, model.Target(cell=cell)))

    async def type(self, text: str, *, into: TargetLike, enter: bool = False) -> None:
        await self._do(model.Type(0, _target(into), _literal(text), enter))

    async def select(self, option: str, *, where: TargetLike) -> None:
        await self._do(model.Select(0, _target(where), _literal(option)))

    async def scroll(self, target: TargetLike | None = None) -> None:
        await self._do(model.Scroll(0, None if target is None else _target(target)))

    async def wait(self, seconds: float, *, until: TargetLike | None = None) -> None:
        await self._do(model.Wait(0, seconds, None if until is None else _target(until)))

    async def has(self, target: TargetLike) -> bool:
        return await self._runner.holds(model.Condition("on-page", _target(target)), self._place)

    async def text(self) -> str:
        """All that the page says."""
        return (await self._place.tab.view()).page.text(0)

    async def scrape(
        self, cells: Mapping[str, TargetLike], *, optional: Sequence[str] = ()
    ) -> list[str | None]:
        """The texts of the cells, in their order; None for an optional one that is not there."""
        targets = {name: _target(target) for name, target in cells.items()}
        await self._do(model.Scrape(0, targets, frozenset(optional)))
        return [self._place.known[name] for name in cells]

    def output(self, row: Mapping[str, object]) -> None:
        """Put out a row, with this page as its source."""
        self._runner.run.output(row, source=self.url)

    async def rows(
        self,
        name: str,
        columns: Mapping[str, TargetLike] | None = None,
        *,
        rows: TargetLike | None = None,
        pages: int | None = 1,
    ) -> AsyncIterator[Row]:
        """The rows of the list that the page shows, on so many pages of it; None: on all."""
        relation = model.Relation(
            {column: _target(target) for column, target in (columns or {}).items()},
            None if rows is None else _target(rows),
        )
        step = model.ForEach(0, name, relation, (), pages)
        async for view, found in list_pages(self._place.tab, step, self._runner.patience):
            for each in found:
                inner = self._runner.inside(step, self._place, view, each)
                try:
                    yield Row(self._runner, inner, name)
                finally:
                    await self._runner.leave(inner, self._place)


class Row(Page):
    """A row of a list; what is loaded from here opens in a tab of its own."""

    def __init__(self, runner: Runner, place: Place, name: str) -> None:
        super().__init__(runner, place)
        self._name = name

    def __getitem__(self, column: str) -> str | None:
        known = self._place.known
        if f"{self._name}.{column}" not in known:
            there = ", ".join(each.partition(".")[2] for each in known.maps[0])
            raise NotFoundError(f"the row has no {column}", remedy=f"it has: {there}")
        return known[f"{self._name}.{column}"]


def secret(name: str) -> str:
    """An environment variable. NotFoundError where there is none."""
    if name not in os.environ:
        raise NotFoundError(f"the environment has no {name}", remedy=f"export {name}=…")
    return os.environ[name]


def _literal(text: str) -> model.Template:
    return model.Template(text.replace("{", "{{").replace("}", "}}"))


def _target(given: TargetLike) -> model.Target:
    if isinstance(given, str):
        return model.Target({"css": given})
    features = {name: value for name, value in given.items() if name != "attribute"}
    cell = features.pop("cell", None)
    return model.Target(features, cell, given.get("attribute"))
