"""What plainly leads on, where the learned rules see no link to the following page: a button that
says "next" and no more, and the one button that says "show more" of something.
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
_MOST_WORDS = 5  # of a button that adds to a list
_AGAIN = frozenset(
    {
        *("try again", "please try again", "retry", "load again", "tap to retry", "click to retry"),
        *("erneut versuchen", "nochmal versuchen", "réessayer", "reintentar", "riprova"),
        *("intentar de nuevo", "tentar novamente", "opnieuw proberen", "försök igen"),
        *("prøv igjen", "spróbuj ponownie", "повторить", "tekrar dene", "再試行", "重试", "重試"),
    }
)
_ABOVE = 6  # elements around a button that may say that it is one of a show


def next_button(page: Page) -> int | None:
    """The first element to click that says "next" and nothing else; None in a slide show."""
    elements = Elements(page)
    shown = ~np.isnan(page.boxes[:, 0])
    for node in elements.clickable:
        if shown[node] and node not in elements.targets and _says_next(elements, node):
            return None if elements.is_disabled(node) or _is_of_a_show(elements, node) else node
    return None


def more_button(page: Page) -> int | None:
    """The one button that begins with words for more, and says of what; None if there are several,
    which belong to single things on the page.
    """
    elements = Elements(page)
    shown = ~np.isnan(page.boxes[:, 0])
    found = [
        node
        for node in elements.clickable
        if shown[node] and node not in elements.targets and _says_more(elements.text(node))
    ]
    if len(found) != 1 or elements.is_disabled(found[0]) or _is_of_a_show(elements, found[0]):
        return None
    return found[0]


def retry_button(page: Page) -> int | None:
    """The one button that says "try again": what should have come with the list did not."""
    elements = Elements(page)
    shown = ~np.isnan(page.boxes[:, 0])
    found = [
        node
        for node in elements.clickable
        if shown[node] and node not in elements.targets and fold(elements.text(node)) in _AGAIN
    ]
    return found[0] if len(found) == 1 and not elements.is_disabled(found[0]) else None


def _says_more(text: str) -> bool:
    words = fold(text).split()
    starts = {" ".join(words[:count]) for count in range(2, len(words) + 1)}
    return len(words) <= _MOST_WORDS and not starts.isdisjoint(_phrases("MORE"))


def _says_next(elements: Elements, node: int) -> bool:
    text = elements.text(node) or elements.attribute(node, "value")
    if fold(text):
        return fold(text) in _phrases("NEXT")
    labels = (elements.attribute(node, name) for name in ("aria-label", "title"))
    return any(fold(label) in _phrases("NEXT") for label in labels) or text.strip() in _ARROWS


def _is_of_a_show(elements: Elements, node: int) -> bool:
    around = (node, *elements.above(node, _ABOVE))
    names = " ".join(elements.name_text(each, ("class", "id")).lower() for each in around)
    return any(word in names for word in _SHOWS)


@cache
def _phrases(kind: str) -> frozenset[str]:
    lists = {each: (text, file) for each, text, file in shipped("gazetteers")}
    return frozenset(read_gazetteer(kind, *lists[kind]).phrases)
