"""The CPU time of all analyses of a page beside that of capturing it, in one run.

Captures are taken without a recorder, one after another, and analysed at once in this process, with
one thread, as a worker does. GIST alone, and the hierarchy of a page of about 5,000 nodes, are
measured by themselves.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np

from benchmarks import pages
from benchmarks.meter import Meter
from benchmarks.spread import load, spread
from benchmarks.studio import NONE, camera
from webgeist.analyses.analysis import Analysis, Subject
from webgeist.analyses.features.crops import crops
from webgeist.analyses.features.gabor import SIZE
from webgeist.analyses.features.gist import gist
from webgeist.analyses.features.layout import Census
from webgeist.analyses.registry import analyses
from webgeist.capture.target import parse_target
from webgeist.page.hierarchy import hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.model import Capture

RATIO_BAR, PAGE_BAR, GIST_BAR, HIERARCHY_BAR = 0.25, 150, 1.5, 60
_SMALL = (150, 450)  # nodes of the pages that count as those of about 250
_LARGE = 5_000
_ROUNDS = 3


class Cost(NamedTuple):
    """Milliseconds of CPU of one page."""

    nodes: int
    blocks: int
    capture: float
    analyses: dict[str, float]

    @property
    def all(self) -> float:
        return sum(self.analyses.values())


def run(*, short: bool) -> dict[str, Any]:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    cv2.setNumThreads(1)
    taken = asyncio.run(_capture(12 if short else 90))
    census = Census()
    for capture, _ in taken:
        census.add(_page(capture))
    known, _ = analyses(census.layout())
    alone = [each for each in known.values() if isinstance(each, Analysis)]
    costs = [_cost(capture, ms, alone) for capture, ms in taken]
    small = [cost for cost in costs if _SMALL[0] <= cost.nodes <= _SMALL[1]]
    whole = sum(cost.all for cost in costs)
    return {
        "pages": len(costs),
        "analysis_cpu_over_capture_cpu": whole / sum(cost.capture for cost in costs),
        "ratio_quartiles": _quartiles([cost.all / cost.capture for cost in costs]),
        "ms_cpu_per_page": whole / len(costs),
        "ms_cpu_capture": sum(cost.capture for cost in costs) / len(costs),
        "nodes_per_page": sum(cost.nodes for cost in costs) / len(costs),
        "blocks_per_page": sum(cost.blocks for cost in costs) / len(costs),
        "ms_cpu_small_page": spread(cost.all for cost in small).median,
        "small_pages": len(small),
        "small_blocks": spread(cost.blocks for cost in small).median,
        "ms_cpu_gist_per_block": _gist([capture for capture, _ in taken]),
        "ms_cpu_hierarchy_5000": _hierarchy([capture for capture, _ in taken]),
        "ms_cpu_by_analysis": {
            name: sum(cost.analyses[name] for cost in costs) / len(costs)
            for name in costs[0].analyses
        },
        "cost_load": load(),
    }


async def _capture(count: int) -> list[tuple[Capture, float]]:
    """Captures of different pages, each with the CPU milliseconds that it took."""
    taken: list[tuple[Capture, float]] = []
    meter = Meter()
    with pages.serve(pages.fetch()) as base, TemporaryDirectory() as folder:
        meter.left_out = {child.pid for child in _children()}
        async with camera(NONE, Path(folder)) as taking:
            for path in pages.theme_pages(per_package=16)[:count]:
                before = meter.cpu()
                capture = await taking.capture(parse_target(f"{base}/{path}"))
                ms = (meter.cpu() - before) * 1000
                if capture.page is not None and capture.screenshot is not None:
                    taken.append((capture, ms))
                if len(taken) % 10 == 0:
                    print(f"  {len(taken)} pages", file=sys.stderr)
    return taken


def _children() -> list[Any]:
    import psutil

    return psutil.Process().children(recursive=True)


def _page(capture: Capture) -> Any:
    assert capture.page is not None
    return capture.page


def _cost(capture: Capture, ms: float, known: Sequence[Analysis]) -> Cost:
    """Each analysis is charged for what it was the first to need. The quickest of some rounds."""
    rounds = []
    for _ in range(_ROUNDS):
        subject = Subject(capture)
        spent = {}
        for analysis in known:
            before = time.process_time()
            rows = analysis.rows(subject)
            spent[analysis.name] = (time.process_time() - before) * 1000
        rounds.append(spent)
    best = min(rounds, key=lambda each: sum(each.values()))
    return Cost(capture.info.nodes, rows.num_rows, ms, best)


def _gist(taken: Sequence[Capture]) -> float:
    """Of distinct crops, in pages' portions."""
    spent, blocks = 0.0, 0
    for capture in taken[:40]:
        subject = Subject(capture)
        cut = crops(subject.picture, subject.boxes, SIZE)
        distinct = np.unique(cut.reshape(len(cut), -1), axis=0).reshape(-1, *cut.shape[1:])
        before = time.process_time()
        gist(distinct)
        spent += time.process_time() - before
        blocks += len(distinct)
    return spent * 1000 / blocks


def _hierarchy(taken: Sequence[Capture]) -> float:
    """Of the page nearest to 5,000 nodes, brought to that number."""
    from webgeist.page.model import Page

    nearest = min(taken, key=lambda capture: abs(capture.info.nodes - _LARGE))
    page = _page(nearest)
    spent = []
    for _ in range(5):
        fresh = Page(page.nodes, page.styles_inherited, page.styles_own, page.documents)
        before = time.process_time()
        hierarchy(fresh)
        spent.append((time.process_time() - before) * 1000)
    return spread(spent).median * _LARGE / len(page)


def _quartiles(values: list[float]) -> list[float]:
    found = spread(values)
    return [found.low, found.median, found.high]


def report(figures: dict[str, Any]) -> list[str]:
    low, middle, high = figures["ratio_quartiles"]
    each = ", ".join(f"{name} {ms:.0f}" for name, ms in figures["ms_cpu_by_analysis"].items())
    size = f"{figures['nodes_per_page']:.0f} nodes, {figures['blocks_per_page']:.0f} blocks"
    small = f"{figures['small_pages']} pages, median {figures['small_blocks']:.0f} blocks"
    ratio = f"{figures['analysis_cpu_over_capture_cpu']:.2f}x"
    rows = (
        (
            f"all analyses over capturing, {figures['pages']} pages",
            f"{ratio} (pages: {low:.2f} to {high:.2f}, median {middle:.2f})",
            f"{RATIO_BAR}x",
        ),
        (
            f"all analyses of a page ({size} on average)",
            f"{figures['ms_cpu_per_page']:.0f} ms CPU ({each})",
            "",
        ),
        (
            f"of pages with about 250 nodes ({small})",
            f"{figures['ms_cpu_small_page']:.0f} ms CPU",
            f"{PAGE_BAR} ms",
        ),
        ("GIST of a block", f"{figures['ms_cpu_gist_per_block']:.2f} ms CPU", f"{GIST_BAR} ms"),
        (
            "hierarchy of 5,000 nodes",
            f"{figures['ms_cpu_hierarchy_5000']:.0f} ms CPU",
            f"{HIERARCHY_BAR} ms",
        ),
    )
    return [
        f"What analyses cost ({figures['cost_load']})",
        "",
        "| what | measured | bar |",
        "|---|--:|--:|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
