"""CSS selectors over the page model: the nodes that a selector means, in document order.

What is inside frames and shadow roots counts where there is nothing outside of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from webgeist.errors import UsageError
from webgeist.page.model import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.page.model import Page

_NODE = "webgeist-node"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Selectable:
    """A page whose nodes can be selected."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._elements = _elements(page)
        above = page.parent
        self._tops = [node for node in self._elements if int(above[node]) not in self._elements]

    def select(self, css: str, within: int | None = None) -> list[int]:
        """The nodes that a selector means, of all or of those below a node."""
        first, end = (0, len(self.page)) if within is None else (within, int(self.page.end[within]))
        own = self._tops[:1] if within is None else [within]
        inner = [top for top in self._tops if first < top < end and top not in own]
        return self._found(css, own, within) or self._found(css, inner, within)

    def _found(self, css: str, tops: list[int], within: int | None) -> list[int]:
        roots = [self._elements[top] for top in tops if top in self._elements]
        found = (each for root in roots for each in cast("Any", _compiled(css)(root)))
        nodes = (int(each.get(_NODE, "-1")) for each in found)
        return [node for node in nodes if node != within]


@lru_cache(maxsize=256)
def _compiled(css: str) -> etree.XPath:
    try:
        return etree.XPath(HTMLTranslator().css_to_xpath(css, prefix="descendant-or-self::"))
    except (SelectorError, etree.XPathSyntaxError) as error:
        raise UsageError(
            f"{css!r} is no CSS selector: {error}", remedy="as in table td.name"
        ) from error


def check_selector(css: str) -> None:
    """UsageError where it is none."""
    _compiled(css)


def _elements(page: Page) -> dict[int, etree._Element]:
    made: dict[int, etree._Element] = {}
    for node in _own(page):
        name = page.names[node]
        name = name if _NAME.fullmatch(name) else "unknown"
        above = made.get(int(page.parent[node]))
        element = etree.Element(name) if above is None else etree.SubElement(above, name)
        for key, value in page.attributes(node).items():
            if _NAME.fullmatch(key):
                element.set(key, _NOT_XML.sub("\ufffd", value))
        element.set(_NODE, str(node))
        made[node] = element
    return made


def _own(page: Page) -> Iterator[int]:
    """The elements of all documents and shadow trees, without what the browser itself adds."""
    shadow = page.nodes["shadow"].to_pylist()
    pseudo = page.nodes["pseudo"].to_pylist()
    for node in range(len(page)):
        added = pseudo[node] or shadow[node] == "user-agent"
        if page.type[node] == ELEMENT and not added:
            yield node
