"""What speaks for and against that a changed passage is content, as numbers. Pure.

Nothing here measures how much time lies between two versions: neither dates nor their order, nor
how much changed elsewhere on the page. Exchange the versions, and each row stays what it is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from math import log1p
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.marks import MARKS, bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from webgeist.analyses.changes.items import Item
    from webgeist.analyses.changes.portrait import Passage, Portrait

_SHEER = frozenset({"id", "age", "year", "time"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SENTENCE = 8
_LINKED = 0.5
_AROUND = 3  # passages before and after that tell what it stands among
_INSIDE = 2  # of the three nested regions
_BOILERPLATE = bits("menu", "header", "footer", "sidebar", "consent", "overlay")
_MAIN = bits("main", "article")
_MOST_MARKS = 3

_OWN = (
    *("within", "seen", "words", "linked", "targets", "picture", "heading", "size", "left", "wide"),
    *("above", "beneath", "beside", "page_place", "prose_around", "links_around", "inside_around"),
    *("sentence", "letters", "capitals", "repeated", "path_content"),
    *("prose_before", "prose_after", "prose_between", "near_before", "near_after", "listed"),
    *("headed_inside", "since_heading"),
)
# What the passage is and where it stands, whatever happened to it; the last of NAMES.
PLACED = (
    *(f"mark_{mark}" for mark in MARKS),
    *("unmarked", "unmarked_main", "marked_main", "boilerplate"),
    *_OWN,
)
NAMES = (
    *("kind_alone", "kind_edited", "kind_moved", "kind_restyled"),
    *("changed_least", "changed_most", "changed", "changed_share", "typography", "links"),
    *("one_sided", "noise_id", "noise_age", "noise_date", "noise_number", "noise_only"),
    *("sheer", "elsewhere", "within_least"),
    *("seen_least", "told_inside", "told_more", "label_inside", "leading_inside", "moved_inside"),
    *("told_outside", "number_outside", "label_outside", "hidden_inside"),
    *PLACED,
)


def evidence(before: Portrait, after: Portrait, found: Sequence[Item]) -> NDArray[np.float32]:
    """A row of numbers for each item, in the order of NAMES."""
    views = _View(before), _View(after)
    rows = [_row(views, item) for item in found]
    return np.array(rows, np.float32).reshape(len(rows), len(NAMES))


def _row(views: tuple[_View, _View], item: Item) -> list[float]:
    sides = [
        (view, passage, at)
        for view, passage, at in zip(views, (item.before, item.after), item.at, strict=True)
        if passage is not None and at is not None
    ]
    own = [view.own(passage, at) for view, passage, at in sides]
    mean = np.mean(own, axis=0).tolist()
    words = max(passage.words for _, passage, _ in sides)
    changed = item.gone + item.came
    return [
        float(len(sides) == 1),
        *(float(item.kind is kind) for kind in (Kind.EDITED, Kind.MOVED, Kind.RESTYLED)),
        log1p(min(item.gone, item.came)),
        log1p(max(item.gone, item.came)),
        log1p(changed),
        changed / (words + 1),
        float(item.typography),
        float(item.links),
        float(not item.gone or not item.came),
        float("id" in item.noise),
        float("age" in item.noise),
        float("date" in item.noise),
        float("number" in item.noise),
        float(not changed and bool(item.noise)),
        float(sheer(item)),
        float(_elsewhere(views, item)),
        float(min(passage.within for _, passage, _ in sides)),
        float(min(passage.seen for _, passage, _ in sides)),
        *_together(item, [passage for _, passage, _ in sides]),
        *_marked([passage for _, passage, _ in sides]),
        *mean,
    ]


def _marked(passages: Sequence[Passage]) -> list[float]:
    """What the markup says of it, on either side: each mark, and whether any speaks against it."""
    found = passages[0].marks | passages[-1].marks
    against, main = (found & _BOILERPLATE).bit_count(), bool(found & _MAIN)
    return [
        *(float(found >> number & 1) for number in range(len(MARKS))),
        float(not against),
        float(not against and main),
        float(against > 0 and main),
        float(min(against, _MOST_MARKS)),
    ]


def sheer(item: Item) -> bool:
    """Whether nothing changed but ids, ages, clock times and years of copyright."""
    return bool(item.noise) and item.noise <= _SHEER and not item.gone + item.came + item.links


def _together(item: Item, passages: Sequence[Passage]) -> list[float]:
    """What only tells together: where, what, and how much."""
    changed = item.gone + item.came
    linked = max(passage.linked for passage in passages) >= _LINKED
    inside = max(passage.within for passage in passages) >= _INSIDE
    told = max(passage.words for passage in passages) >= _SENTENCE and not linked
    seen = any(passage.seen for passage in passages)
    moved = item.kind is Kind.MOVED
    return [
        float(inside and told and changed > 0),
        log1p(changed) * (inside and told),
        float(inside and not told and not linked and changed > 0),
        float(inside and linked and changed > 0),
        float(inside and moved),
        float(not inside and told and changed > 0),
        float(not inside and not changed and "number" in item.noise),
        float(not inside and not told and changed > 0),
        float(inside and told and changed > 0 and not seen),
    ]


def _elsewhere(views: tuple[_View, _View], item: Item) -> bool:
    """Whether what was added or removed stands somewhere else in the other version too."""
    if item.before is None:
        return item.shown.text in views[0].texts
    return item.after is None and item.shown.text in views[1].texts


class _View:
    """One version, and what is asked of all its passages."""

    def __init__(self, portrait: Portrait) -> None:
        self.portrait = portrait
        passages = portrait.passages
        self.texts = Counter(passage.text for passage in passages)
        prose = [p.words >= _SENTENCE and p.linked < _LINKED for p in passages]
        self.sums = np.concatenate(
            [
                np.zeros((1, 3)),
                np.cumsum(
                    np.array(
                        [
                            (told, p.linked >= _LINKED, p.within >= _INSIDE)
                            for p, told in zip(passages, prose, strict=True)
                        ],
                        float,
                    ).reshape(-1, 3),
                    axis=0,
                ),
            ]
        )
        inside = [p for p in passages if p.within >= _INSIDE]
        self.content_words = sum(p.words for p in inside)
        told: Counter[int] = Counter()
        for p, is_told in zip(passages, prose, strict=True):
            if is_told and p.within >= _INSIDE:
                told[p.path] += p.words
        self.paths = told
        self.alike = Counter(p.path for p in passages)
        self.headings = [n for n, p in enumerate(passages) if p.tag in _HEADINGS]
        self.told = np.flatnonzero(prose)
        self.amounts = np.concatenate([[0], np.cumsum([passages[n].words for n in self.told])])

    def own(self, passage: Passage, at: int) -> list[float]:
        """In the order of _OWN."""
        page = self.portrait
        left, top, right, bottom = page.content
        x, y, x_end, y_end = passage.box
        tall, wide = max(page.height, 1.0), max(page.width, 1.0)
        prose, links, inside = self._around(at)
        letters = sum(char.isalpha() for char in passage.text[:400])
        capitals = sum(char.isupper() for char in passage.text[:400])
        return [
            float(passage.within),
            float(passage.seen),
            log1p(passage.words),
            passage.linked,
            log1p(len(passage.targets)),
            float(passage.picture),
            float(passage.tag in _HEADINGS),
            passage.size / max(page.size, 1.0),
            x / wide,
            (x_end - x) / wide,
            max(top - y_end, 0.0) / tall if passage.seen else 0.0,
            max(y - bottom, 0.0) / tall if passage.seen else 0.0,
            float(passage.seen and (x_end <= left + 1 or x >= right - 1)),
            at / max(len(page.passages) - 1, 1),
            prose,
            links,
            inside,
            float(passage.text[-1:] in ".!?;:。"),
            letters / max(len(passage.text[:400]), 1),
            capitals / max(letters, 1),
            log1p(self.texts[passage.text] - 1),
            self.paths[passage.path] / max(self.content_words, 1),
            *self._among(at),
            log1p(self.alike[passage.path] - 1),
            *self._headed(at),
        ]

    def _headed(self, at: int) -> list[float]:
        """Whether the last heading above stands in the content, and how many passages above."""
        place = bisect_right(self.headings, at)
        if not place:
            return [0.0, log1p(at + 1)]
        heading = self.headings[place - 1]
        inside = self.portrait.passages[heading].within >= _INSIDE
        return [float(inside), log1p(at - heading)]

    def _among(self, at: int) -> list[float]:
        """Shares of the page's prose before and after it, the smaller of them, and how many
        passages away the next prose is on both sides.
        """
        place = int(np.searchsorted(self.told, at))
        rest = int(np.searchsorted(self.told, at, side="right"))
        total = max(float(self.amounts[-1]), 1.0)
        before = float(self.amounts[place]) / total
        after = float(self.amounts[-1] - self.amounts[rest]) / total
        last = len(self.portrait.passages)
        near = at - int(self.told[place - 1]) if place else last
        next_ = int(self.told[rest]) - at if rest < len(self.told) else last
        return [before, after, min(before, after), log1p(near), log1p(next_)]

    def _around(self, at: int) -> tuple[float, float, float]:
        """Shares of prose, of links and of content among its neighbours."""
        last = len(self.portrait.passages)
        low, high = max(at - _AROUND, 0), min(at + _AROUND + 1, last)
        total = self.sums[high] - self.sums[low] - (self.sums[at + 1] - self.sums[at])
        shares = total / max(high - low - 1, 1)
        return float(shares[0]), float(shares[1]), float(shares[2])
