"""Links: where from, as written, where to, with which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.page.links import links, resolve
from webgeist.page.schema import LINKS

if TYPE_CHECKING:
    from tests.conftest import Shooter

BASE = "http://example.org/dir/page.html"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("other.html", "http://example.org/dir/other.html"),
        ("../up", "http://example.org/up"),
        ("/root", "http://example.org/root"),
        ("//host/path", "http://host/path"),
        ("?q=1", "http://example.org/dir/page.html?q=1"),
        ("#here", "http://example.org/dir/page.html#here"),
        ("", BASE),
        ("  padded  ", "http://example.org/dir/padded"),
        ("mailto:a@example.org", "mailto:a@example.org"),
        ("javascript:void(0)", "javascript:void(0)"),
        ("https://example.com/ä?ö=ü", "https://example.com/%C3%A4?%C3%B6=%C3%BC"),
        ("HTTP://Example.COM:80/a/../b", "http://example.com/b"),
        ("my file.html\n", "http://example.org/dir/my%20file.html"),
        ("//", None),
        ("http:///host/path", "http://host/path"),
        ("bro\nken\t.html", "http://example.org/dir/broken.html"),
        ("http://[half", None),
        ("http://[::1", None),
    ],
)
def test_an_href_means_what_a_browser_would_open(href: str, url: str | None) -> None:
    assert resolve(BASE, href) == url


def rows(shoot_html: Shooter, html: str) -> list[dict[str, object]]:
    page = shoot_html(html, url=BASE).page
    assert page is not None
    table = links(page)
    assert table.schema.equals(LINKS)
    found: list[dict[str, object]] = table.to_pylist()
    assert all(page.names[int(str(row["node"]))] in {"a", "area"} for row in found)
    return [{name: value for name, value in row.items() if name != "node"} for row in found]


def test_links_are_told_in_document_order(shoot_html: Shooter) -> None:
    assert rows(
        shoot_html, "<p><a href=b rel='next nofollow'> Next <b>page</b></a><a href=a>A</a>"
    ) == [
        {
            "href": "b",
            "url": "http://example.org/dir/b",
            "text": "Next page",
            "rel": "next nofollow",
            "followed": None,
        },
        {
            "href": "a",
            "url": "http://example.org/dir/a",
            "text": "A",
            "rel": None,
            "followed": None,
        },
    ]


def test_an_a_without_href_is_no_link(shoot_html: Shooter) -> None:
    assert rows(shoot_html, "<a name=top>top</a>text") == []


def test_a_pages_base_element_counts(shoot_html: Shooter) -> None:
    (row,) = rows(shoot_html, "<base href='http://other.org/x/'><a href=y>y</a>")
    assert row["url"] == "http://other.org/x/y"


def test_a_links_picture_speaks_for_it_where_it_has_no_words(shoot_html: Shooter) -> None:
    first, second = rows(
        shoot_html,
        "<a href=1><img alt='The  home'><img><img alt=page></a><a href=2>words<img alt=no></a>",
    )
    assert first["text"] == "The home page"
    assert second["text"] == "words"


def test_areas_and_svg_links_are_links(shoot_html: Shooter) -> None:
    found = rows(
        shoot_html,
        "<map><area href=map></map><svg><a xlink:href=old><text>o</text></a>"
        "<a href=new><text>n</text></a></svg>",
    )
    assert [row["href"] for row in found] == ["map", "old", "new"]


def test_a_frames_links_start_from_the_frames_base(shoot_html: Shooter) -> None:
    (row,) = rows(
        shoot_html,
        "<iframe srcdoc=\"<base href='http://framed.org/'><a href=in>in</a>\"></iframe>",
    )
    assert row["url"] == "http://framed.org/in"


def test_an_href_that_means_nothing_has_no_url_but_is_kept(shoot_html: Shooter) -> None:
    (row,) = rows(shoot_html, "<a href='http://[half'>x</a>")
    assert (row["href"], row["url"]) == ("http://[half", None)
