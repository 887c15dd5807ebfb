"""Which table files a publish writes anew, and which it leaves as they are.

Files grow in tiers, each `FANOUT` times larger than the one below. New rows are merged with the
files of their tier and below as soon as there are `FANOUT` of them: so a row is written again once
per tier, and a release has few files. A file at `FULL` row groups is never touched again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FANOUT = 4
FULL = 32  # row groups of one file


def files_to_merge(fresh: int, rows: Sequence[int], row_group: int) -> list[int]:
    """The numbers of those files, with `rows` rows each, that `fresh` new rows are merged with."""
    full = FULL * row_group
    merged: list[int] = []
    total = fresh
    while True:
        small = [
            number
            for number, count in enumerate(rows)
            if number not in merged and 2 * count <= full and _tier(count) <= _tier(total)
        ]
        if not small or len(small) + 1 < FANOUT:
            return sorted(merged)
        merged += small
        total += sum(rows[number] for number in small)


def _tier(rows: int) -> int:
    """0 for the smallest files, 1 from `FANOUT` rows on, 2 from `FANOUT` squared on …"""
    tier = 0
    while rows >= FANOUT:
        rows //= FANOUT
        tier += 1
    return tier
