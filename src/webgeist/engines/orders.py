"""What a foreman asks of workers, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.repository.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webgeist.analyses.group import Member

ALIVE = {"alive": True}  # a worker's word that it goes on with something that takes long


@dataclass(frozen=True)
class Order:
    """Analyses (name and version) to be run on a capture, or on a group with this name."""

    members: tuple[Member, ...]
    analyses: Mapping[str, str]
    name: str = ""

    def message(self, analyses: list[str]) -> dict[str, Any]:
        """The same for some of the analyses, as a worker hears it."""
        members = [(each.capture, each.url, each.time.isoformat()) for each in self.members]
        return {"name": self.name, "members": members, "analyses": analyses}

    def results(self, ended: Ended) -> tuple[Result, ...]:
        """A result for each capture; what a group took is shared by all."""
        version, ms = self.analyses[ended.analysis], ended.ms / len(self.members)
        return tuple(
            Result(
                capture=each.capture,
                analysis=ended.analysis,
                version=version,
                outcome=ended.outcome,
                reason=ended.reason,
                rows=ended.rows.get(each.capture, 0),
                ms=ms,
            )
            for each in self.members
        )


@dataclass(frozen=True)
class Ended:
    """How an analysis ended, and how many rows it has for which capture."""

    analysis: str
    outcome: str
    reason: str
    rows: Mapping[str, int]
    ms: float


@dataclass(frozen=True)
class Made:
    """The results of one analysis; `rows` is an Arrow stream, empty where there are none."""

    results: tuple[Result, ...]
    rows: bytes
