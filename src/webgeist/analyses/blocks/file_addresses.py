"""XPaths on the DOM as other tools parse it from the file.

A browser puts a `tbody` into every table and moves misplaced elements; libxml2, which most scrapers
parse with, does neither. For a saved file, nodes are told by what a scraper will find: the same
element, counted among those of its name, address and class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree, html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.page.model import Page

    Signature = tuple[str, str | None, str | None, str | None]


def file_xpaths(body: bytes, page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """The XPath of each node in the file; nodes that it does not have are left out."""
    wanted = list(nodes)
    if not wanted:
        return {}
    try:
        encoding = page.documents[0].encoding or "utf-8"
        root = html.document_fromstring(body, parser=html.HTMLParser(encoding=encoding))
    except (etree.ParserError, LookupError, ValueError):
        return {}
    tree = root.getroottree()
    found: dict[Signature, list[html.HtmlElement]] = {}
    for element in root.iter(etree.Element):
        found.setdefault(_of_element(element), []).append(element)
    places = _places(page, wanted)
    paths = {}
    for node, (signature, number) in places.items():
        same = found.get(signature, [])
        if number < len(same):
            paths[node] = tree.getpath(same[number])
    return paths


def _of_element(element: html.HtmlElement) -> Signature:
    get = element.attrib.get
    return str(element.tag), get("href"), get("class"), get("id")


def _places(page: Page, wanted: Iterable[int]) -> dict[int, tuple[Signature, int]]:
    """What each node looks like, and how many nodes before it look the same."""
    names = {page.names[node] for node in wanted}
    among = sorted(node for name in names for node in page.find(name))
    seen: dict[Signature, int] = {}
    places = {}
    for node in among:
        if page.document[node]:
            continue  # inside a frame: another file
        own = page.attributes(node)
        signature = (page.names[node], own.get("href"), own.get("class"), own.get("id"))
        places[node] = (signature, seen.get(signature, 0))
        seen[signature] = places[node][1] + 1
    return {node: places[node] for node in wanted if node in places}
