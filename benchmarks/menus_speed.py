"""What mining costs: CPU time a page, the slowest page, growth, memory."""

from __future__ import annotations

import gc
import random
import resource
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.menus_borders import host
from benchmarks.menus_hosts import all_sites
from webgeist.analyses.menus.cliques import Finder
from webgeist.analyses.menus.host import Gathering
from webgeist.analyses.menus.lists import find_lists
from webgeist.analyses.menus.parse import parse_html
from webgeist.analyses.menus.segments import segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.analyses.menus.host import Host
    from webgeist.analyses.menus.tree import LinkTree

_PARSED = 500


def run(*, short: bool) -> dict[str, Any]:
    parse = _parse_ms(50 if short else _PARSED)
    trees = _by_sites(host(short=short))
    gc.freeze()  # that all trees are there is the benchmark's doing: mining keeps none
    wanted = [200, 400, 800] if short else [1_000, 2_000, 5_000, 10_000]
    sizes = tuple(size for size in wanted if size <= len(trees))
    rows = [_measured(trees[:size]) for size in sizes]
    return {
        "parse_ms": parse,
        "speed_pages": list(sizes),
        "speed": rows,
        "growth_exponent": _exponent(
            sizes, [row["all_ms"] * n for n, row in zip(sizes, rows, strict=True)]
        ),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _by_sites(pages: Iterable[tuple[str, LinkTree]]) -> list[LinkTree]:
    """Whole sites, in an order of chance: a part of each would have smaller cliques."""
    sites: dict[str, list[LinkTree]] = {}
    for name, tree in pages:
        sites.setdefault(name, []).append(tree)
    names = sorted(sites)
    random.Random(8).shuffle(names)
    return [tree for name in names for tree in sites[name]]


def _parse_ms(count: int) -> float:
    paths = [path for site in all_sites() for path in sorted(site.root.rglob("*.html"))[:20]]
    data = [path.read_bytes() for path in paths[:: max(1, len(paths) // count)]]
    started = time.process_time()
    for each in data:
        parse_html("http://localhost/a/b.html", each)
    return (time.process_time() - started) * 1000 / len(data)


def _measured(trees: list[LinkTree]) -> dict[str, float]:
    cut = _timed(lambda: [segments(tree) for tree in trees])
    gathering = Gathering()
    numbering = _timed(lambda: _gather(gathering, trees))  # cuts, too
    found: list[Host] = []
    numbering += _timed(lambda: found.append(gathering.host()))
    finder = Finder(found[0])
    slowest = [0.0]
    cliques = _timed(lambda: _look(finder, slowest))
    lists = _timed(lambda: find_lists(found[0]))
    row = {
        "segments_ms": cut,
        "numbering_ms": numbering - cut,
        "cliques_ms": cliques,
        "slowest_ms": slowest[0] * 1000,
        "lists_ms": lists,
    }
    row = {
        name: value if name == "slowest_ms" else value / len(trees) for name, value in row.items()
    }
    row["all_ms"] = row["segments_ms"] + row["numbering_ms"] + row["cliques_ms"]
    print(f"  {len(trees)}: {row}", file=sys.stderr, flush=True)
    return row


def _gather(gathering: Gathering, trees: list[LinkTree]) -> None:
    for tree in trees:
        gathering.add(tree)


def _look(finder: Finder, slowest: list[float]) -> None:
    def watched(page: int) -> None:
        started = time.process_time()
        look(page)
        slowest[0] = max(slowest[0], time.process_time() - started)

    look = finder.look_at
    finder.look_at = watched  # type: ignore[method-assign]
    finder.run()


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _exponent(sizes: tuple[int, ...], totals: list[float]) -> float:
    """The slope of time by pages, both as logarithms: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(totals), 1)[0])


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"Milliseconds of CPU a page; parsing {figures['parse_ms']:.2f} (bar 5)",
        "",
        "| pages | segments | numbering | cliques | together (bar 1) | slowest page | lists |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    keys = ("segments_ms", "numbering_ms", "cliques_ms", "all_ms", "slowest_ms", "lists_ms")
    for size, row in zip(figures["speed_pages"], figures["speed"], strict=True):
        lines.append(f"| {size:,} | " + " | ".join(f"{row[key]:.2f}" for key in keys) + " |")
    growth = f"Growth: pages to the power of {figures['growth_exponent']:.2f} (1 is linear)"
    return [
        *lines,
        "",
        f"{growth}. Peak memory {figures['peak_mb']:,.0f} MB, all pages' trees included.",
    ]
