"""Whether recorders hold on to memory: after thousands of pages, and with one very large body."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks import pages
from benchmarks.spread import load
from benchmarks.studio import BROWSER, PROXY

_PAGE = "startbootstrap-clean-blog/package/dist/index.html"
_BROWSERS_MOST = 30_000_000  # it records no longer body than 32 MiB
_FLAT = 1.1  # the last of three marks over the second


def run(*, short: bool) -> dict[str, Any]:
    many, some = ((20, 100, 200), (3, 6, 12)) if short else ((500, 2500, 5000), (15, 45, 90))
    sizes = {PROXY: 50_000_000 if short else 1_000_000_000, BROWSER: _BROWSERS_MOST}
    before = load()
    with pages.serve(pages.fetch()) as base:
        flat = {"proxy, plain client": _child("loads", base, *many)}
        for form in sizes:
            flat[f"{form}, Chromium"] = _child("pages", form, f"{base}/{_PAGE}", *some)
    with pages.stream_address() as base:
        large = {form: _child("large", form, base, size) for form, size in sizes.items()}
    return {"load": [before, load()], "flat": flat, "large": large, "bytes": sizes}


def _child(*arguments: Any) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.loading", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    print(f"  {' '.join(map(str, arguments[:2]))}: {figures}", file=sys.stderr)
    return figures


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"Memory of the recording process, in MB ({', '.join(figures['load'])})",
        "",
        "| recorder | after so many pages | last over middle |",
        "|---|--:|--:|",
    ]
    for name, found in figures["flat"].items():
        marks = ", ".join(f"{count}: {memory:.0f}" for count, memory in found.items())
        _, middle, last = found.values()
        lines.append(f"| {name} | {marks} | {last / middle:.2f}x (bar {_FLAT}x) |")
    lines += ["", "| recorder | body | before | peak, recorded | peak, archived |"]
    lines.append("|---|--:|--:|--:|--:|")
    for form, found in figures["large"].items():
        size = figures["bytes"][form] / 1_000_000
        columns = " | ".join(f"{memory:.0f}" for memory in found.values())
        lines.append(f"| {form} | {size:,.0f} MB | {columns} |")
    return lines
