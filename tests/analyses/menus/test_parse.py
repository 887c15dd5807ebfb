from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.menus.parse import parse_html

AT = "http://a.localhost/dir/page.html"


def links(html: bytes | str) -> list[tuple[str | None, str]]:
    return [(link.url, link.text) for link in parse_html(AT, html).links.values()]


def test_links_are_resolved_against_the_page() -> None:
    html = '<a href="x">X</a><a href="../y">Y</a><a href="/z#f">Z</a><a href="//b.localhost/">B</a>'
    assert [url for url, _ in links(html)] == [
        "http://a.localhost/dir/x",
        "http://a.localhost/y",
        "http://a.localhost/z#f",
        "http://b.localhost/",
    ]


def test_a_base_counts_and_a_broken_one_does_not() -> None:
    assert links('<base href="/other/"><a href=x>X</a>')[0][0] == "http://a.localhost/other/x"
    assert links('<base href="http://["><a href=x>X</a>')[0][0] == "http://a.localhost/dir/x"


def test_links_to_no_page_stay_as_links_without_an_address() -> None:
    html = '<a href="mailto:a@b.c">m</a><a href="javascript:x()">j</a><a href="http://[">b</a>'
    assert [url for url, _ in links(html)] == [None, None, None]


def test_an_anchor_without_href_is_no_link() -> None:
    assert links("<a name=x>here</a>") == []


def test_frames_and_areas_lead_to_pages() -> None:
    html = "<frameset><frame src=toc.html name=toc><frame src=main.html></frameset>"
    assert [url for url, _ in links(html)] == [
        "http://a.localhost/dir/toc.html",
        "http://a.localhost/dir/main.html",
    ]
    assert links("<map><area href=x alt=X></map>")[0][0] == "http://a.localhost/dir/x"


def test_words_of_several_blocks_are_apart_and_those_of_one_are_not() -> None:
    html = '<a href="x"><h3>Next</h3>wh<b>en</b><div>it<p>rains</p></div>more<br>of</a>behind'
    assert links(html)[0][1] == "Next when it rains more of"


def test_what_stands_for_frames_has_links_too() -> None:
    html = '<frameset><frame src="m"><NoFrames><body><p><a href="x">X</a></body></noframes>'
    assert ("http://a.localhost/dir/x", "X") in links(html)


def test_the_words_of_a_picture_are_its_alternative() -> None:
    assert links('<a href=x><img alt="The  logo"></a>')[0][1] == "The logo"
    assert links('<a href=x title="Go there"></a>')[0][1] == "Go there"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<a href=x>Übersicht</a>".encode(), "Übersicht"),
        ("<a href=x>Übersicht</a>".encode("latin-1"), "Übersicht"),
        ('<meta charset="shift_jis"><a href=x>日本</a>'.encode("shift_jis"), "日本"),
        ("<meta charset=utf-8><a href=x>Übersicht</a>".encode("cp1252"), "Übersicht"),
        ("<meta charset=no-such-thing><a href=x>é</a>".encode("cp1252"), "é"),
    ],
)
def test_pages_are_read_as_they_are_encoded(data: bytes, text: str) -> None:
    assert links(data)[0][1] == text


@pytest.mark.parametrize("html", [b"", b"\x00", "", "   ", b"\xff\xfe", "<", "<!-- -->", b"<?xml"])
def test_what_is_no_page_has_no_links(html: bytes | str) -> None:
    assert links(html) == []


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_nothing_raises(html: bytes | str) -> None:
    parse_html(AT, html)


def test_a_deep_page_is_read_and_one_beyond_all_measure_does_no_harm() -> None:
    for depth, count in ((200, 2), (100_000, 0)):
        html = "<div>" * depth + "<a href=x>X</a><a href=y>Y</a>" + "</div>" * depth
        assert len(links(html)) == count


def test_elements_above_links_are_kept_with_ids_and_classes() -> None:
    tree = parse_html(AT, '<body><ul id="m" class="b  a"><li><a href=x>X</a></li></ul></body>')
    steps = [str(step) for step in tree.path(max(tree.links))]
    assert steps == ["html", "body", "ul#m.b.a", "li", "a"]
