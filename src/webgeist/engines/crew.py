"""Worker processes that analyse captures, each with a thread here that speaks to it.

A worker that dies or does not answer in time is replaced; the analysis that it was at has that as
its outcome, and what was left of the order goes on.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

from webgeist.engines.frames import EndedError, Receiver, send
from webgeist.engines.orders import ALIVE, Ended, Made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from webgeist.engines.orders import Order

TIMEOUT, CRASHED = "timeout", "crashed"
_START_SECONDS = 60.0  # for importing everything on a busy machine
_END_SECONDS = 5.0
_MANY = 1000  # captures: an analysis of more may be silent for longer
_WAITING = 64  # results that are made but not taken yet: then workers wait
# There is a process for each core: libraries must not have threads of their own.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class Crew:
    """`for made in crew.carry_out(orders)`. Workers end with it."""

    def __init__(self, terms: Mapping[str, Any], workers: int, seconds: float) -> None:
        self._terms = dict(terms)
        self._seconds = seconds
        self._workers = workers
        self._stopped = threading.Event()
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._results: queue.Queue[Made | BaseException | None] = queue.Queue(_WAITING)

    def carry_out(self, orders: Iterable[Order]) -> Iterator[Made]:
        """What is made, as it comes. An error of our own code is raised here."""
        for order in orders:
            self._orders.put(order)
        threads = [threading.Thread(target=self._speak, daemon=True) for _ in range(self._workers)]
        for thread in threads:
            thread.start()
        try:
            yield from self._taken(len(threads))
        finally:
            self._stopped.set()
            while any(thread.is_alive() for thread in threads):
                self._empty()
                threads[0].join(0.01)
                threads = [thread for thread in threads if thread.is_alive()]

    def _taken(self, speaking: int) -> Iterator[Made]:
        while speaking:
            made = self._results.get()
            if made is None:
                speaking -= 1
            elif isinstance(made, BaseException):
                raise made
            else:
                yield made

    def _empty(self) -> None:
        """So that nobody waits for room."""
        try:
            while True:
                self._results.get_nowait()
        except queue.Empty:
            return

    def _speak(self) -> None:
        """One thread: takes orders and has its worker carry them out."""
        worker: _Worker | None = None
        try:
            while not self._stopped.is_set():
                order = self._orders.get_nowait()
                worker = self._carry_out(order, worker)
        except queue.Empty:
            pass
        except BaseException as error:  # noqa: BLE001 - raised in the thread that waits for results
            self._results.put(error)
        finally:
            if worker is not None:
                worker.close()
            self._results.put(None)

    def _carry_out(self, order: Order, worker: _Worker | None) -> _Worker | None:
        """Have one order carried out to its end, by as many workers as it takes."""
        left = list(order.analyses)
        seconds = self._seconds * max(1, len(order.members) / _MANY)
        while left and not self._stopped.is_set():
            worker = worker or _Worker(self._terms)
            try:
                worker.ask(order.message(left))
                while left:
                    ended, rows = worker.answer(seconds)
                    left.remove(ended.analysis)
                    self._results.put(Made(order.results(ended), rows))
            except (TimeoutError, EndedError) as error:
                ended = _lost(left.pop(0), error, seconds, worker)
                self._results.put(Made(order.results(ended), b""))
                worker = None
        return worker


def _lost(analysis: str, error: Exception, seconds: float, worker: _Worker) -> Ended:
    """The analysis that a worker was at when it was given up."""
    code = worker.kill()
    if isinstance(error, TimeoutError):
        return Ended(analysis, TIMEOUT, f"no answer within {seconds:g} s", {}, seconds * 1000)
    return Ended(analysis, CRASHED, f"its process ended (code {code})", {}, 0.0)


class _Worker:
    """One worker process."""

    def __init__(self, terms: Mapping[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "webgeist.engines.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_ONE_THREAD},
            start_new_session=True,  # Ctrl-C is the foreman's to hear
        )
        assert self._process.stdin is not None  # noqa: S101 - started with a pipe
        assert self._process.stdout is not None  # noqa: S101 - started with a pipe
        self._to = self._process.stdin
        self._from = self._process.stdout
        self._answers = Receiver(self._from.fileno())
        self._fresh = True
        send(self._to.fileno(), dict(terms))

    def ask(self, order: dict[str, Any]) -> None:
        send(self._to.fileno(), order)

    def answer(self, seconds: float) -> tuple[Ended, bytes]:
        """How an analysis ended, and its rows. TimeoutError: it says nothing any more."""
        while True:
            head, rows = self._answers.receive(seconds + _START_SECONDS * self._fresh)
            self._fresh = False
            if head != ALIVE:
                return Ended(**head), rows

    def kill(self) -> int:
        """End it at once; its exit code, or the signal that killed it, negative."""
        self._process.kill()
        return self.close()

    def close(self) -> int:
        """Let it end, and wait until it has."""
        self._to.close()
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._from.close()
        return code


def repository_terms(folder: Path, layout: str | None) -> dict[str, Any]:
    """What a worker is told first."""
    return {"repository": str(folder), "layout": layout}
