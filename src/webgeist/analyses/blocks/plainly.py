"""What plainly leads on, where the learned rules see no link to the following page: a button that
says "next" and no more.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.blocks.annotators.words import fold, read_gazetteer, shipped
from webgeist.analyses.blocks.elements import Elements

if TYPE_CHECKING:
    from webgeist.page.model import Page

_ARROWS = frozenset({"\u203a", "»", ">", "→", "▶", "►"})
_SHOWS = ("carousel", "slider", "slick", "swiper", "gallery", "calendar", "lightbox")
_ABOVE = 6  # elements around a button that may say that it is one of a show


def next_button(page: Page) -> int | None:
    """The first element to click that says "next" and nothing else; None in a slide show."""
    elements = Elements(page)
    shown = ~np.isnan(page.boxes[:, 0])
    for node in elements.clickable:
        if shown[node] and node not in elements.targets and _says_next(elements, node):
            return None if elements.is_disabled(node) or _is_of_a_show(elements, node) else node
    return None


def _says_next(elements: Elements, node: int) -> bool:
    text = elements.text(node) or elements.attribute(node, "value")
    if fold(text):
        return fold(text) in _next_words()
    labels = (elements.attribute(node, name) for name in ("aria-label", "title"))
    return any(fold(label) in _next_words() for label in labels) or text.strip() in _ARROWS


def _is_of_a_show(elements: Elements, node: int) -> bool:
    around = (node, *elements.above(node, _ABOVE))
    names = " ".join(elements.name_text(each, ("class", "id")).lower() for each in around)
    return any(word in names for word in _SHOWS)


@cache
def _next_words() -> frozenset[str]:
    lists = {kind: (text, file) for kind, text, file in shipped("gazetteers")}
    return frozenset(read_gazetteer("NEXT", *lists["NEXT"]).phrases)
