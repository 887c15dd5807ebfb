"""What a crawl is told about links, page by page. The pages are made without a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import page_html

from webgeist.analyses.menus import exploring
from webgeist.analyses.menus.exploring import ENOUGH, OTHER_SITE, Exploration
from webgeist.analyses.menus.parse import parse_html

if TYPE_CHECKING:
    import pytest

    from webgeist.analyses.menus.tree import LinkTree

BASE = "http://host.localhost"
ONE = [f"/one/{n}" for n in range(5)]
TWO = [f"/two/{n}" for n in range(5)]


class Walk:
    """Hands pages to an exploration; their trees come from HTML."""

    def __init__(self, exploration: Exploration, monkeypatch: pytest.MonkeyPatch) -> None:
        self._exploration = exploration
        self._html = ""
        monkeypatch.setattr(exploring, "capture_tree", self._tree)

    def _tree(self, url: str, _: object) -> LinkTree:
        return parse_html(url, self._html)

    def page(self, name: str, *lists: tuple[str, list[str]]) -> list[str | None]:
        """What is said of the links in the last list."""
        self._html = page_html(*lists)
        links = [BASE + link for link in lists[-1][1]]
        return self._exploration.choose(BASE + name, None, links)  # type: ignore[arg-type]


def test_pages_of_another_site_lead_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(Exploration([BASE + ONE[0]], stay=True), monkeypatch)
    for name in ONE:
        assert walk.page(name, ("nav#m", ONE)) == [None] * 5
    assert walk.page("/one/new", ("nav#m", ONE)) == [None] * 5
    for name in TWO:
        assert walk.page(name, ("nav#m", TWO)) == [OTHER_SITE] * 5


def test_until_menus_are_known_everything_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(Exploration([BASE + ONE[0]], stay=True), monkeypatch)
    assert walk.page(ONE[0], ("nav#m", ONE)) == [None] * 5
    assert walk.page(TWO[0], ("nav#m", TWO)) == [None] * 5


def test_items_are_always_followed_and_others_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(Exploration([BASE + ONE[0]], sample=2), monkeypatch)
    for name in ONE:
        walk.page(name, ("nav#m", ONE))
    posts = [f"/one/post{n}" for n in range(6)]
    assert walk.page(ONE[1], ("nav#m", ONE), ("div#p", posts)) == [None, None, *[ENOUGH] * 4]
    assert walk.page(ONE[2], ("nav#m", ONE), ("div#q", [*ONE, "/one/other"])) == [None] * 6


def test_what_is_not_followed_anyway_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = Walk(Exploration([BASE + ONE[0]], sample=0), monkeypatch)
    walk.page(ONE[0], ("nav#m", ONE))
    said = walk._exploration.choose(BASE + "/one/9", None, [None, BASE + "/one/8"])  # type: ignore[arg-type]
    assert said == [None, ENOUGH]
