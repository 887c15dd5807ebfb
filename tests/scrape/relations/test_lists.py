"""Rows in many kinds of markup, on pages with much else: from a name, and without anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.scrape.relations.conftest import texts
from tests.scrape.relations.lists import LISTS, VESSELS, among_furniture

from webgeist.scrape.relations.find import find_relation
from webgeist.scrape.relations.propose import propose_relations

if TYPE_CHECKING:
    from tests.scrape.relations.conftest import Bench

every_kind = pytest.mark.parametrize("kind", LISTS)


def check(rows: list[str]) -> None:
    """Each row has its own vessel, all that is known of it, and nothing from between."""
    assert len(rows) == len(VESSELS), rows
    for row, vessel in zip(rows, VESSELS, strict=True):
        assert [each.name for each in VESSELS if each.name in row] == [vessel.name]
        assert vessel.built in row
        assert "between" not in row


@every_kind
def test_from_the_first_name(bench: Bench, kind: str) -> None:
    page = bench.page(among_furniture(LISTS[kind]()))
    check(texts(page, find_relation(page, bench.node(page, VESSELS[0].name))))


@every_kind
def test_from_two_cells(bench: Bench, kind: str) -> None:
    page = bench.page(among_furniture(LISTS[kind]()))
    name = bench.node(page, VESSELS[0].name)
    built = next(n for n in range(name, len(page)) if VESSELS[0].built in (page.texts[n] or ""))
    check(texts(page, find_relation(page, [name, built])))


@every_kind
def test_without_any_example(bench: Bench, kind: str) -> None:
    page = bench.page(among_furniture(LISTS[kind]()))
    check(texts(page, propose_relations(page)[0]))
