"""What blocks hold: words, links, images, and how their text is set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.page.colours import parse_colour
from webgeist.page.hierarchy import Kind
from webgeist.page.model import TEXT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.hierarchy import Hierarchy
    from webgeist.page.model import Page

    Columns = dict[str, NDArray[Any]]

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+(?:['\u2019.-][^\W{_IDEOGRAPHS}]+)*")
_KINDS = list(Kind)


def count_words(text: str) -> int:
    """Words in any script; in those without spaces each ideograph counts."""
    return len(_WORD.findall(text))


class Content:
    """The texts of a page that can be seen, and the blocks that show them."""

    def __init__(self, page: Page, found: Hierarchy) -> None:
        self.page, self.found = page, found
        texts = np.flatnonzero(found.paints & (page.type == TEXT) & (found.owner >= 0))
        self.texts = texts
        self.owner = found.owner[texts]
        self.words = np.array([count_words(page.texts[node] or "") for node in texts], np.int64)

    def columns(self) -> Columns:
        """The features of content of all blocks."""
        found = self.found
        return {
            "images": self._below(found.kind == _KINDS.index(Kind.IMAGE)),
            "links": self._below(self._links()),
            "words": self._below(self._at_owner(self.words)),
        }

    def text_density(self) -> NDArray[np.float64]:
        """The share of each block under boxes of text."""
        width, height = self.page.boxes[self.texts, 2:].T.astype(np.float64)
        box = self.found.box.astype(np.float64)
        area = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
        covered = self._below(self._at_owner(width * height))
        return np.minimum(covered / area, 1)

    def fonts(self) -> list[str | None]:
        """For each block the family that most of its words are set in."""
        families = self.page.values("font-family", _first_family, "")[self.texts]
        names, codes = np.unique(families, return_inverse=True)
        if not len(names):
            return [None] * len(self.found)
        words = np.stack(
            [
                self._below(self._at_owner(self.words * (codes == code)))
                for code in range(len(names))
            ]
        )
        best = words.argmax(axis=0)
        said = words.max(axis=0) > 0
        return [str(names[code]) if has else None for code, has in zip(best, said, strict=True)]

    def colours(self) -> NDArray[np.float64]:
        """The text colour of each block (n, 4): RGB, and alpha from 0 to 1; NaN without text."""
        distinct = {t: _rgba(t) for t in set(self.page.values("color", str, "").tolist())}
        of_node = self.page.values("color", str, "")[self.found.node]
        colours = np.array([distinct[text] for text in of_node.tolist()]).reshape(-1, 4)
        colours[self.found.kind != _KINDS.index(Kind.TEXT)] = np.nan
        return colours

    def _links(self) -> NDArray[np.int64]:
        """How many links begin in each block: with the first thing that can be seen of them."""
        page = self.page
        links = np.flatnonzero(page.named("a", "area") & page.with_attribute("href"))
        shown = np.flatnonzero(self.found.paints & (self.found.owner >= 0))
        at = np.searchsorted(shown, links)
        inside = at < len(shown)
        first = shown[at[inside]]
        first = first[first < page.end[links[inside]]]
        return np.bincount(self.found.owner[first], minlength=len(self.found))

    def _at_owner(self, values: NDArray[Any]) -> NDArray[Any]:
        return np.bincount(self.owner, weights=values, minlength=len(self.found))

    def _below(self, values: NDArray[Any]) -> NDArray[Any]:
        """The sum over each block and those below it."""
        sums = np.concatenate([[0], np.cumsum(values)])
        below: NDArray[Any] = sums[self.found.end] - sums[:-1]
        return below


def _first_family(text: str) -> str:
    return text.split(",", 1)[0].strip().strip("\"'")


def _rgba(text: str) -> tuple[float, float, float, float]:
    colour = parse_colour(text)
    return (np.nan,) * 4 if colour is None else (*colour[:3], colour.alpha)
