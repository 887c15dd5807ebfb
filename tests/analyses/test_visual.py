"""The table of blocks says what the hierarchy has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.visual import BLOCKS_ANALYSIS

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker


def test_blocks_as_rows(look: Looker) -> None:
    subject = look("<nav><ul style='margin:0;padding:0'><li>a<li>b</ul></nav><p>text</p>")
    rows = BLOCKS_ANALYSIS.rows(subject).to_pylist()
    names = [subject.page.names[row["node"]] for row in rows]
    assert names == ["html", "body", "ul", "li", "li", "p"]
    assert [row["parent"] for row in rows] == [None, 0, 1, 2, 2, 1]
    assert [row["end"] for row in rows] == [6, 6, 5, 4, 5, 6]
    assert [row["depth"] for row in rows] == [0, 1, 2, 3, 3, 2]
    assert [row["order"] for row in rows] == [0, 0, 0, 0, 1, 1]
    assert [row["kind"] for row in rows] == ["box", "box", "box", "text", "text", "text"]
    also = [[subject.page.names[node] for node in row["also"]] for row in rows]
    assert also == [[], [], ["nav"], ["#text"], ["#text"], ["#text"]]
    assert (rows[0]["width"], rows[0]["x"]) == (1280.0, 0.0)


def test_a_page_that_shows_nothing_has_no_rows(look: Looker) -> None:
    subject = look("<style>html{display:none}</style>words")
    assert BLOCKS_ANALYSIS.rows(subject).num_rows == 0
