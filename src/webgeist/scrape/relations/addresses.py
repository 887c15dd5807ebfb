"""Where a node is, said in so many ways that some survive when a site is built anew.

An address is a set of features with weights: role, attributes, text shape, path, place on the page.
No single one decides. Looking a node up says how well the best one matches and how far the next is
behind: who collects data stops where the match is bad, instead of collecting something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from webgeist.errors import DamagedError, UsageError
from webgeist.page.model import ELEMENT
from webgeist.scrape.relations.textshapes import text_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webgeist.page.model import Page

KINDS = (
    "role", "id", "name", "itemprop", "rel", "type", "aria-label", "alt", "title", "href",
    "data-testid", "for", "class", "text", "shape", "label", "path", "place", "size",
)  # fmt: skip
GOOD = 0.6  # of an address's weight must fit
CLEAR = 0.02  # and nothing else may fit nearly as well
FAIR = 0.45  # is enough where the next node is far behind: the farther, the less fits
_NAMING = (
    "id",
    "name",
    "itemprop",
    "rel",
    "type",
    "aria-label",
    "alt",
    "title",
    "href",
    "data-testid",
    "for",
)
_WEIGHTS = {
    "id": 3.0,
    "itemprop": 3.0,
    "data-testid": 3.0,
    "name": 2.5,
    "aria-label": 2.5,
    "text": 2.0,
    "label": 2.0,
    "href": 1.5,
    "class": 1.5,
    "role": 1.5,
    "path": 1.5,
    "shape": 1.0,
    "place": 1.0,
    "size": 0.5,
}
_ROLES = {
    "a": "link", "button": "button", "img": "image", "input": "field", "select": "field",
    "textarea": "field", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading",
    "li": "item", "td": "cell", "th": "cell", "nav": "navigation", "form": "form", "table": "table",
}  # fmt: skip
_NUMBERED = frozenset({"href", "id", "class"})  # whose numbers differ from page to page
_GRID = 12  # parts of the page's width and height
_LONGEST_TEXT = 60


@dataclass(frozen=True)
class Address:
    """Features of a node: (kind, value) pairs. Their order is by how much they weigh."""

    features: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Match:
    """The node that an address fits best, how well (0 to 1), and how well the next one."""

    node: int
    score: float
    next_score: float
    missed: tuple[tuple[str, str], ...]

    @property
    def is_good(self) -> bool:
        needed = CLEAR if self.score >= GOOD else 0.1 + 2 * (GOOD - self.score)
        return self.score >= FAIR and self.score - self.next_score >= needed


def address_of(page: Page, node: int) -> Address:
    """The address of an element. UsageError for what is none."""
    if not 0 <= node < len(page) or page.type[node] != ELEMENT:
        raise UsageError(f"node {node} is no element of the page", remedy="choose an element")
    found = sorted(_features(page, node), key=lambda each: (-_weight(each[0]), each))
    return Address(tuple(found))


def address_from(features: Mapping[str, str]) -> Address:
    """The address that somebody has written down: kinds with values, several classes as one."""
    found = [
        (kind, _generic(word) if kind in _NUMBERED else word)
        for kind, value in features.items()
        for word in (value.split() if kind == "class" else [value])
    ]
    return Address(tuple(found))


def locate(
    page: Page, address: Address, *, index: Index | None = None, within: int | None = None
) -> Match:
    """The node of a page that an address fits best, of all or of those below a node.

    An `index` of the page saves time where several are looked for. DamagedError where nothing fits.
    """
    index = index or Index(page)
    scores = np.zeros(len(page))
    for feature in address.features:
        for node in index.nodes.get(feature, ()):
            scores[node] += _weight(feature[0])
    if within is not None:
        scores[: within + 1] = 0
        scores[int(page.end[within]) :] = 0
    scores /= sum(_weight(kind) for kind, _ in address.features)
    if not len(scores) or not scores.any():
        raise DamagedError("nothing on the page fits the address", remedy="show it once more")
    order = np.argsort(-scores, kind="stable")
    node = int(order[0])
    own = set(_features(page, node))
    missed = tuple(each for each in address.features if each not in own)
    behind = float(scores[order[1]]) if len(order) > 1 else 0.0
    return Match(node, float(scores[node]), behind, missed)


def locate_surely(page: Page, address: Address) -> int:
    """The node, if it is clear which one is meant. DamagedError says what did not fit."""
    match = locate(page, address)
    if not match.is_good:
        lost = ", ".join(f"{kind} {value}" for kind, value in match.missed[:4])
        raise DamagedError(
            f"the address fits {match.score:.0%} only (the next node {match.next_score:.0%}): "
            f"not found: {lost or 'nothing that tells it from the next'}",
            remedy="the page was built anew: show the cell once more",
        )
    return match.node


class Index:
    """The elements of a page by their features."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @cached_property
    def nodes(self) -> dict[tuple[str, str], list[int]]:
        found: dict[tuple[str, str], list[int]] = {}
        shown = (self._page.type == ELEMENT) & ~np.isnan(self._page.boxes[:, 0])
        for node in np.flatnonzero(shown).tolist():
            for feature in _features(self._page, node):
                found.setdefault(feature, []).append(node)
        return found


def fit(page: Page, node: int, address: Address) -> float:
    """How much of an address (0 to 1) fits a node."""
    own = set(_features(page, node))
    found = sum(_weight(each[0]) for each in address.features if each in own)
    return found / sum(_weight(kind) for kind, _ in address.features)


def _weight(kind: str) -> float:
    return _WEIGHTS.get(kind, 1.0)


def _features(page: Page, node: int) -> Iterator[tuple[str, str]]:
    attributes = page.attributes(node)
    name = page.names[node]
    yield "role", attributes.get("role") or _ROLES.get(name, name)
    for key in _NAMING:
        if value := attributes.get(key, "").strip():
            yield key, _generic(value) if key in _NUMBERED else value[:_LONGEST_TEXT]
    for word in sorted(set(attributes.get("class", "").split()))[:3]:
        yield "class", _generic(word)
    text = page.text(node)
    yield "shape", text_shape(text)
    if text and len(text) <= _LONGEST_TEXT:
        yield "text", text
    if label := _label(page, node):
        yield "label", label
    yield "path", "/".join(page.names[each] for each in [*page.ancestors(node)[-3:].tolist(), node])
    yield from _places(page, node)


def _generic(value: str) -> str:
    """Without the numbers in it: they differ between pages of one site."""
    return re.sub(r"\d+", "0", value)[:_LONGEST_TEXT]


def _label(page: Page, node: int) -> str:
    """What stands right before a node: the name of a field."""
    parent = int(page.parent[node])
    if parent < 0:
        return ""
    before = page.flow.between(parent, node).strip()
    return before[-_LONGEST_TEXT:] if before and len(before) <= _LONGEST_TEXT else ""


def _places(page: Page, node: int) -> Iterator[tuple[str, str]]:
    x, y, width, height = page.boxes[node].tolist()
    document = page.documents[0]
    if np.isnan(x) or document.width <= 0 or document.height <= 0:
        return
    column = int(_GRID * (x + width / 2) / document.width)
    yield "place", f"{column} {int(_GRID * y / document.height)}"
    yield "size", f"{round(np.log2(1 + width))} {round(np.log2(1 + height))}"
