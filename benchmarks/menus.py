"""Menus and the borders of sites, on hosts whose borders are known.

Parts: `borders` (against other ways, and in trouble), `mainmenus` (items against what templates
themselves call their menu), `made` (exact items, on hosts that are made up), `campus` (one large
domain that is made up), `speed`.
"""

from __future__ import annotations

from typing import Any

from benchmarks.parts import report_parts, run_parts

PARTS = ("borders", "mainmenus", "made", "campus", "speed")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    return run_parts("menus", [only] if only else PARTS, short=short)


def report(figures: dict[str, Any]) -> str:
    return report_parts("menus", figures)
