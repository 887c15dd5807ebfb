"""A capture and the HTML that it was made of have the same links in the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import page_html
from tests.repository.making import make_capture

from webgeist.analyses.menus.captured import capture_tree
from webgeist.analyses.menus.parse import parse_html
from webgeist.analyses.menus.segments import segments

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

HTML = page_html(("nav#main", ["/", "/a", "/b"]), ("p#x", ["c", "mailto:a@b.localhost", "#d"]))


def test_segments_are_the_same(look: Looker) -> None:
    capture = look(HTML).capture
    url = capture.info.url
    taken = segments(capture_tree(url, capture))
    parsed = segments(parse_html(url, HTML))
    assert [(s.links, s.path[2:]) for s in taken] == [(s.links, s.path[2:]) for s in parsed]
    assert [link.text for link in taken[0].links] == ["Home", "A", "B"]


def test_a_capture_without_links_has_no_segments() -> None:
    assert segments(capture_tree("http://a.localhost/", make_capture(1))) == []
