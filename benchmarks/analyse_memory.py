"""What a worker needs for a page of 50,000 nodes, all analyses of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.spread import load
from benchmarks.studio import settings

BAR_MB = 1_000
_ROWS = 7_200  # of a table with seven nodes in each
_SCRIPT = """
import sys
from benchmarks.meter import peak_memory_mb
import webgeist
from webgeist.analyses.analysis import Subject
from webgeist.analyses.features.layout import Census
from webgeist.analyses.registry import analyses
subject = Subject(webgeist.open_capture(sys.argv[1]))
before = peak_memory_mb()
census = Census()
census.add(subject.page)
for analysis in analyses(census.layout())[0].values():
    rows = analysis.rows(subject).num_rows
print(len(subject.page), rows, before, peak_memory_mb())
"""


def run(*, short: bool) -> dict[str, Any]:
    import webgeist

    rows = "".join(
        f"<tr><td>{n}<td><a href=/{n}>link</a><td>word" for n in range(500 if short else _ROWS)
    )
    with TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(f"<!doctype html><body><table>{rows}</table>")
        capture = webgeist.capture(page, url="http://example.org/", settings=settings())
        saved = capture.save(Path(folder, "capture"))
        said = subprocess.run(
            [sys.executable, "-c", _SCRIPT, str(saved)], check=True, capture_output=True, text=True
        ).stdout.split()
    return {
        "large_nodes": int(said[0]),
        "large_blocks": int(said[1]),
        "worker_peak_mb": float(said[3]),
        "worker_before_mb": float(said[2]),
        "memory_load": load(),
    }


def report(figures: dict[str, Any]) -> list[str]:
    size = f"{figures['large_nodes']:,} nodes, {figures['large_blocks']:,} blocks"
    peak = f"{figures['worker_peak_mb']:.0f} MB, {figures['worker_before_mb']:.0f} before"
    return [f"Memory of a worker for a page of {size}: at most {peak}; bar {BAR_MB} MB"]
