"""What is wrong with a rule file, and where."""

from __future__ import annotations

from typing import NamedTuple

from webgeist.errors import UsageError


class Place(NamedTuple):
    """Where something stands: the file (or what stands for it), line and column from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class RuleError(UsageError):
    """A rule file that cannot be used. `place` says where; the message begins with it."""

    def __init__(self, message: str, place: Place, *, remedy: str | None = None) -> None:
        super().__init__(f"{place}: {message}", remedy=remedy)
        self.place = place
