"""The rule of compaction: few files, and every row is written again only a few times."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.plan import FANOUT, FULL, files_to_merge

GROUP = 100


def _publish(rows: list[int], fresh: int) -> tuple[list[int], int]:
    """The files after a publish, and how many rows were written."""
    chosen = files_to_merge(fresh, rows, GROUP)
    total = fresh + sum(rows[number] for number in chosen)
    left = [count for number, count in enumerate(rows) if number not in chosen]
    full = FULL * GROUP
    new = [full] * (total // full) + ([total % full] if total % full else [])
    return left + new, total


def test_few_files_are_left_alone() -> None:
    assert files_to_merge(10, [], GROUP) == []
    assert files_to_merge(10, [10, 10], GROUP) == []
    assert files_to_merge(10, [10, 1000, 10, 10], GROUP) == [0, 2, 3]


def test_full_files_are_never_touched() -> None:
    assert files_to_merge(10_000, [3000, 3200, 2000, 10, 10], GROUP) == []
    assert files_to_merge(10_000, [3200, 1600, 10, 10, 10], GROUP) == [1, 2, 3, 4]


@given(st.lists(st.integers(1, 500), min_size=1, max_size=300))
def test_cost_and_number_of_files_stay_small(publishes: list[int]) -> None:
    files: list[int] = []
    written = 0
    for fresh in publishes:
        files, cost = _publish(files, fresh)
        written += cost
    total = sum(publishes)
    tiers = math.ceil(math.log(FULL * GROUP, FANOUT)) + 1
    assert sum(files) == total
    assert written <= total * tiers
    assert len(files) <= FANOUT * tiers + 2 * total / (FULL * GROUP)


def test_equal_publishes_are_written_once_per_tier() -> None:
    files: list[int] = []
    written = 0
    for _ in range(1000):
        files, cost = _publish(files, 3)
        written += cost
    assert written / 3000 < 7
    assert len(files) < 20
