"""Runs for tests: a clock that only tests move, and programs small enough to see through."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = 86_400.0


@dataclass
class Hands:
    """A clock, and what was waited for by it."""

    now: float = 1_000_000_000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Lab:
    """A store and a clock; `lab.run()` is a run of one program."""

    store: str | Path
    hands: Hands = field(default_factory=Hands)

    def run(self, name: str = "program", **more: Any) -> Run:
        return Run(name, store=self.store, clock=self.hands, sleep=self.hands.sleep, **more)

    def fail(self, body: Callable[[Run], object] = lambda _: None) -> None:
        """A run that does this, and then fails; or fails while it does."""
        try:
            with self.run() as run:
                body(run)
                raise GoneError  # noqa: TRY301 - a run's body is no function
        except GoneError:
            return

    def rows(self, name: str = "program") -> list[dict[str, Any]]:
        return [dict(row) for row in self.run(name).rows()]


class GoneError(ConnectionError):
    """The site cannot be reached."""


def scrape(
    run: Run,
    world: dict[str, list[str]],
    visit: Callable[[str], None] = lambda _: None,
    **options: Any,
) -> None:
    """A program with two levels: authors and their papers; `visit` hears of each page load."""
    for author, papers in world.items():
        for _ in run.skip_block("Author", author, **options):
            visit(author)
            for paper in papers:
                for _ in run.skip_block("Paper", paper, within="Author", **options):
                    visit(f"{author}/{paper}")
                    run.output(author=author, paper=paper)
            run.output(author=author, papers=len(papers))
