"""What speaks for and against a changed passage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, page, passage

from webgeist.analyses.changes.evidence import NAMES, PLACED, evidence
from webgeist.analyses.changes.items import items
from webgeist.analyses.changes.marks import MARKS, bits

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Portrait


def told(before: Portrait, after: Portrait) -> list[dict[str, float]]:
    rows = evidence(before, after, items(before, after))
    return [dict(zip(NAMES, row, strict=True)) for row in rows.tolist()]


def edited(old: str, new: str, **more: object) -> dict[str, float]:
    """The evidence of one edit between two paragraphs that stay."""
    (row,) = told(page(PROSE, passage(old, **more), LAST), page(PROSE, passage(new, **more), LAST))
    return row


def test_no_change_is_no_row() -> None:
    assert evidence(page(PROSE), page(PROSE), []).shape == (0, len(NAMES))


def test_what_the_passage_is_comes_last() -> None:
    assert NAMES[-len(PLACED) :] == PLACED
    assert not {"changed", "changed_most", "noise_date", "kind_alone"} & set(PLACED)


@pytest.mark.parametrize(
    ("old", "new", "noise"),
    [
        ("Posted 3 days ago by Ann", "Posted 5 days ago by Bob", "noise_age"),
        ("commit 0b2cece8723735483503 by Ann", "commit 10ef8139d18a57c4fb8a by Bob", "noise_id"),
        ("On 3 May 2025 by Ann", "On 4 June 2026 by Bob", "noise_date"),
    ],
)
def test_noise_beside_words_is_told(old: str, new: str, noise: str) -> None:
    row = edited(old, new)
    assert row[noise] == 1
    assert row["noise_only"] == row["sheer"] == 0
    assert row["changed_least"] > 0


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ((), (1, 0, 0, 0)),
        (("main",), (1, 1, 0, 0)),
        (("article", "menu"), (0, 0, 1, 1)),
        (("menu", "footer", "consent", "sidebar"), (0, 0, 0, 3)),
        (("table",), (1, 0, 0, 0)),
    ],
)
def test_marks_against_content_are_told_together(
    marks: tuple[str, ...], expected: tuple[int, ...]
) -> None:
    row = edited(MORE, MORE + " So it is.", marks=bits(*marks))
    assert {mark for mark in MARKS if row[f"mark_{mark}"]} == set(marks)
    together = ("unmarked", "unmarked_main", "marked_main", "boilerplate")
    assert tuple(row[name] for name in together) == expected


def test_the_heading_above_tells_where_a_passage_belongs() -> None:
    chapter = passage("The flood", tag="h2")
    links = passage("More news", tag="h2", within=0)
    old, new = passage("One teaser", within=0), passage("Another story", within=0)
    (row,) = told(page(chapter, PROSE, links, old), page(chapter, PROSE, links, new))
    assert [row["headed_inside"], row["since_heading"]] == pytest.approx([0, np.log1p(1)])
    (row,) = told(page(chapter, PROSE, MORE), page(chapter, PROSE, MORE + " So it is."))
    assert [row["headed_inside"], row["since_heading"]] == pytest.approx([1, np.log1p(2)])
    (row,) = told(page(PROSE), page(PROSE + " So it is."))
    assert [row["headed_inside"], row["since_heading"]] == pytest.approx([0, np.log1p(1)])


def test_exchanged_versions_have_the_same_evidence() -> None:
    link = passage(MORE, linked=1.0, seen=False, targets=("/a",))
    one = page(PROSE, LAST, "First of all", "Second of all", link)
    other = page("Second of all", "First of all", PROSE + " So it is.", MORE, "Something new")
    here, back = (
        sorted(evidence(*pair, items(*pair)).tolist()) for pair in ((one, other), (other, one))
    )
    assert len(here) >= 5
    assert here == back


def test_what_changes_elsewhere_is_no_evidence() -> None:
    menu, other = passage("Sport", within=0, linked=1.0), passage("Games", within=0, linked=1.0)
    alone = told(page(menu, PROSE, MORE), page(menu, PROSE, MORE + " So it is."))
    among = told(page(menu, PROSE, MORE), page(other, PROSE, MORE + " So it is."))
    assert alone[0] in among
