"""What the REST API does: one node, 200 clients at once, and streams, on a release of 2 M nodes.

The server is `webgeist serve` in a process of its own; clients are in this one, or in one of their
own, and the machine does both. So what a request costs the server is told as CPU time too. Lower
bounds in the same run: the same node from the release without HTTP, the same rows without either.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import psutil
import pyarrow as pa

from benchmarks.added import new_repository
from benchmarks.analyse_access import count_of
from benchmarks.committing import fill, unrecorded
from benchmarks.shelf import captures
from benchmarks.spread import load, spread
from webgeist.repository.export.jsontext import json_lines
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.repository.release import Release

PARTS = ("node", "clients", "streams")
NODE_BAR, NDJSON_BAR, ARROW_BAR, FLAT_BAR = 15, 50_000, 500_000, 1.1
_NODES = 2_000_000
_ROUNDS = 3
_NODE_COLUMNS = "capture,node,parent,name,text,x,y,width,height,style_inherited,style_own"


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    parts = [only] if only else list(PARTS)
    return asyncio.run(_run(parts, short=short))


async def _run(parts: list[str], *, short: bool) -> dict[str, Any]:
    async with captures(12 if short else 40) as taken:
        originals = unrecorded([each.capture for each in taken])
    with new_repository() as repository:
        fill(repository, originals, count_of(originals, 100_000 if short else _NODES))
        repository.publish()
        return measure(repository.path, parts, short=short)


def measure(folder: Path, parts: list[str], *, short: bool) -> dict[str, Any]:
    """The figures of some parts, on a repository that is there."""
    figures: dict[str, Any] = {"load": load(), "parts": parts}
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        figures |= {"captures": len(release), "nodes": release.manifest.tables["nodes"].rows}
        for part in parts:
            print(f"{part}:", file=sys.stderr)
            with _served(folder) as server:
                found = _MEASURES[part](server, release, short)
            print(f"  {found}", file=sys.stderr)
            figures |= found
    return figures


class _Served:
    """A server of its own, and what it took."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        self.url = url
        self.process = process

    def cpu(self) -> float:
        used = self.process.cpu_times()
        return float(used.user + used.system)

    def megabytes(self) -> float:
        return float(self.process.memory_info().rss / 1e6)


@contextmanager
def _served(folder: Path) -> Iterator[_Served]:
    program = Path(sys.executable).parent / "webgeist"
    options = ("serve", "--repo", str(folder), "--port", "0", "--pages-port", "0", "--json")
    with subprocess.Popen([program, *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            said = json.loads("".join(process.stdout.readline() for _ in range(4)))
            yield _Served(said["url"].removesuffix("/v1/"), psutil.Process(process.pid))
        finally:
            process.terminate()


def _chosen(release: Release, count: int) -> list[tuple[str, int]]:
    """Nodes of captures chosen at random, in the middle of each page."""
    table = release.table("captures", ["capture", "nodes"])
    pages = [(row["capture"], row["nodes"] // 2) for row in table.to_pylist() if row["nodes"]]
    return random.Random(7).choices(sorted(pages), k=count)


def _node(server: _Served, release: Release, short: bool) -> dict[str, Any]:
    """One client, one request after the other, each for a node of another page."""
    wanted = _chosen(release, 40 if short else 300)
    release.node(*wanted[0])
    direct, asked = [], []
    with httpx.Client(base_url=server.url) as client:
        client.get(_path(*wanted[0]))
        cpu = server.cpu()
        for capture, node in wanted:  # in turns: both see the same noise
            started = time.perf_counter()
            answer = client.get(_path(capture, node))
            asked.append((time.perf_counter() - started) * 1000)
            assert answer.status_code == 200
            started = time.perf_counter()
            release.node(capture, node)
            direct.append((time.perf_counter() - started) * 1000)
        cpu = (server.cpu() - cpu) * 1000 / len(wanted)
    found, bare = spread(asked), spread(direct)
    return {
        "node_ms": found.median,
        "node_quartiles_ms": [found.low, found.high],
        "node_without_http_ms": bare.median,
        "node_cpu_ms": cpu,
    }


def _path(capture: str, node: int) -> str:
    return f"/v1/pages/{capture}/nodes/{node}.json"


def _clients(server: _Served, release: Release, short: bool) -> dict[str, Any]:
    """200 clients in a process of their own, who never wait: nodes, pages, lists, and queries."""
    seconds = 8 if short else 60
    wanted = [_path(*each) for each in _chosen(release, 400)]
    order = json.dumps({"url": server.url, "clients": 200, "seconds": seconds, "paths": wanted})
    command = [sys.executable, "-m", "benchmarks.serve_clients"]
    cpu, sizes = server.cpu(), [server.megabytes()]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(order)
        process.stdin.close()
        while process.poll() is None:
            time.sleep(seconds / 60)
            sizes.append(server.megabytes())
        figures: dict[str, Any] = json.loads(process.stdout.read())
    third = len(sizes) // 3
    middle, last = max(sizes[third : 2 * third]), max(sizes[2 * third :])
    return figures | {
        "clients_seconds": seconds,
        "clients_cpu_ms": (server.cpu() - cpu) * 1000 / max(1, figures["requests"]),
        "clients_first_mb": sizes[0],
        "clients_middle_mb": middle,
        "clients_last_mb": last,
        "clients_memory_growth": last / middle,
    }


def _streams(server: _Served, release: Release, short: bool) -> dict[str, Any]:
    """All nodes: as NDJSON, and as Arrow; and what it takes to make the same without HTTP."""
    limit = 50_000 if short else 500_000
    rows = min(limit, release.manifest.tables["nodes"].rows)
    figures: dict[str, Any] = {"stream_rows": rows}
    for name, columns in (("all", None), ("some", _NODE_COLUMNS)):
        for form in ("ndjson", "arrow"):
            cpu = server.cpu()
            speeds = [_speed(server, form, columns, rows) for _ in range(_ROUNDS)]
            cpu = (server.cpu() - cpu) / _ROUNDS
            figures[f"{form}_{name}_rows_per_s"] = spread(speeds).median
            figures[f"{form}_{name}_rows_per_cpu_s"] = rows / cpu
    figures["ndjson_without_http_rows_per_s"] = spread(
        _bare(release, rows) for _ in range(3)
    ).median
    return figures


def _speed(server: _Served, form: str, columns: str | None, rows: int) -> float:
    given = {"limit": str(rows)} | ({} if columns is None else {"columns": columns})
    started = time.perf_counter()
    with httpx.stream(
        "GET", f"{server.url}/v1/tables/nodes.{form}", params=given, timeout=600
    ) as answer:
        found = _counted(answer, form)
    seconds = time.perf_counter() - started
    assert found == rows, (found, rows)
    return rows / seconds


def _counted(answer: httpx.Response, form: str) -> int:
    """The rows of an answer; as little work as can be, for the machine does both."""
    pieces = list(answer.iter_raw(1 << 20))
    if form == "ndjson":
        return sum(piece.count(b"\n") for piece in pieces) - 1
    with pa.ipc.open_stream(pa.BufferReader(b"".join(pieces))) as opened:
        return sum(batch.num_rows for batch in opened)


def _bare(release: Release, rows: int) -> float:
    started, found = time.perf_counter(), 0
    for piece in release.stream("nodes"):
        for start in range(0, piece.num_rows, 8_192):
            found += len(json_lines(piece.slice(start, 8_192)))
            if found >= rows:
                return found / (time.perf_counter() - started)
    return found / (time.perf_counter() - started)


_MEASURES = {"node": _node, "clients": _clients, "streams": _streams}


def report(figures: dict[str, Any]) -> str:
    rows = [row for part in figures["parts"] for row in _REPORTS[part](figures)]
    size = f"{figures['captures']:,} captures, {figures['nodes']:,} nodes"
    return "\n".join(
        [
            f"REST API over a release of {size} ({figures['load']})",
            "",
            "| what | measured | bar |",
            "|---|--:|--:|",
            *(f"| {' | '.join(row)} |" for row in rows),
        ]
    )


def _node_rows(figures: dict[str, Any]) -> list[tuple[str, str, str]]:
    low, high = figures["node_quartiles_ms"]
    said = f"{figures['node_ms']:.1f} ms ({low:.1f} to {high:.1f})"
    bare = f"{figures['node_without_http_ms']:.1f} ms"
    return [
        ("one node with all its styles, one client", said, f"{NODE_BAR} ms"),
        ("the same without HTTP, in turns", bare, ""),
        ("CPU of the server for one", f"{figures['node_cpu_ms']:.1f} ms", ""),
    ]


def _client_rows(figures: dict[str, Any]) -> list[tuple[str, str, str]]:
    what = f"200 clients for {figures['clients_seconds']} s"
    asked = f"{figures['requests']:,} ({figures['requests_per_s']:.0f}/s)"
    memory = " → ".join(
        f"{figures[f'clients_{when}_mb']:.0f}" for when in ("first", "middle", "last")
    )
    growth = f"{memory} MB ({figures['clients_memory_growth']:.2f}x)"
    waited = f"{figures['median_ms']:.0f} / {figures['p99_ms']:.0f} ms"
    return [
        (f"{what}: requests", asked, ""),
        ("errors", str(figures["errors"]), "0"),
        ("median and 99th percentile", waited, ""),
        ("memory at first, in the middle third, in the last", growth, f"{FLAT_BAR}x"),
        ("CPU of the server for one request", f"{figures['clients_cpu_ms']:.1f} ms", ""),
    ]


def _stream_rows(figures: dict[str, Any]) -> list[tuple[str, str, str]]:
    def speed(name: str) -> str:
        said = f"{figures[f'{name}_rows_per_s']:,.0f} rows/s"
        cpu = figures.get(f"{name}_rows_per_cpu_s")
        return said if cpu is None else f"{said} ({cpu:,.0f} a second of the server's CPU)"

    return [
        ("nodes as NDJSON, all columns", speed("ndjson_all"), f"{NDJSON_BAR:,}"),
        ("the same without HTTP", speed("ndjson_without_http"), ""),
        ("nodes as NDJSON, 11 columns", speed("ndjson_some"), f"{NDJSON_BAR:,}"),
        ("nodes as Arrow, all columns", speed("arrow_all"), f"{ARROW_BAR:,}"),
        ("nodes as Arrow, 11 columns", speed("arrow_some"), f"{ARROW_BAR:,}"),
    ]


_REPORTS = {"node": _node_rows, "clients": _client_rows, "streams": _stream_rows}
