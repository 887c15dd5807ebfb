"""Menus and the borders of sites, on hosts whose borders are known.

Parts: `borders` (against other ways, and in trouble), `mainmenus` (items against what templates
themselves call their menu), `made` (exact items, on hosts that are made up), `speed`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

PARTS = ("borders", "mainmenus", "made", "speed")


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
    return import_module(f"benchmarks.menus_{name}")
