"""XPaths as other tools find them in the file: without what browsers add and move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import html

from webgeist.analyses.blocks.file_addresses import file_xpaths

if TYPE_CHECKING:
    from tests.conftest import Shooter


def found(shoot: Shooter, text: str) -> list[str]:
    """The addresses of all links, each of which leads to that link."""
    taken = shoot(text)
    assert taken.page is not None
    paths = file_xpaths(text.encode(), taken.page, taken.page.find("a"))
    root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    for node, path in paths.items():
        assert root.xpath(f"{path}/@href") == [taken.page.attributes(node)["href"]]
    return list(paths.values())


def test_no_table_body_that_the_file_does_not_have(shoot_html: Shooter) -> None:
    page = "<body><table><tr><td><a href=/1>1</a><td><a href=/2>2</a></table>"
    assert found(shoot_html, page) == [
        "/html/body/table/tr/td[1]/a",
        "/html/body/table/tr/td[2]/a",
    ]


def test_links_of_one_look_are_told_apart_by_their_order(shoot_html: Shooter) -> None:
    page = "<body><p><a href=/x>a</a></p><p><a href=/x>b</a></p>"
    assert found(shoot_html, page) == ["/html/body/p[1]/a", "/html/body/p[2]/a"]


def test_what_a_browser_moves_is_still_found(shoot_html: Shooter) -> None:
    page = "<body><table><a href=/moved>x</a><tr><td>y</table>"
    assert len(found(shoot_html, page)) == 1


def test_nothing_asked_for_and_nothing_to_read(shoot_html: Shooter) -> None:
    taken = shoot_html("<body><a href=/>x</a>")
    assert taken.page is not None
    assert file_xpaths(b"<body>", taken.page, []) == {}
    assert file_xpaths(b"", taken.page, taken.page.find("a")) == {}
    assert file_xpaths(b"<p>another file</p>", taken.page, taken.page.find("a")) == {}
