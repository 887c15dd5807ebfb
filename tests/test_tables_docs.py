"""docs/tables.md and docs/capture.md name exactly what the code has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webgeist.capture.outcome import Outcome
from webgeist.capture.requests import REQUESTS
from webgeist.page.schema import LINKS, NODES, style_schema

DOCS = Path(__file__).parent.parent / "docs"


def _documented(heading: str) -> set[str]:
    """The names in the first column of the table below a heading of docs/tables.md."""
    section = (
        (DOCS / "tables.md").read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    )
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize(
    ("heading", "schema"), [("nodes", NODES), ("links", LINKS), ("requests", REQUESTS)]
)
def test_every_column_is_documented_and_no_other(heading: str, schema: object) -> None:
    assert _documented(heading) == set(getattr(schema, "names", ()))


def test_style_columns_are_documented() -> None:
    assert set(style_schema([]).names) < _documented("styles_inherited and styles_own")


def test_every_outcome_is_documented_with_its_meaning() -> None:
    text = (DOCS / "capture.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", text, re.MULTILINE))
    assert rows == {str(outcome): outcome.meaning for outcome in Outcome}
