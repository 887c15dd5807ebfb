"""Sees to it, beside a run, that others know it is alive and that what it wrote is on the disk."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from webgeist.errors import WebgeistError
from webgeist.scrape.holders import ALIVE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.scrape.log import Begun, Log

SYNC_SECONDS = 1.0  # what a power cut may take back, whole blocks from the end


class Keeper:
    """A thread that lives as long as a run. `wants_sync` says whether the next change must wait
    for the disk: those that come less than a second after one that did are left to the thread.
    """

    def __init__(self, log: Log, begun: Begun, tidy: Callable[[], None]) -> None:
        self._log = log
        self._begun = begun
        self._tidy = tidy
        self._stop = threading.Event()
        self._synced = self._said = time.monotonic()
        self._behind = False
        self._error: WebgeistError | None = None
        self._thread = threading.Thread(target=self._work, name="webgeist-run", daemon=True)
        self._thread.start()

    def wants_sync(self) -> bool:
        """Raises what went wrong beside the run, so that it ends."""
        if self._error is not None:
            raise self._error
        return time.monotonic() - self._synced >= SYNC_SECONDS

    def wrote(self, *, durable: bool) -> None:
        self._behind = not durable
        if durable:
            self._synced = time.monotonic()

    def sync(self) -> None:
        """Wait until everything so far is on the disk."""
        if self._behind:
            self._say()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stop.wait(SYNC_SECONDS):
            try:
                self._tidy()
                if self._behind or time.monotonic() - self._said > ALIVE_SECONDS / 3:
                    self._say()
            except WebgeistError as error:
                self._error = error
                return

    def _say(self) -> None:
        self._behind = False  # what is written from here on needs another time
        self._log.stay(self._begun)
        self._synced = self._said = time.monotonic()
