"""Pagers of many frameworks and languages, and what only looks like them, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.pagers import FILES, PagerPage, pager_pages

from webgeist.analyses.blocks.file_addresses import file_xpaths
from webgeist.analyses.blocks.pagination import find_pagination

if TYPE_CHECKING:
    from tests.conftest import Shooter

PAGES = [page for file in FILES for page in pager_pages(file)]


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_what_is_found_is_what_is_true(shoot_html: Shooter, page: PagerPage) -> None:
    taken = shoot_html(page.html, url=page.url)
    assert taken.page is not None
    links = find_pagination(taken).links
    paths = file_xpaths(page.html.encode(), taken.page, [link.node for link in links])
    assert {(paths[link.node], link.label) for link in links} == page.labels
    assert {paths[link.node] for link in links if link.immediate} == page.following


def test_there_are_enough_of_them() -> None:
    assert len(PAGES) > 100
    assert len({page.name for page in PAGES}) == len(PAGES)
    assert sum(not page.labels for page in PAGES) >= 20
