"""Pages that load more when they are scrolled: the element that they wait to see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.addresses import xpaths

if TYPE_CHECKING:
    from webgeist.analyses.blocks.facts import Facts

_SENTINEL = re.compile(
    r"infinite-?_?(?:scroll|loader|loading|list)|inf-?scroll|scroll-?_?(?:sentinel|trigger|loader|loading)"
    r"|load-?_?(?:more|next)-?_?(?:trigger|sentinel|on-?scroll)|endless|autopager|jscroll",
    re.IGNORECASE,
)
_NAMED = ("class", "id", "data-controller", "data-infinite-scroll", "data-role", "x-intersect")


def infinite_scroll(facts: Facts) -> str | None:
    """The XPath of the last element whose names say that the page goes on when it is seen."""
    page = facts.page
    found = None
    for node in page.find("div") + page.find("span") + page.find("section") + page.find("ul"):
        named = facts.elements.name_text(node, _NAMED)
        if named and _SENTINEL.search(named):
            found = node
    return None if found is None else xpaths(page, [found])[found]
