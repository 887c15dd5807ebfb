"""What it takes to fetch one node or one page from a release of millions of nodes, and its bytes.

Captures are chosen at random and each is asked for once, so nothing of its page was read before.
Pages are also read from the tables alone, as a release of an older webgeist has them.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks.added import new_repository
from benchmarks.committing import fill, unrecorded
from benchmarks.shelf import captures
from benchmarks.spread import load, spread
from webgeist.repository.locks import Pin
from webgeist.repository.release import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository

NODE_BAR, PAGE_BAR, BYTES_BAR, PUBLISH_BAR = 10, 50, 60, 20
_NODES = 2_000_000
_FETCHES = 101
_SIZES = ("capture", "nodes")
_TABLES = ("nodes", "styles_inherited", "styles_own", "packed_pages")


def run(*, short: bool) -> dict[str, Any]:
    return asyncio.run(_run(short=short))


async def _run(*, short: bool) -> dict[str, Any]:
    async with captures(12 if short else 100) as taken:
        originals = unrecorded([each.capture for each in taken])
    with new_repository() as repository:
        fill(repository, originals, count_of(originals, 100_000 if short else _NODES))
        started, cpu = time.perf_counter(), time.process_time()
        repository.publish()
        publish = {
            "publish_seconds": time.perf_counter() - started,
            "publish_cpu_seconds": time.process_time() - cpu,
        }
        print(f"  publish: {publish['publish_seconds']:.1f} s", file=sys.stderr)
        return publish | _figures(repository, 21 if short else _FETCHES) | {"load": load()}


def count_of(originals: Sequence[Capture], nodes: int) -> int:
    """How many captures have that many nodes."""
    once = sum(capture.info.nodes for capture in originals)
    return len(originals) * -(-nodes // once)


class _TablesOnly(Release):
    """A release whose pages are read from the tables."""

    def packed(self, _capture: str) -> None:
        return None


def _figures(repository: Repository, fetches: int) -> dict[str, Any]:
    release = repository.release()
    manifest = release.manifest
    tables = _TablesOnly(repository.layout, manifest, Pin(repository.layout.manifest(1)))
    sizes = dict(
        zip(*(release.table("captures").column(c).to_pylist() for c in _SIZES), strict=True)
    )
    paged = sorted(id_ for id_, nodes in sizes.items() if nodes)
    fetches = min(fetches, len(paged) // 3)
    ids = random.Random(7).sample(paged, 3 * fetches)
    rows = {name: manifest.tables[name].rows for name in _TABLES}
    files = {name: sum(file.bytes for file in manifest.files_of(name)) for name in _TABLES}
    for opened in (release, tables):  # whatever the first time costs: imports, footers
        opened.page(ids[0])
    return {
        "captures": manifest.captures,
        "nodes": rows["nodes"],
        **_named("node", _timed(lambda id_: release.node(id_, sizes[id_] // 2), ids[1:fetches])),
        **_named("page", _timed(release.page, ids[fetches : 2 * fetches])),
        **_named("tables_page", _timed(tables.page, ids[2 * fetches :])),
        **_named("walk", _timed(release.page, sorted(sizes))),
        "bytes_per_node": sum(files.values()) / rows["nodes"],
        "bytes": {name: size / rows["nodes"] for name, size in files.items()},
        "nodes_per_style_vector": rows["nodes"] / (rows["styles_own"] + rows["styles_inherited"]),
        "nodes_per_own_vector": rows["nodes"] / rows["styles_own"],
        "nodes_per_inherited_vector": rows["nodes"] / rows["styles_inherited"],
    }


def _timed(fetch: Callable[[str], object], ids: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each fetch, and those of CPU time."""
    wall, cpu = [], []
    for id_ in ids:
        started, used = time.perf_counter(), time.process_time()
        fetch(id_)
        wall.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - used) * 1000)
    return wall, cpu


def _named(name: str, times: tuple[list[float], list[float]]) -> dict[str, Any]:
    wall, cpu = map(spread, times)
    return {
        f"{name}_ms": wall.median,
        f"{name}_quartiles_ms": [wall.low, wall.high],
        f"{name}_cpu_ms": cpu.median,
    }


def report(figures: dict[str, Any]) -> list[str]:
    size = f"{figures['captures']:,} captures, {figures['nodes']:,} nodes"
    shared = (
        f"{figures['nodes_per_style_vector']:.1f} "
        f"(own {figures['nodes_per_own_vector']:.1f}, "
        f"inherited {figures['nodes_per_inherited_vector']:.1f})"
    )
    parts = ", ".join(f"{name} {size:.1f}" for name, size in figures["bytes"].items())
    rows = (
        ("one node with all its styles", _time(figures, "node"), f"{NODE_BAR} ms"),
        ("all nodes of a page with all styles", _time(figures, "page"), f"{PAGE_BAR} ms"),
        ("the same from the tables alone", _time(figures, "tables_page"), ""),
        ("the same, all pages in their order", _time(figures, "walk"), ""),
        (f"bytes per node ({parts})", f"{figures['bytes_per_node']:.1f}", str(BYTES_BAR)),
        ("nodes per distinct style vector", shared, ""),
        (
            "publishing all of it",
            f"{figures['publish_seconds']:.1f} s ({figures['publish_cpu_seconds']:.1f} s CPU)",
            f"{PUBLISH_BAR} s for 1,000 captures",
        ),
    )
    return [
        f"Fetching from a release of {size} ({figures['load']})",
        "",
        "| what | measured | bar |",
        "|---|--:|--:|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _time(figures: dict[str, Any], name: str) -> str:
    low, high = figures[f"{name}_quartiles_ms"]
    cpu = figures[f"{name}_cpu_ms"]
    return f"{figures[f'{name}_ms']:.1f} ms ({low:.1f} to {high:.1f}; CPU {cpu:.1f})"
