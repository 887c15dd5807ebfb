"""What a link of a pager is for: the next page, the one before, the first, the last, a number.

Whether a link belongs to a pager is learned. What it is for can be read off: a number is a page,
an address one page on is next, and so are the words and arrows that say so.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.blocks.link import Link

# How much each annotation says.
_WEIGHTS = {"": 3.0, "LABEL_": 2.5, "OWN_": 1.2, "HELD_": 0.8}
_ROLES = {"NEXT": "next", "PREVIOUS": "previous", "FIRST": "first", "LAST": "last"}
_AGES = {"OLDER": "next", "NEWER": "previous"}
_WORD = 3.0  # what one plain word weighs


def role(link: Link) -> tuple[str, str]:
    """The label, and why."""
    if link.number is not None and not _says_more(link):
        return "page", f"it says {link.number:g}"
    if link.in_series and link.step is not None and link.number is None:
        if link.step == 1:
            return "next", "its address is the following page of this list"
        if link.step == -1 and not _only(link, "FIRST"):
            return "previous", "its address is the page before in this list"
    if "ELLIPSIS" in link.notes:
        return "page", "it stands for the pages that are left out"
    found = _by_words(link)
    if not found:
        if "MORE" in link.notes or "OWN_MORE" in link.notes:
            return "load-more", "it adds to the list"
        if link.in_series and link.step is not None:
            return "page", "its address is a page of this list"
        return "page", "it stands in a pager"
    best, weight = max(found.items(), key=lambda item: item[1])
    if ("MORE" in link.notes or "OWN_MORE" in link.notes) and weight < _WORD:
        return "load-more", "it adds to the list"
    return best, f"words and signs say {best}"


def _says_more(link: Link) -> bool:
    """A number with a word, as in "Next 20", is no page number."""
    return "NUMBER" not in link.notes and bool({"NEXT", "PREVIOUS", "LAST", "FIRST"} & link.notes)


def _only(link: Link, kind: str) -> bool:
    return f"{kind}_ONLY" in link.notes or f"LABEL_{kind}_ONLY" in link.notes


def _by_words(link: Link) -> dict[str, float]:
    found: defaultdict[str, float] = defaultdict(float)
    for kind, label in _ROLES.items():
        for prefix, weight in _WEIGHTS.items():
            if prefix + kind in link.notes:
                found[label] += weight
        if _only(link, kind):
            found[label] += 1.0
    for kind, label in _AGES.items():
        if kind in link.notes:
            found[label] += 4.0
    for label, weight in link.signs:
        found[label] += weight
    return dict(found)
