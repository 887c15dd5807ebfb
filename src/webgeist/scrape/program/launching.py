"""Runs a program from beginning to end: browser, run, fixtures, and what came of it."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.scrape.program import model
from webgeist.scrape.program.browsing import Browsing
from webgeist.scrape.program.fixtures import About, Keeping
from webgeist.scrape.program.running import Runner
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from webgeist.scrape.session import Counts
    from webgeist.settings import Settings


@dataclass(frozen=True)
class Launched:
    """What a run did. `failures` are blocks that were left, each with its reason."""

    run: int
    counts: Counts
    loads: int
    failures: tuple[str, ...]


class _UnfinishedError(Exception):
    """Blocks were left: the run is none that reached its end, and the next one goes on."""


@dataclass(frozen=True)
class Launch:
    """A program that is to run. `fixtures` is where the pages that it sees are kept, if at all;
    `text` is the program as it was written.
    """

    program: model.Program
    store: str
    settings: Settings
    text: str = ""
    fixtures: Path | None = None
    workers: int = 1

    async def walk(
        self, on_progress: Callable[[Counts, int], None] = lambda _counts, _loads: None
    ) -> Launched:
        """Run it. Whatever stops it, the next run goes on from there."""
        run = Run(self.program.name, store=self.store)
        browsing = Browsing(self.settings, self.program.viewport, recorder=self._recorder())
        async with browsing:
            runner = Runner(
                run,
                browsing,
                workers=self.workers,
                on_step=lambda _: on_progress(run.counts, browsing.loads),
            )
            with suppress(_UnfinishedError):
                async with run:
                    number = run.number
                    await self._walk_kept(run, browsing, runner)
                    if runner.tally.failures:
                        raise _UnfinishedError
        return Launched(number, run.counts, browsing.loads, tuple(runner.tally.failures))

    def _recorder(self) -> RecordingProxy | None:
        if self.fixtures is None:
            return None
        authority = Authority(ca("webgeist scrape", datetime.now(UTC)))
        return RecordingProxy(self.settings, authority)

    async def _walk_kept(self, run: Run, browsing: Browsing, runner: Runner) -> None:
        if self.fixtures is None:
            await runner.walk(self.program)
            return
        about = About(self.program.name, run.number, run.started)
        secrets = [os.environ.get(name, "") for name in secret_names(self.program)]
        keeping = Keeping(self.fixtures, about, self.text, secrets)
        browsing.keep = keeping.keep
        try:
            await runner.walk(self.program)
        finally:
            await browsing.drain()
            browsing.keep = browsing.throw_away
            keeping.close()


def secret_names(program: model.Program) -> set[str]:
    """The environment variables that a program types."""
    texts = (step.text for step in _all_steps(program.steps) if isinstance(step, model.Type))
    holes = (hole for text in texts for hole in text.holes)
    return {hole.removeprefix(model.SECRET) for hole in holes if hole.startswith(model.SECRET)}


def _all_steps(steps: Iterable[model.Step]) -> Iterator[model.Step]:
    for step in steps:
        yield step
        if isinstance(step, model.ForEach | model.SkipBlock | model.If):
            yield from _all_steps(step.steps)
        if isinstance(step, model.If):
            yield from _all_steps(step.otherwise)
