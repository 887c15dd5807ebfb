"""docs/analyses.md names exactly what the code has; its example of a feature set works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.features.columns import FEATURES
from webgeist.analyses.features.whole import WHOLE
from webgeist.analyses.plugins import FeatureSet
from webgeist.analyses.visual import BLOCKS
from webgeist.engines.crew import CRASHED, TIMEOUT
from webgeist.repository.results import FAILED, NOTHING, OK

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

TEXT = (Path(__file__).parent.parent.parent / "docs" / "analyses.md").read_text("utf-8")


def _rows(after: str) -> list[list[str]]:
    """The rows of the first table behind a line."""
    lines = TEXT.split(f"{after}\n", 1)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.split("|")[1:-1]])
    return found


def _names(after: str) -> list[str]:
    return [name for row in _rows(after) for name in re.findall(r"`([^`]+)`", row[0])]


def test_every_feature_is_told_with_unit_and_meaning() -> None:
    told = [tuple(row) for row in _rows("## Features")]
    assert told == [(f"`{each.name}`", each.unit, each.meaning) for each in FEATURES]


def test_every_column_of_pages_is_told() -> None:
    told = [tuple(row) for row in _rows("## Pages")]
    assert told == [(f"`{each.name}`", each.unit, each.meaning) for each in WHOLE]


def test_every_column_of_blocks_is_told() -> None:
    assert _names("Table `blocks`:") == BLOCKS.names


def test_every_outcome_is_told() -> None:
    assert set(_names("# Analyses")) == {OK, NOTHING, FAILED, TIMEOUT, CRASHED}


def test_the_example_of_a_feature_set_works(look: Looker) -> None:
    code = next(
        part for part in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL) if "FeatureSet" in part
    )
    names: dict[str, Any] = {}
    exec(code, names)
    feature_set = names["CORNERS"]
    assert isinstance(feature_set, FeatureSet)
    rows = feature_set.analysis().rows(look("<p style='border-radius:3px;background:red'>a</p>b"))
    assert 3.0 in rows["radius"].to_pylist()
    assert rows.schema.field("radius").type == pa.float32()
