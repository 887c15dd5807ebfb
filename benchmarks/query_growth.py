"""Whether the time of a query grows no faster than the data, from 2 to 14 million nodes.

The exponent is that of a power of the number of nodes: 1 is as fast as the data.
"""

from __future__ import annotations

import sys
import time
from math import log
from typing import TYPE_CHECKING, Any

from benchmarks.query_hand import forget
from benchmarks.query_larger import larger
from benchmarks.query_paper import QUESTIONS
from benchmarks.query_world import repository_of
from benchmarks.spread import load, spread
from webgeist.query.ask import ask
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

_NODES, _SHORT_NODES, _TIMES = 2_000_000, 100_000, 7
_ROUNDS = 5


def run(*, short: bool) -> dict[str, Any]:
    nodes = _SHORT_NODES if short else _NODES
    found = [_times(folder) for folder in (repository_of(nodes), larger(nodes, _TIMES))]
    (few, small), (many, large) = found
    rows = [
        {
            "name": question.name,
            "small_ms": small[question.name],
            "large_ms": large[question.name],
            "growth": large[question.name] / small[question.name],
            "exponent": log(large[question.name] / small[question.name]) / log(many / few),
        }
        for question in QUESTIONS
    ]
    return {"growth_nodes": [few, many], "growth_queries": rows, "growth_load": load()}


def _times(folder: Path) -> tuple[int, dict[str, float]]:
    """Milliseconds of each question, as nobody asked before, in a repository with so many nodes."""
    times: dict[str, float] = {}
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        for question in QUESTIONS:
            ask(release, question.dql)
            taken = []
            for _ in range(_ROUNDS):
                forget(release)
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
        "| query | ms | ms | ratio | exponent |",
        "|---|--:|--:|--:|--:|",
        *(
            f"| {row['name']} | {row['small_ms']:.1f} | {row['large_ms']:.1f} "
            f"| {row['growth']:.1f}x | {row['exponent']:.2f} |"
            for row in figures["growth_queries"]
        ),
    ]
