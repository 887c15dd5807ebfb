"""What DQL costs beside hand-written SQL, beside MariaDB, and whether it grows with the data alone.

`growth` goes from 2 to 14 million nodes and is only run when it is asked for (`--only growth`).
"""

from __future__ import annotations

from typing import Any

from benchmarks.parts import report_parts, run_parts

PARTS = ("hand", "mariadb", "growth")
_USUAL = ("hand", "mariadb")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    return run_parts("query", [only] if only else _USUAL, short=short)


def report(figures: dict[str, Any]) -> str:
    return report_parts("query", figures)
