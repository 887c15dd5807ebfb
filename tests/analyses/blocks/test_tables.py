"""Pagination and block types of a capture, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.blocks.tables import BLOCK_TYPES_ANALYSIS, PAGINATION_ANALYSIS

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

PAGER = """<nav class=pager><b>1</b> <a href=?page=2>2</a> <a href=?page=3>3</a>
<a href=?page=2>Next »</a></nav>"""
SEARCH = "<form role=search action=/find><input type=search name=q><button>Search</button></form>"


def test_links_of_a_list_with_the_addresses_that_they_mean(look: Looker) -> None:
    rows = PAGINATION_ANALYSIS.rows(look(f"<p>Things</p>{PAGER}")).to_pylist()
    pages = {row["url"]: row["label"] for row in rows if row["label"] == "page"}
    assert pages == {
        "http://example.org/dir/page.html?page=2": "page",
        "http://example.org/dir/page.html?page=3": "page",
    }
    assert [row["text"] for row in rows if row["label"] == "next"] == ["Next »"]
    assert all(row["reason"] for row in rows)


def test_blocks_of_types_that_come_with_webgeist(look: Looker) -> None:
    (row,) = BLOCK_TYPES_ANALYSIS.rows(look(f"<h1>Site</h1>{SEARCH}")).to_pylist()
    assert row["type"] == "search_form"
    assert row["xpath"].endswith("/form")


def test_a_page_with_neither_has_no_rows(look: Looker) -> None:
    subject = look("<p>Words alone</p>")
    assert PAGINATION_ANALYSIS.rows(subject).num_rows == 0
    assert BLOCK_TYPES_ANALYSIS.rows(subject).num_rows == 0
