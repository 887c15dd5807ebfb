"""Where a passage stands, said so that it can be found again on another version. Pure.

Three ways to say it, from the steadiest: names that its elements have (ids, classes, and tags that
say what they are for), how its elements are nested below which heading, and its own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from webgeist.analyses.changes.marks import attribute
from webgeist.analyses.changes.noise import plain, steady, tokens

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Passage, Portrait
    from webgeist.page.model import Page

_TELLING = frozenset({"header", "footer", "nav", "aside", "form", "dialog"})
_NUMBER = re.compile(r"\d+")
_HASHED = re.compile(r"[_-]{1,2}(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{5,}$")
_MOST_NAMES = 200  # of one passage; the innermost count


@dataclass(frozen=True)
class Address:
    """`names` are those of its elements, the innermost first: #id, .class, or a telling tag.
    `nesting` is how its elements are nested, `heading` the one that it stands below, and `words`
    are its own, without dates, numbers and ids.
    """

    names: tuple[str, ...]
    nesting: int
    heading: str
    words: frozenset[str]


def addresses(page: Page, portrait: Portrait) -> tuple[Address, ...]:
    """The address of each passage of a page."""
    names = _Names(page)
    found, heading = [], ""
    for passage in portrait.passages:
        if passage.marked("heading"):
            heading = _plainly(passage.text)
        found.append(Address(names.of(passage.node), passage.path, heading, _words(passage)))
    return tuple(found)


def _plainly(text: str) -> str:
    return steady(plain(text))[0]


def _words(passage: Passage) -> frozenset[str]:
    return frozenset(word for word in tokens(_plainly(passage.text)) if not word.startswith("#"))


class _Names:
    """The names above each node of a page."""

    def __init__(self, page: Page) -> None:
        self._parent = page.parent.tolist()
        self._tags = page.names
        self._ids = attribute(page, "id")
        self._classes = attribute(page, "class")
        self.of = cache(self._of)

    def _of(self, node: int) -> tuple[str, ...]:
        found: dict[str, None] = {}
        while node >= 0 and len(found) < _MOST_NAMES:
            if self._tags[node] not in ("html", "body"):
                found |= dict.fromkeys(self._own(node))
            node = self._parent[node]
        return tuple(found)

    def _own(self, node: int) -> list[str]:
        id_, tag = steady_name(self._ids.get(node, "")), self._tags[node]
        classes = sorted(
            {steady_name(each) for each in self._classes.get(node, "").split()},
            key=lambda name: ("0" in name, name),  # those without a number are steadier
        )
        return [
            *([f"#{id_}"] if id_ else ()),
            *(f".{each}" for each in classes if each),
            *([tag] if tag in _TELLING else ()),
        ]


def steady_name(name: str) -> str:
    """An id or a class without what machines add to it: hashes and numbers."""
    return _NUMBER.sub("0", _HASHED.sub("", name.strip())).lower()
