"""docs/changes.md names exactly what the code has."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from webgeist.analyses.changes.change import Change
from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.noise import KINDS
from webgeist.analyses.changes.regions import Region
from webgeist.analyses.changes.table import CHANGES, REGION
from webgeist.analyses.changes.types import Place, Type

TEXT = (Path(__file__).parents[3] / "docs" / "changes.md").read_text("utf-8")


def _names(after: str) -> list[str]:
    table = TEXT.split(f"| {after} |", 1)[1].split("\n\n", 1)[0]
    rows = [line.split("|")[1] for line in table.splitlines()[2:]]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def test_every_field_is_told() -> None:
    assert _names("of a change") == [each.name for each in fields(Change)]
    assert _names("of a region") == [each.name for each in fields(Region)]


def test_tables_have_the_same() -> None:
    assert [each.name for each in REGION] == _names("of a region")
    assert set(CHANGES.names) == {"before", "vector", "vector_before", *_names("of a change")}


def test_every_word_is_told() -> None:
    for word in (*Kind, *Place, *Type, *KINDS):
        assert str(word) in TEXT
