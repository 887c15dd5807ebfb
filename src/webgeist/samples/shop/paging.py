"""Numbered pages: which part of a list, and which numbers to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list. `numbers` has None where an ellipsis stands."""

    items: list[T]
    number: int
    last: int
    total: int
    before: int  # items on the pages before this one

    @property
    def numbers(self) -> list[int | None]:
        near = {1, self.last, *range(self.number - 1, self.number + 2)}
        shown = sorted(number for number in near if 1 <= number <= self.last)
        numbers: list[int | None] = []
        for number in shown:
            if numbers and numbers[-1] != number - 1:
                numbers.append(None)
            numbers.append(number)
        return numbers


def page(items: list[T], number: int, size: int) -> Page[T] | None:
    """The page with this number, or nothing where there is none. Page 1 always exists."""
    last = max(1, -(-len(items) // size))
    if not 1 <= number <= last:
        return None
    before = (number - 1) * size
    return Page(items[before : before + size], number, last, len(items), before)
