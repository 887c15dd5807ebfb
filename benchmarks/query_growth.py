"""Whether the time of a query grows no faster than the data, from 2 to 14 million nodes."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks.query_paper import QUESTIONS
from benchmarks.query_world import repository_of
from benchmarks.spread import load, spread
from webgeist.query.ask import ask
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

_SIZES, _SHORT_SIZES = (2_000_000, 14_000_000), (100_000, 700_000)
_ROUNDS = 5


def run(*, short: bool) -> dict[str, Any]:
    found = [_times(repository_of(size)) for size in (_SHORT_SIZES if short else _SIZES)]
    (few, small), (many, large) = found
    rows = [
        {
            "name": question.name,
            "small_ms": small[question.name],
            "large_ms": large[question.name],
            "growth": large[question.name] / small[question.name],
        }
        for question in QUESTIONS
    ]
    return {"growth_nodes": [few, many], "growth_queries": rows, "growth_load": load()}


def _times(folder: Path) -> tuple[int, dict[str, float]]:
    """Milliseconds of each question, asked before, in a repository with so many nodes."""
    times: dict[str, float] = {}
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        for question in QUESTIONS:
            ask(release, question.dql)
            taken = []
            for _ in range(_ROUNDS):
                started = time.perf_counter()
                ask(release, question.dql)
                taken.append((time.perf_counter() - started) * 1000)
            times[question.name] = spread(taken).median
        nodes = release.manifest.tables["nodes"].rows
    print(f"  {nodes:,} nodes measured", file=sys.stderr)
    return nodes, times


def report(figures: dict[str, Any]) -> list[str]:
    few, many = figures["growth_nodes"]
    return [
        f"From {few:,} to {many:,} nodes, {many / few:.1f}x ({figures['growth_load']})",
        "",
        "| query | ms | ms | ratio |",
        "|---|--:|--:|--:|",
        *(
            f"| {row['name']} | {row['small_ms']:.1f} | {row['large_ms']:.1f} "
            f"| {row['growth']:.1f}x |"
            for row in figures["growth_queries"]
        ),
    ]
