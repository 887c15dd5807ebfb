"""Ends what takes too long, or is not wanted any more: one thread that watches all statements of a
database.

A thread for each statement would cost more than many statements do. It ends by itself when there
was nothing to watch for a while.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LINGERS = 5.0  # seconds
_AGAIN = 0.05  # seconds: DuckDB does not hear what is said before it begins


class Stop:
    """Says, from any thread, that an answer is not wanted any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: set[Callable[[], None]] = set()
        self.stopped = False

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            ends = list(self._ends)
        for end in ends:
            end()

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """`end` is called when it is stopped, or was, as long as the block runs."""
        with self._lock:
            self._ends.add(end)
            stopped = self.stopped
        try:
            if stopped:
                end()
            yield
        finally:
            with self._lock:
                self._ends.discard(end)


@dataclass(eq=False)
class Watched:
    """Something with a deadline. `ended` says that it was made to end."""

    until: float
    end: Callable[[], None]
    ended: bool = False


@dataclass
class Watch:
    """`with watch.over(seconds, end)`: `end` is called if the block takes longer."""

    _watched: set[Watched] = field(default_factory=set)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _running: bool = False
    _wakes: float = 0.0  # when the thread looks again

    @contextmanager
    def over(self, seconds: float, end: Callable[[], None]) -> Iterator[Watched]:
        one = Watched(time.monotonic() + seconds, end)
        with self._changed:
            self._watched.add(one)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, name="watch", daemon=True).start()
            elif one.until < self._wakes:
                self._changed.notify()
        try:
            yield one
        finally:
            with self._changed:
                self._watched.discard(one)

    def hurry(self, one: Watched) -> None:
        """Its time is over now."""
        with self._changed:
            one.until = 0.0
            self._changed.notify()

    def _run(self) -> None:
        idle_since = time.monotonic()
        with self._changed:
            while True:
                now = time.monotonic()
                for one in [each for each in self._watched if each.until <= now]:
                    one.ended, one.until = True, now + _AGAIN
                    one.end()
                if self._watched:
                    idle_since = now
                elif now - idle_since >= _LINGERS:
                    self._running = False
                    return
                nearest = min((each.until for each in self._watched), default=now + _LINGERS)
                self._wakes = min(nearest, now + _LINGERS)
                self._changed.wait(self._wakes - now)
