"""The sample web's own time: it stands still until somebody moves it, so pages are deterministic."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Clock:
    """What time it is in the sample web. Sites ask `now`; tests and the demo move it."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    @property
    def days(self) -> int:
        """Whole days since the sample web began: the version number of pages that change daily."""
        return (self.now - START).days

    def advance(self, delta: timedelta) -> None:
        self.now += delta
