"""The commit log against a model in memory, over whatever order of events hypothesis thinks of.

The model is the paper's semantics written down once more, in the plainest way: a list of records, a
list of rows, a stack of open blocks.
"""

from __future__ import annotations

import math
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.scrape.making import DAY, GoneError, Lab

from webgeist.scrape.freshness import AHEAD_SECONDS, ALWAYS, EVER

if TYPE_CHECKING:
    from webgeist.scrape.blocks import Loop
    from webgeist.scrape.run import Run

NAMES = ("City", "Place", "Dish")


@dataclass
class Opened:
    """A block whose body runs, in the model and for real."""

    name: str
    key: tuple[Any, ...]
    real: Loop
    rows: list[dict[str, int]] = field(default_factory=list)


class CommitLog(RuleBasedStateMachine):
    @initialize()
    def begin_with_nothing(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.lab = Lab(self.folder / "log.db")
        self.run: Run | None = None
        self.stack: list[Opened] = []
        self.records: list[tuple[str, tuple[Any, ...], float, int]] = []
        self.rows: list[dict[str, int]] = []
        self.logical = 0
        self.newest = -math.inf
        self.number = 0

    def teardown(self) -> None:
        if getattr(self, "run", None):
            self.fail()
        shutil.rmtree(self.folder, ignore_errors=True)

    def now(self) -> float:
        self.newest = max(self.newest, self.lab.hands.now)
        return self.newest

    @rule(days=st.sampled_from([0.01, 1, 3, 8, -0.02, -2]))
    def time_passes(self, days: float) -> None:
        self.lab.hands.now += days * DAY

    @precondition(lambda self: self.run is None)
    @rule()
    def begin(self) -> None:
        self.run = self.lab.run()
        self.run.__enter__()
        self.newest = -math.inf

    @precondition(lambda self: self.run)
    @rule(
        name=st.sampled_from(NAMES),
        key=st.integers(0, 2),
        nested=st.booleans(),
        fresh=st.sampled_from(["ever", "always", "days", "runs", "recovery"]),
    )
    def enter(self, name: str, key: int, *, nested: bool, fresh: str) -> None:
        assert self.run
        if name in [each.name for each in self.stack]:
            return
        above = self.stack[-1:] if nested else []
        whole = (key, *((each.name, each.key) for each in above))
        bound = {
            "ever": EVER,
            "always": ALWAYS,
            "days": self.run.last(days=2),
            "runs": self.run.runs(2),
            "recovery": self.run.runs(0),
        }[fresh]
        within = [each.name for each in above]
        block = iter(self.run.skip_block(name, key, within=within, fresh=bound))
        entered = bool([None for _ in [next(block, None)] if _ is not None])
        assert entered == (not self.is_known(name, whole, fresh))
        if entered:
            self.stack.append(Opened(name, whole, block))

    def is_known(self, name: str, key: tuple[Any, ...], fresh: str) -> bool:
        now = self.now()
        mine = [(time, at) for block, its, time, at in self.records if (block, its) == (name, key)]
        match fresh:
            case "ever":
                return bool(mine)
            case "always":
                return False
            case "days":
                return any(now - 2 * DAY <= time <= now + AHEAD_SECONDS for time, _ in mine)
            case "runs":
                return any(at >= self.logical - 2 for _, at in mine)
            case _:
                return any(at >= self.logical for _, at in mine)

    @precondition(lambda self: self.run)
    @rule()
    def output(self) -> None:
        assert self.run
        self.number += 1
        self.run.output(number=self.number)
        self.now()
        place = self.stack[-1].rows if self.stack else self.rows
        place.append({"number": self.number})

    @precondition(lambda self: self.stack)
    @rule()
    def reach_the_end_of_the_body(self) -> None:
        block = self.stack.pop()
        assert next(block.real, None) is None
        self.records.append((block.name, block.key, self.now(), self.logical))
        self.rows += block.rows

    @precondition(lambda self: self.stack)
    @rule(levels=st.integers(1, 3))
    def leave(self, levels: int) -> None:
        del self.stack[-levels:]

    @precondition(lambda self: self.run)
    @rule()
    def fail(self) -> None:
        assert self.run
        self.run.__exit__(GoneError, GoneError(), None)
        self.stack.clear()
        self.run = None

    @precondition(lambda self: self.run and not self.stack)
    @rule()
    def reach_the_end(self) -> None:
        assert self.run
        self.run.__exit__(None, None, None)
        self.run = None
        self.logical += 1

    @precondition(lambda self: self.run)
    @rule()
    def look_at_the_rows(self) -> None:
        assert self.run
        assert [dict(row) for row in self.run.rows()] == self.rows


TestCommitLog = CommitLog.TestCase
TestCommitLog.settings = settings(max_examples=15, stateful_step_count=40, deadline=None)


@pytest.mark.slow
def test_for_long() -> None:
    run_state_machine_as_test(
        CommitLog, settings=settings(max_examples=300, stateful_step_count=60, deadline=None)
    )
