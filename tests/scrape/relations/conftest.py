"""Pages for tests of relations, and rows as the texts that people see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.scrape.relations.find import find_relation
from webgeist.scrape.relations.propose import propose_relations

if TYPE_CHECKING:
    from tests.conftest import Shooter

    from webgeist.page.model import Page
    from webgeist.scrape.relations.model import Relation


class Bench:
    """`bench.find(html, "Ada")` is the relation with a cell Ada in its first row."""

    def __init__(self, shoot: Shooter) -> None:
        self._shoot = shoot

    def page(self, html: str) -> Page:
        page = self._shoot(f"<!doctype html><body>{html}").page
        assert page
        return page

    def node(self, page: Page, text: str) -> int:
        """The innermost node with this text."""
        return max(node for node in range(len(page)) if page.text(node).strip() == text)

    def find(self, html: str, *cells: str) -> tuple[Page, Relation]:
        page = self.page(html)
        return page, find_relation(page, [self.node(page, cell) for cell in cells])

    def rows(self, html: str, *cells: str) -> list[str]:
        page, found = self.find(html, *cells)
        return texts(page, found)

    def best(self, html: str) -> list[str]:
        page = self.page(html)
        return texts(page, propose_relations(page)[0])


def texts(page: Page, found: Relation) -> list[str]:
    return [" ".join(" ".join(page.text(node) for node in row.nodes).split()) for row in found.rows]


@pytest.fixture
def bench(shoot_html: Shooter) -> Bench:
    return Bench(shoot_html)
