"""A capture and the HTML that it was made of have the same links in the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import page_html
from tests.repository.making import make_capture

from webgeist.analyses.menus.captured import capture_tree
from webgeist.analyses.menus.parse import parse_html
from webgeist.analyses.menus.segments import segments

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

    from webgeist.capture.model import Capture

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


SPLIT = """<body style="margin:0"><div id=bar style="background:#def;padding:20px">
<span><a href=/a>Alpha</a> <a href=/b>Beta</a></span>
<span><a href=/c>Gamma</a> <a href=/d>Delta</a></span></div>
<div id=side style="background:#fed;margin:40px;padding:20px"><a href=/e>Eta</a> <a href=/f>Phi</a></div>
<ul style="display:none"><li><a href=/g>Hidden</a><li><a href=/h>Too</a></ul></body>"""


def words(capture: Capture, *, rendered: bool) -> list[list[str]]:
    tree = capture_tree(capture.info.url, capture, rendered=rendered)
    return [[link.text for link in each.links] for each in segments(tree)]


def test_a_painted_box_of_links_is_one_list(look: Looker) -> None:
    capture = look(SPLIT).capture
    hidden, side = ["Hidden", "Too"], ["Eta", "Phi"]
    assert words(capture, rendered=False) == [["Alpha", "Beta"], ["Gamma", "Delta"], side, hidden]
    assert words(capture, rendered=True) == [["Alpha", "Beta", "Gamma", "Delta"], side, hidden]


@pytest.mark.parametrize(
    ("old", "new"),
    [("background:#def;", ""), ("<span><a href=/c>", "<p>Words<p>words<p><a href=/c>")],
)
def test_a_box_that_is_not_painted_or_has_more_than_links_is_none(
    look: Looker, old: str, new: str
) -> None:
    capture = look(SPLIT.replace(old, new)).capture
    assert words(capture, rendered=True) == words(capture, rendered=False)


def test_blocks_keep_every_link_in_the_order_of_the_page(look: Looker) -> None:
    capture = look(SPLIT).capture
    plain, seen = (capture_tree("http://a.localhost/", capture, rendered=r) for r in (False, True))
    assert list(plain.links.values()) == list(seen.links.values())
    assert all(parent < node for node, parent in enumerate(seen.parents))


def test_a_capture_without_links_has_no_blocks_either() -> None:
    tree = capture_tree("http://a.localhost/", make_capture(1), rendered=True)
    assert segments(tree) == []
