"""The three tables of a host, from captures of pages in a real browser."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import BASE, page_html

from webgeist.analyses.group import Group, GroupAnalysis, Member
from webgeist.analyses.menus.tables import (
    MENU_ITEMS_ANALYSIS,
    MENUS_ANALYSIS,
    SITES_ANALYSIS,
)

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

    from webgeist.capture.model import Capture

TOP = ["/", "/a", "/b"]
ALL = (MENUS_ANALYSIS, MENU_ITEMS_ANALYSIS, SITES_ANALYSIS)


@pytest.fixture
def group(look: Looker) -> Group:
    """Four pages with one menu; the second was captured twice."""
    taken = look(page_html(("nav#m", [BASE + each[1:] for each in TOP]))).capture
    names = ["", "a", "a", "b", "c"]
    members = tuple(
        Member(f"C{n}", BASE + name, datetime(2024, 1, 1 + n, tzinfo=UTC))
        for n, name in enumerate(names)
    )
    return Group("host.localhost", members, lambda _: taken)


def test_a_row_for_each_page_that_has_a_menu(group: Group) -> None:
    rows = MENUS_ANALYSIS.rows(group).to_pylist()
    assert [row["capture"] for row in rows] == ["C0", "C2", "C3", "C4"]
    assert [row["linked"] for row in rows] == [True, True, True, False]
    assert {(row["menu"], row["site"], row["level"], row["items"]) for row in rows} == {
        (0, 0, 1, 3)
    }


def test_items_in_order(group: Group) -> None:
    rows = MENU_ITEMS_ANALYSIS.rows(group).to_pylist()
    assert [(row["order"], row["url"]) for row in rows] == [
        (0, BASE),
        (1, BASE + "a"),
        (2, BASE + "b"),
    ]


def test_a_row_for_each_page_with_its_place(group: Group) -> None:
    rows = SITES_ANALYSIS.rows(group).to_pylist()
    assert len(rows) == 4
    assert {row["entry"] for row in rows} == {BASE}
    assert len(rows[1]["place"]) == 2


def test_mining_is_done_once(group: Group) -> None:
    opened: list[str] = []

    def load(name: str) -> Capture:
        opened.append(name)
        return group.load(name)

    counted = replace(group, load=load)
    for analysis in ALL:
        analysis.rows(counted)
    assert sorted(opened) == ["C0", "C2", "C3", "C4"]


@pytest.mark.parametrize("analysis", ALL, ids=lambda each: each.name)
def test_every_column_is_told_in_the_docs(analysis: GroupAnalysis) -> None:
    text = (Path(__file__).parents[3] / "docs" / "menus.md").read_text("utf-8")
    section = text.split(f"Table `{analysis.name}`")[1].split("\n\n")[1]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == analysis.schema.names
