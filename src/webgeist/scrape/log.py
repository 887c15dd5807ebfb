"""What a run asks of its commit log. Each call is one transaction, or one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webgeist.scrape.freshness import Record
    from webgeist.scrape.holders import Holder
    from webgeist.scrape.keys import Key
    from webgeist.scrape.rows import Draft, Row


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that has begun: its number, and the logical time that it is in."""

    program: int
    run: int
    logical: int


@dataclass(frozen=True, slots=True)
class Done:
    """A block that reached its end: what is written down of it."""

    key: Key
    token: str
    record: Record
    rows: Sequence[Draft]


@dataclass(slots=True)
class Visits:
    """How often a run came to blocks of a name, and what became of them."""

    entered: int = 0
    skipped: int = 0
    committed: int = 0


class Log(Protocol):
    """A commit log with its output rows. `Begun` says on whose behalf a call is made."""

    def begin(self, program: str, time: float, holder: Holder) -> Begun:
        """A new run of a program, which is made if it is not known."""

    def records(self, begun: Begun, key: Key) -> list[Record]:
        """All commit records of a key, in the order in which they were written."""

    def take(self, begun: Begun, key: Key, token: str, known: list[Record]) -> list[Record] | None:
        """Hold a block for this run alone: its records from then on, of which some were `known`.
        None where a run that is alive holds it.
        """

    def give_back(self, begun: Begun, key: Key, token: str) -> None:
        """Let others have a block that was not done."""

    def commit(self, begun: Begun, done: Done, *, durable: bool) -> bool:
        """Write a record and its rows, if the block is still held; False: others have it now."""

    def output(self, begun: Begun, row: Draft) -> None:
        """A row that belongs to no block."""

    def stay(self, begun: Begun) -> None:
        """Say that the run is alive, and wait until everything before is on the disk."""

    def end(self, begun: Begun, time: float, outcome: str, visits: Mapping[str, Visits]) -> None:
        """The run is over. The logical clock advances when the outcome is `full`."""

    def rows(self, program: str) -> Iterator[Row]:
        """The permanent rows of a program, in the order in which they became so."""

    def close(self) -> None: ...
