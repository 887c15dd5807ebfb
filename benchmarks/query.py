"""What DQL costs beside hand-written SQL, beside MariaDB, and whether it grows with the data alone.

Each part is a module of its own with `run(short=…)` and `report(figures)`. `growth` goes from 2 to
14 million nodes and is only run when it is asked for (`--only growth`).
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

PARTS = ("hand", "mariadb", "growth")
_USUAL = ("hand", "mariadb")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    figures: dict[str, Any] = {"parts": {}}
    for name in [only] if only else _USUAL:
        print(f"{name}:", file=sys.stderr)
        found = _part(name).run(short=short)
        figures |= found
        figures["parts"][name] = found
    return figures


def report(figures: dict[str, Any]) -> str:
    parts = figures["parts"].items()
    return "\n\n".join("\n".join(_part(name).report(found)) for name, found in parts)


def _part(name: str) -> ModuleType:
    return import_module(f"benchmarks.query_{name}")
