"""What loading a page gave, not yet decoded, and how far it got."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.capture.metric_files import NO_METRICS
from webgeist.capture.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webgeist.capture.journal import Journal
    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.metrics import Measured
    from webgeist.capture.requests import Request
    from webgeist.capture.screenshot import Screenshot
    from webgeist.capture.settle import Settled


def unnoticed(_: str) -> None:
    """Nobody wants to know how far a capture is."""


@dataclass
class Loaded:
    """What loading a page gave: raw parts, and how it ended."""

    journal: Journal
    metrics: Metrics = NO_METRICS  # to be run
    outcome: Outcome = Outcome.OK
    reason: str = ""
    unfinished: Request | None = None  # the document, if it had not come when its time was up
    settled: Settled | None = None
    snapshot: bytes | None = None
    screenshot: Screenshot | None = None
    measured: Measured | None = None
    unanswered: bool = False  # what answered for the document was the recorder itself
    deadline: float = 0.0  # of the whole, on the loop's clock
    stages_ms: dict[str, float] = field(default_factory=dict)
    on_stage: Callable[[str], None] = unnoticed

    def run_out(self, reason: str) -> None:
        """Time is up. Where only the picture is missing, the page is kept without it."""
        if self.snapshot is None:
            self.outcome, self.reason = Outcome.TIMEOUT, reason
        else:
            self.journal.say("no-picture", reason)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.on_stage(name)
        start = time.monotonic()
        try:
            yield
        finally:
            spent = self.stages_ms.get(name, 0.0) + (time.monotonic() - start) * 1000
            self.stages_ms[name] = round(spent, 1)
