"""Demographics: what is counted."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.query.naive import World
from tests.repository.making import new_repository

from webgeist.cli.run import run
from webgeist.errors import UsageError
from webgeist.query.stats import Form, stats

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release


@pytest.fixture(scope="module")
def naive(release: Release) -> World:
    return World.of(release)


def test_text_colours_count_texts(release: Release, naive: World) -> None:
    text, behind = stats(release, "colours").panels
    styles = {(row["capture"], row["node"]): row for row in naive.rows["@styles"]}
    expected = Counter(styles[row["capture"], row["node"]]["color"] for row in naive.rows["@text"])
    assert {row["value"]: row["count"] for row in text.table.to_pylist()} == expected
    assert all(
        "0)" not in row["value"][-3:] or "rgb(" in row["value"] for row in behind.table.to_pylist()
    )


def test_fewer_values_where_asked_for(release: Release) -> None:
    assert stats(release, "tags", limit=2).panels[0].table.num_rows == 2


def test_tags_count_elements(release: Release, naive: World) -> None:
    (panel,) = stats(release, "tags", limit=100).panels
    expected = Counter(
        row["name"] for row in naive.rows["@dom"] if row["nodeType"] == 1 and not row["pseudo"]
    )
    assert {row["value"]: row["count"] for row in panel.table.to_pylist()} == expected


def test_classes_are_words_and_have_maps(release: Release, naive: World) -> None:
    panels = stats(release, "classes").panels
    words: Counter[str] = Counter()
    for row in naive.rows["@dom"]:
        words.update(set((row["class"] or "").split()))
    assert {row["value"]: row["count"] for row in panels[0].table.to_pylist()} == words
    maps = [panel for panel in panels if panel.form is Form.MAP]
    assert maps[0].title.startswith("Where .")
    assert all(panel.table.num_rows == 24 * 24 for panel in maps)


def test_complexity_and_layout_are_histograms(release: Release) -> None:
    depth, *_ = stats(release, "complexity").panels
    assert sum(row["count"] for row in depth.table.to_pylist()) == 8  # one page has no analysis
    shapes, opacity, _ = stats(release, "layout").panels
    assert shapes.form is opacity.form is Form.HISTOGRAM


def test_unknown_names_and_missing_analyses(release: Release, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean colours"):
        stats(release, "colors")
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        with repository.release() as bare, pytest.raises(UsageError, match="webgeist analyse"):
            stats(bare, "layout")


def test_the_command(world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", "cursors", "--repo", str(world)]) == 0
    assert "pointer" in capsys.readouterr().out
    assert run(["stats", "sizes", "--repo", str(world), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["panels"][0]["unit"] == "px"
    target = tmp_path / "cursors.svg"
    assert run(["stats", "cursors", "--repo", str(world), "--plot", str(target)]) == 0
    assert target.exists()
    assert run(["stats", "nothing", "--repo", str(world)]) == 2
