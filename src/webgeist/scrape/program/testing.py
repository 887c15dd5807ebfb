"""Runs a program again on the pages that an earlier run kept, and compares the rows.

The log is a copy, cut back to before that run; the clock is that of then; nothing is asked of the
web. So the same program gives the same rows, and a program that was changed shows what that does.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca
from webgeist.capture.recorder.replay import Replay
from webgeist.errors import NotFoundError, UsageError, WebgeistError
from webgeist.scrape.program.browsing import Browsing
from webgeist.scrape.program.fixtures import Kept, kept_runs
from webgeist.scrape.program.launching import secret_names
from webgeist.scrape.program.running import Runner
from webgeist.scrape.rows import written
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.scrape.program.model import Program
    from webgeist.settings import Settings

_BLANK = "***"  # typed in place of a secret


@dataclass(frozen=True)
class Tested:
    """How a program did on kept pages. `lost` rows were there and are not, `added` the reverse;
    `not_kept` are addresses that were asked for and have no answer; `trouble` ended it early.
    """

    run: int
    same: int
    lost: tuple[str, ...]
    added: tuple[str, ...]
    not_kept: tuple[str, ...]
    failures: tuple[str, ...]
    trouble: str
    edited: bool

    @property
    def passed(self) -> bool:
        return not (self.lost or self.added or self.failures or self.trouble)


def choose_run(folder: Path, program: str, store: str, wanted: int | None) -> int:
    """The run to test: the one that is asked for, or the newest that put out a row."""
    runs = kept_runs(folder)
    if wanted is not None and wanted not in runs:
        there = ", ".join(map(str, runs)) or "none"
        raise NotFoundError(f"no pages of run {wanted} are kept", remedy=f"there are: {there}")
    if wanted is not None:
        return wanted
    if not runs:
        raise NotFoundError(
            f"{folder} has no pages of a run",
            remedy="webgeist scrape run PROGRAM keeps the pages that it sees",
        )
    with_rows = {row.run for row in Run(program, store=store).rows()}
    return max((run for run in runs if run in with_rows), default=runs[-1])


async def repeat(
    program: Program,
    text: str,
    folder: Path,
    store: str,
    *,
    run: int,
    settings: Settings,
) -> Tested:
    """Replay the run on its pages, and compare what it put out."""
    secrets = dict.fromkeys(secret_names(program), _BLANK)
    kept = Kept(folder, run, [_BLANK])
    if kept.about.program != program.name:
        raise UsageError(
            f"the pages of run {run} are those of program {kept.about.program}",
            remedy=f"program: {kept.about.program}",
        )
    before = _rows(program.name, store, run)
    with tempfile.TemporaryDirectory(prefix="webgeist-test-") as made:
        copy = Path(made) / "log.db"
        cut_back(Path(store), copy, program.name, run)
        number, failures, trouble = await _replay(program, copy, kept, settings, secrets)
        now = _rows(program.name, str(copy), number)
    return Tested(
        run,
        (before & now).total(),
        tuple((before - now).elements()),
        tuple((now - before).elements()),
        tuple(kept.missing),
        failures,
        trouble,
        edited=kept.program != text,
    )


async def _replay(
    program: Program, store: Path, kept: Kept, settings: Settings, secrets: dict[str, str]
) -> tuple[int, tuple[str, ...], str]:
    authority = Authority(ca("webgeist test", datetime.now(UTC)))
    player = Replay(settings, authority, kept.by_turn, kept.by_body)
    run = Run(program.name, store=store, clock=_clock_of(kept.about.started))
    trouble = ""
    async with Browsing(settings, program.viewport, recorder=player, offline=True) as browsing:
        runner = Runner(run, browsing, secrets=defaultdict(lambda: _BLANK, secrets))
        try:
            async with run:
                number = run.number
                await runner.walk(program)
        except WebgeistError as error:
            trouble = error.message
    return number, tuple(runner.tally.failures), trouble


def _clock_of(started: float) -> Callable[[], float]:
    """The time of then, which goes on from there."""
    began = time.monotonic()
    return lambda: started + time.monotonic() - began


def _rows(program: str, store: str, run: int) -> Counter[str]:
    rows = Run(program, store=store).rows()
    return Counter(written(dict(row)) for row in rows if row.run == run)


def cut_back(store: Path, copy: Path, program: str, run: int) -> None:
    """Copy a log, without a run and all that came after it."""
    if not store.is_file():
        raise NotFoundError(
            f"{store} is no log in a file", remedy="programs are tested with logs in SQLite"
        )
    source = sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)
    target = sqlite3.connect(copy)
    try:
        source.backup(target)
        (number,) = target.execute(
            "SELECT program FROM scrape_programs WHERE name = ?", (program,)
        ).fetchone()
        then = target.execute("SELECT logical FROM scrape_runs WHERE run = ?", (run,)).fetchone()
        for table in ("scrape_rows", "scrape_commits", "scrape_visits", "scrape_runs"):
            target.execute(f"DELETE FROM {table} WHERE run >= ?", (run,))  # noqa: S608 - ours
        target.execute("DELETE FROM scrape_leases")
        target.execute("UPDATE scrape_programs SET logical = ? WHERE program = ?", (*then, number))
        target.commit()
    finally:
        source.close()
        target.close()
