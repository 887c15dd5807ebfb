"""What analyses cost beside capturing, how fast their results are read, and whether it stays so.

The figures of all parts stand beside each other: `analysis_cpu_over_capture_cpu`,
`ms_cpu_per_page`, `bytes_per_node`, …
"""

from __future__ import annotations

from typing import Any

from benchmarks.parts import report_parts, run_parts

PARTS = ("cost", "access", "stream", "growth", "memory")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    return run_parts("analyse", [only] if only else PARTS, short=short)


def report(figures: dict[str, Any]) -> str:
    return report_parts("analyse", figures)
