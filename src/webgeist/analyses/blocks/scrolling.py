"""Pages that load more when they are scrolled: the element that they wait to see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from webgeist.analyses.blocks.addresses import xpaths

if TYPE_CHECKING:
    from webgeist.analyses.blocks.facts import Facts

_SENTINEL = re.compile(
    r"infinite-?_?(?:scroll|loader|loading|list)|inf-?scroll|scroll-?_?(?:sentinel|trigger|loader|loading)"
    r"|load-?_?(?:more|next)-?_?(?:trigger|sentinel|on-?scroll)|endless|autopager|jscroll",
    re.IGNORECASE,
)
_NAMED = ("class", "id", "data-controller", "data-infinite-scroll", "data-role", "x-intersect")


_HOLDERS = ("div", "span", "section", "ul")


def infinite_scroll(facts: Facts) -> str | None:
    """The XPath of the last element whose names say that the page goes on when it is seen."""
    page = facts.page
    values = page.nodes["attributes"].combine_chunks().items
    if not pc.any(pc.match_substring_regex(values, _SENTINEL.pattern, ignore_case=True)).as_py():
        return None  # most pages: no name anywhere says so
    for node in reversed(np.flatnonzero(page.named(*_HOLDERS)).tolist()):
        named = facts.elements.name_text(node, _NAMED)
        if named and _SENTINEL.search(named):
            return xpaths(page, [node])[node]
    return None
