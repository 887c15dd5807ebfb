"""What is done to pages on purpose leaves everything else as it was."""

from __future__ import annotations

import pytest
from tests.analyses.menus.hosts import portal

from benchmarks import menus_trouble as trouble
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.parse import parse_html

PAGES = [
    (url.split("/")[3], parse_html(url.replace("host.localhost", "localhost"), html))
    for url, html in portal(3, footer=False).items()
]


def shape(tree: object) -> list[str]:
    return [link.text for link in tree.links.values()]  # type: ignore[attr-defined]


def test_flat_addresses_say_nothing_and_keep_the_links() -> None:
    found = trouble.flat(PAGES)
    assert [name for name, _ in found] == [name for name, _ in PAGES]
    assert all(tree.url.count("/") == 3 for _, tree in found)
    number = {page_key(tree.url): n for n, (_, tree) in enumerate(PAGES)}
    flat = {page_key(tree.url): n for n, (_, tree) in enumerate(found)}
    for (_, before), (_, after) in zip(PAGES, found, strict=True):
        old = [number.get(page_key(link.url or "")) for link in before.links.values()]
        assert [flat.get(page_key(link.url or "")) for link in after.links.values()] == old


def test_crossed_sites_lead_to_each_other_and_to_a_portal() -> None:
    (name, first), *rest = trouble.crossed(PAGES)
    assert name == "portal"
    assert len(first.links) == 3
    for (_, before), (_, after) in zip(PAGES, rest, strict=True):
        assert shape(after)[: len(before.links)] == shape(before)
        assert shape(after)[-4] == "all"


@pytest.mark.parametrize("change", [trouble.roll, trouble.bar])
def test_a_bar_comes_before_everything_else(change: object) -> None:
    for (_, before), (_, after) in zip(PAGES, change(PAGES), strict=True):  # type: ignore[operator]
        assert shape(after)[3:] == shape(before)
