"""What recording and keeping cost, and whether anything is lost: the bars of the ground floor.

Each part is a module of its own with `run(short=…)` and `report(figures)`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

PARTS = ("navigating", "completeness", "replaying", "archiving", "committing", "memory")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    figures = {}
    for name in [only] if only else PARTS:
        print(f"{name}:", file=sys.stderr)
        figures[name] = import_module(f"benchmarks.{name}").run(short=short)
    return figures


def report(figures: dict[str, Any]) -> str:
    parts = [
        "\n".join(import_module(f"benchmarks.{name}").report(found))
        for name, found in figures.items()
    ]
    return "\n\n".join(parts)
