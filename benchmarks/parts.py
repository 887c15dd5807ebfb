"""A benchmark of several parts, each a module with `run(short=…)` and `report(figures)`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


def run_parts(benchmark: str, names: Iterable[str], *, short: bool) -> dict[str, Any]:
    """The figures of all parts beside each other, and under `parts` those of each."""
    figures: dict[str, Any] = {"parts": {}}
    for name in names:
        print(f"{name}:", file=sys.stderr)
        found = _part(benchmark, name).run(short=short)
        figures |= found
        figures["parts"][name] = found
    return figures


def report_parts(benchmark: str, figures: dict[str, Any]) -> str:
    parts = figures["parts"].items()
    return "\n\n".join("\n".join(_part(benchmark, name).report(found)) for name, found in parts)


def _part(benchmark: str, name: str) -> ModuleType:
    return import_module(f"benchmarks.{benchmark}_{name}")
