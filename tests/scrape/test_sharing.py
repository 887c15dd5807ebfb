"""Several runs of one program at once: they share the work, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from webgeist.scrape import holders
from webgeist.scrape.holders import Holder, this_process
from webgeist.scrape.keys import make_key
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from tests.scrape.making import Lab

ROOT = Path(__file__).parent.parent.parent
WORKER = """
import sys
from webgeist import Run
with Run("program", store=sys.argv[1]) as run:
    for number in range(int(sys.argv[2])):
        for _ in run.skip_block("Outer", number):
            for inner in range(3):
                for _ in run.skip_block("Inner", inner, within="Outer"):
                    run.output(outer=number, inner=inner, worker=sys.argv[3])
    print(run.counts.committed)
"""


def workers(lab: Lab, count: int, blocks: int) -> list[subprocess.Popen[str]]:
    return [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(lab.store), str(blocks), str(number)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for number in range(count)
    ]


def test_processes_share_the_work(either_lab: Lab) -> None:
    started = workers(either_lab, 3, 30)
    done = [int(worker.communicate()[0]) for worker in started]
    assert [worker.returncode for worker in started] == [0, 0, 0]
    rows = Counter((row["outer"], row["inner"]) for row in either_lab.rows())
    assert rows == Counter({(o, i): 1 for o in range(30) for i in range(3)})
    assert sum(done) == 30 * 4


def test_a_block_that_another_run_holds_is_passed_over(either_lab: Lab) -> None:
    with ExitStack() as stack:
        first, second = (stack.enter_context(either_lab.run()) for _ in range(2))
        for _ in first.skip_block("B", 1):
            assert not second.skip("B", 1, lambda: None)
            assert second.skip("B", 2, lambda: second.output(by="second"))
        assert not first.skip("B", 2, lambda: None)
        assert second.counts.held_by_others == 1


def logical(lab: Lab) -> int:
    log = SqlLog(lab.store)
    with log.database.ask() as connection:
        found: int = connection.execute(sa.text("SELECT logical FROM scrape_programs")).scalar_one()
    log.close()
    return found


def test_two_runs_are_one_full_run(either_lab: Lab) -> None:
    with either_lab.run() as first, either_lab.run() as second:
        for _ in first.skip_block("B", 1):
            second.skip("B", 1, lambda: None)
    assert logical(either_lab) == 1


def test_the_clock_waits_for_who_holds_something(either_lab: Lab) -> None:
    """A run that passed over a block that was never done has not seen everything."""
    first = either_lab.run().__enter__()
    block = iter(first.skip_block("B", 1))
    next(block)
    with either_lab.run() as second:
        second.skip("B", 1, lambda: None)
    assert logical(either_lab) == 0
    next(block, None)
    first.__exit__(None, None, None)
    assert logical(either_lab) == 1


def test_a_block_that_was_left_is_free(either_lab: Lab) -> None:
    with either_lab.run() as first, either_lab.run() as second:
        for _ in first.skip_block("B", 1):
            break
        first.skip("Other", 1, lambda: None)  # the next question gives it back
        assert second.skip("B", 1, lambda: None)


class Elsewhere:
    """A run that holds block B 1, and that the log takes for another process's."""

    def __init__(self, lab: Lab, holder: Holder) -> None:
        self._lab = lab
        self._run = lab.run().__enter__()
        self._block = iter(self._run.skip_block("B", 1))
        next(self._block)
        self._run.output(by="the first")
        self.change("machine = :machine, process = :process", **asdict(holder))

    def change(self, what: str, **values: object) -> None:
        log = SqlLog(self._lab.store)
        with log.database.change() as connection:
            connection.execute(sa.text(f"UPDATE scrape_runs SET {what}"), values)
        log.close()

    def end(self) -> None:
        assert next(self._block, None) is None
        self._run.__exit__(None, None, None)


def test_what_a_dead_process_held_is_free_at_once(either_lab: Lab) -> None:
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    first = Elsewhere(either_lab, Holder(this_process().machine, f"{gone.pid} 1"))
    with either_lab.run() as run:
        assert run.skip("B", 1, lambda: run.output(by="the second"))
    first.end()  # too late: it was taken over
    assert either_lab.rows() == [{"by": "the second"}]


def test_what_another_machine_holds_is_free_after_a_while(either_lab: Lab) -> None:
    first = Elsewhere(either_lab, Holder("another machine", "1 1"))
    with either_lab.run() as run:
        assert not run.skip("B", 1, lambda: None)
    first.change("alive_until = 0")
    with either_lab.run() as run:
        assert run.skip("B", 1, lambda: run.output(by="the second"))
    first.end()
    assert either_lab.rows() == [{"by": "the second"}]


def test_what_was_written_before_it_was_taken_is_seen(either_lab: Lab) -> None:
    """Between the question and the lease another run may have done the block."""
    log, key = SqlLog(either_lab.store), make_key("B", [1])
    begun = log.begin("program", 0.0, this_process())
    known = log.records(begun, key)
    with either_lab.run() as other:
        assert other.skip("B", 1, lambda: None)
    held = log.take(begun, key, "1", known)
    assert held is not None
    assert len(held) == 1
    log.give_back(begun, key, "1")
    assert log.take(begun, key, "2", held) == held
    assert log.take(begun, key, "3", held) is None
    log.close()


def test_holders() -> None:
    own = this_process()
    assert not own.is_gone()
    assert Holder(own.machine, f"{os.getpid()} 1").is_gone()  # its number was given again
    assert not Holder("another machine", "1 1").is_gone()
    child = subprocess.Popen(["sleep", "60"])
    named = Holder(own.machine, holders._named(child.pid) or "")
    assert not named.is_gone()
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert named.is_gone()


def test_a_process_that_nobody_waited_for_is_gone() -> None:
    child = subprocess.Popen(["sleep", "60"])
    named = Holder(this_process().machine, holders._named(child.pid) or "")
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert named.is_gone()
    child.wait()
