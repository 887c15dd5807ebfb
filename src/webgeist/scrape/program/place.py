"""Where a walk through a program is: its tab, what is known there, the rows that loops are at."""

from __future__ import annotations

import asyncio
from collections import ChainMap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.errors import NotFoundError, UsageError
from webgeist.scrape.program import model

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping, Sequence

    from webgeist.scrape.program.finding import Cell, View
    from webgeist.scrape.program.tabs import Tab


class StopLoop(Exception):  # noqa: N818 - no error: a step says so
    """The innermost loop is over."""


@dataclass
class Tally:
    """What a run of a program has done. `failures` are blocks that were left, with the reason."""

    rows: int = 0
    failures: list[str] = field(default_factory=list)


class Known(dict[str, str | None]):
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
    loops: int = 0
    strayed: bool = False  # a click in a row took the list itself elsewhere

    def values(self) -> dict[str, str | None]:
        """What templates are filled with."""
        return Known({**self.known, "url": self.tab.url})


async def all_of(work: Sequence[Coroutine[None, None, None]]) -> None:
    """Do it at once; what fails first ends the rest."""
    tasks = [asyncio.create_task(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def cell_of(target: model.Target, place: Place) -> tuple[Tab, View, Cell]:
    found = place.cells.get(target.cell or "")
    if found is None:
        raise NotFoundError(f"the row has no {target.cell}")
    return found


def with_secrets(
    text: model.Template, known: dict[str, str | None], secrets: Mapping[str, str]
) -> dict[str, str | None]:
    for hole in text.holes:
        if hole.startswith(model.SECRET):
            name = hole.removeprefix(model.SECRET)
            if name not in secrets:
                raise UsageError(f"the environment has no {name}", remedy=f"export {name}=…")
            known[hole] = secrets[name]
    return known
