"""Stopping a loop that only meets what is known: feeds whose new entries stand at the head."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")


class Duplicates:
    """Counts blocks in a row that were skipped as duplicates, at the level of the loop.

    A duplicate is what an earlier full run has committed, or what this run has met before. Blocks
    that were skipped because this run goes on after a failure do not count: behind them lies what
    was not reached then.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.in_a_row = 0

    @property
    def reached(self) -> bool:
        """Whether it is time to stop."""
        return self.in_a_row >= self.most

    def over(self, items: Iterable[T]) -> Iterator[T]:
        """The items, until so many blocks in a row were duplicates."""
        for item in items:
            yield item
            if self.reached:
                return

    def saw(self, *, duplicate: bool) -> None:
        self.in_a_row = self.in_a_row + 1 if duplicate else 0
