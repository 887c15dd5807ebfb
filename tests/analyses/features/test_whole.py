"""Pages as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.analyses.features.whole import WHOLE_ANALYSIS

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker


def test_one_row_tells_of_a_page(look: Looker) -> None:
    subject = look(
        "<div style='background:rgb(9,9,99);height:2000px'><h1 style='font-family:serif;color:#fff'>"
        "A title</h1><p style='font-family:monospace;color:#fff'>and <a href=/>more</a> words</p>"
        "<img width=20 height=20></div>"
    )
    (row,) = WHOLE_ANALYSIS.rows(subject).to_pylist()
    assert (row["width"], row["nodes"], row["blocks"]) == (
        1280.0,
        len(subject.page),
        len(subject.hierarchy),
    )
    assert row["aspectRatio"] == pytest.approx(row["width"] / row["height"])
    assert (row["images"], row["links"], row["words"], row["fonts"]) == (1, 1, 5, 2)
    assert row["leaves"] == 5
    assert row["level"] == subject.hierarchy.depth.max()
    assert row["depth"] == max(subject.page.nodes["depth"].to_pylist())
    assert row["contrast"] > 15
    assert (row["palette"][0]["r"], row["palette"][0]["b"]) == (9, 99)


def test_a_page_that_shows_nothing_has_no_row(look: Looker) -> None:
    assert WHOLE_ANALYSIS.rows(look("<style>html{display:none}</style>x")).num_rows == 0


def test_a_page_without_texts_has_no_contrast(look: Looker) -> None:
    (row,) = WHOLE_ANALYSIS.rows(look("<img width=9 height=9>")).to_pylist()
    assert row["contrast"] is None
    assert row["fonts"] == 0
