"""Whether analysing and publishing a page takes as long in a large repository as in a small one.

Real captures are added again and again under other times. The whole way is taken with all of them
at once, for 500 and for 5,000 pages. CPU time counts, of this process and the workers: the two
sizes are minutes apart, and the machine is not the same for both.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.added import new_repository
from benchmarks.committing import fill, unrecorded
from benchmarks.shelf import captures
from benchmarks.spread import load
from webgeist.engines.analysing import Analysing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.model import Capture

BAR = 1.3
_MOST_NODES = 400  # small pages: 5,000 of them are to be analysed in a quarter of an hour


def run(*, short: bool) -> dict[str, Any]:
    sizes = (40, 160) if short else (500, 5_000)
    originals = asyncio.run(_originals())
    found = [_measured(originals, size) for size in sizes]
    small, large = found
    return {
        "growth_pages": list(sizes),
        "analyse_ms_per_page": [each[0] for each in found],
        "publish_ms_per_page": [each[1] for each in found],
        "analyse_growth": large[0] / small[0],
        "publish_growth": large[1] / small[1],
        "growth": sum(large) / sum(small),
        "growth_load": load(),
    }


async def _originals() -> list[Capture]:
    async with captures(40) as taken:
        found = unrecorded([each.capture for each in taken])
    return [capture for capture in found if 0 < capture.info.nodes <= _MOST_NODES]


def _measured(originals: Sequence[Capture], size: int) -> tuple[float, float]:
    """Milliseconds of CPU a page for analysing and for publishing."""
    with new_repository() as repository:
        fill(repository, originals, size)
        started = _cpu()
        Analysing(repository).run()
        analysed = _cpu()
        repository.publish()
        published = _cpu()
    found = ((analysed - started) * 1000 / size, (published - analysed) * 1000 / size)
    print(f"  {size} pages: {found[0]:.0f} + {found[1]:.0f} ms a page", file=sys.stderr)
    return found


def _cpu() -> float:
    """Seconds, with those of workers that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def report(figures: dict[str, Any]) -> list[str]:
    small, large = figures["growth_pages"]
    analyse, publish = figures["analyse_ms_per_page"], figures["publish_ms_per_page"]
    rows = (
        ("analysing", *analyse, figures["analyse_growth"]),
        ("publishing", *publish, figures["publish_growth"]),
        ("together", analyse[0] + publish[0], analyse[1] + publish[1], figures["growth"]),
    )
    return [
        f"Milliseconds of CPU a page in a larger repository ({figures['growth_load']}), bar {BAR}x",
        "",
        f"| | {small:,} pages | {large:,} pages | ratio |",
        "|---|--:|--:|--:|",
        *(f"| {name} | {a:.0f} | {b:.0f} | {ratio:.2f}x |" for name, a, b, ratio in rows),
    ]
