from __future__ import annotations

from xml.etree import ElementTree as ET

from tests.analyses.menus.hosts import BASE, page_html, portal

from webgeist.analyses.menus.mining import mine_menus
from webgeist.analyses.menus.sitemap import (
    mermaid,
    site_tree,
    sitemap_xml,
    svg,
    tree_json,
    tree_lines,
)

MINED = mine_menus(portal(1, footer=False).items())
TREE = site_tree(MINED, MINED.sites[0])


def test_the_tree_has_every_page_once() -> None:
    assert TREE.count() == 20
    assert TREE.url == f"{BASE}s0/"
    assert [each.text for each in TREE.below.values()] == ["S0 A", "S0 B", "S0 Help"]


def test_lines_are_indented_and_counted() -> None:
    lines = tree_lines(TREE)
    assert lines[0] == "S0 (20)"
    assert lines[1].startswith("  S0 A (")
    assert "    S0 A 1" in lines


def test_json_has_the_same_tree() -> None:
    told = tree_json(TREE)
    assert told["pages"] == 20
    assert told["below"][0]["text"] == "S0 A"


def test_a_sitemap_weighs_pages_by_their_depth() -> None:
    root = ET.fromstring(sitemap_xml(MINED, MINED.sites))
    weights = {url[0].text: url[1].text for url in root}
    assert weights[f"{BASE}s0/"] == "1.0"
    assert weights[f"{BASE}s0/a/"] == "0.8"
    assert weights[f"{BASE}s0/a/1"] == "0.6"


def test_pictures_show_no_more_than_can_be_read() -> None:
    top = ["/", "/a", "/b"]
    pages = {BASE + name[1:]: page_html(("nav#m", top)) for name in top}
    pages |= {f"{BASE}n{n}": page_html(("nav#m", top)) for n in range(40)}
    mined = mine_menus(pages.items())
    text = mermaid([site_tree(mined, mined.sites[0])])
    assert "… and 30 more (30 pages)" in text
    assert text.startswith("flowchart LR\n")


def test_words_of_pages_cannot_break_a_picture() -> None:
    word = '<script>"&amp;#\x07]'
    html = page_html(("nav#m", ["/", "/a", "/b"])).replace(">A<", f">{word.replace('<', '&lt;')}<")
    mined = mine_menus({BASE + name: html for name in ("", "a", "b", "c")}.items())
    tree = site_tree(mined, mined.sites[0])
    ET.fromstring(svg([tree]))
    drawn = mermaid([tree])
    assert "<script>" not in drawn
    assert drawn.count('"') == 2 * drawn.count("[")
