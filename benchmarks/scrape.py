"""What skip blocks save and cost, and whether relations are found.

Each part is a module of its own with `run(short=…)` and `report(figures)`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

PARTS = ("recovery", "later", "costs", "overhead", "relations")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    figures = {}
    for name in [only] if only else PARTS:
        print(f"{name}:", file=sys.stderr)
        figures[name] = _part(name).run(short=short)
    return figures


def report(figures: dict[str, Any]) -> str:
    return "\n\n".join("\n".join(_part(name).report(found)) for name, found in figures.items())


def _part(name: str) -> ModuleType:
    return import_module(f"benchmarks.scrape_{name}")
