"""What analyses cost beside capturing, how fast their results are read, and whether it stays so.

Each part is a module of its own with `run(short=…)` and `report(figures)`. The figures of all parts
stand beside each other: `analysis_cpu_over_capture_cpu`, `ms_cpu_per_page`, `bytes_per_node`, …
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

PARTS = ("cost", "access", "stream", "growth", "memory")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    figures: dict[str, Any] = {"parts": {}}
    for name in [only] if only else PARTS:
        print(f"{name}:", file=sys.stderr)
        found = _part(name).run(short=short)
        figures |= found
        figures["parts"][name] = found
    return figures


def report(figures: dict[str, Any]) -> str:
    parts = figures["parts"].items()
    return "\n\n".join("\n".join(_part(name).report(found)) for name, found in parts)


def _part(name: str) -> ModuleType:
    return import_module(f"benchmarks.analyse_{name}")
