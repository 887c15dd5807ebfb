"""What is compared of a page: its passages, in order, each with its place, looks and role. Pure.

A passage is the text of one block, however many inline elements it has, or a picture. Text that
cannot be seen is kept too and marked: a folded section of terms of use is content all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import pyarrow.compute as pc

from webgeist.analyses.changes.content import prose, regions
from webgeist.analyses.changes.marks import MARKS, attribute, marks
from webgeist.page.flow import INLINE
from webgeist.page.model import TEXT
from webgeist.page.painting import painting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]
    Box = tuple[float, float, float, float]
    _Draft = tuple[int, int, float, int, list[int]]

_SILENT = ("script", "style", "template", "noscript", "head", "title", "svg", "math-annotation")
_PICTURES = ("img", "video", "iframe", "canvas")
_INSIDE = 2  # of the three nested regions of content
_NEARLY = 0.9
_SMALL = 24  # pixels: a picture not larger is an ornament


@dataclass(frozen=True)
class Passage:
    """`box` is left, top, right, bottom of what is seen, zeros where nothing is. `linked` is the
    share of its letters in links, `targets` are the links' addresses. `style` is what its letters
    look like, `path` how it is nested, `marks` what its markup says (bits in the order of MARKS).
    `within` tells in how many of the nested content regions it lies (0 to 3), see `content`;
    `early`: it stands before them.
    """

    text: str
    words: int
    node: int
    tag: str
    box: tuple[float, float, float, float]
    seen: bool
    linked: float
    targets: tuple[str, ...]
    style: tuple[str, ...]
    size: float
    path: int
    marks: int
    within: int
    early: bool
    picture: bool = False

    def marked(self, name: str) -> bool:
        return bool(self.marks >> _BIT[name] & 1)


_BIT = {name: number for number, name in enumerate(MARKS)}


@dataclass(frozen=True, eq=False)
class Portrait:
    """A page's passages in document order, the page's size, its title, and the content's box."""

    passages: tuple[Passage, ...]
    width: float
    height: float
    title: str
    size: float  # of most of its letters, in pixels
    content: tuple[float, float, float, float]

    @cached_property
    def everywhere(self) -> frozenset[str]:
        """Marks that nearly all words of the content have: they say nothing about a part of it."""
        inside = [passage for passage in self.passages if passage.within >= _INSIDE]
        most = _NEARLY * sum(passage.words for passage in inside)
        return frozenset(
            mark
            for mark in MARKS
            if inside and sum(each.words for each in inside if each.marked(mark)) > most
        )

    def sets_apart(self, mark: str, passage: Passage) -> bool:
        """Whether a passage has a mark that not nearly all of the content has."""
        return passage.marked(mark) and mark not in self.everywhere


def portrait(page: Page) -> Portrait:
    """What is compared of a page. One that shows and says nothing has no passages."""
    return _Painter(page).portrait()


class _Painter:
    def __init__(self, page: Page) -> None:
        self.page = page
        painted = painting(page)
        self.seen, self.visible = painted.seen, painted.visible
        silent = page.named(*_SILENT)
        self.silent = silent | page.below(silent)
        self.holder = self._holders()
        self.marks = self._bits()
        self.texts: dict[int, str] = {}
        self.sizes = page.values("font-size", _pixels, 0.0)

    def portrait(self) -> Portrait:
        page = self.page
        runs = self._runs()
        pictures = self._pictures()
        drafts = sorted([*runs, *pictures])
        nodes = np.array([draft[0] for draft in drafts], np.int64)
        words = np.array([draft[1] for draft in drafts], np.int64)
        linked = np.array([draft[2] for draft in drafts])
        amount = prose(words, linked, self._boilerplate()[nodes]) if drafts else np.zeros(0)
        found = regions(page, nodes, amount)
        within = sum(((nodes >= first) & (nodes < last)).astype(np.int64) for first, last in found)
        passages = tuple(
            self._passage(draft, int(depth), early=draft[0] < found[1][0])
            for draft, depth in zip(drafts, np.broadcast_to(within, nodes.shape), strict=True)
        )
        document = page.documents[0]
        return Portrait(
            passages,
            float(document.width),
            float(document.height),
            document.title,
            self._usual_size(passages),
            _around([each.box for each in passages if each.within >= _INSIDE and each.seen]),
        )

    # --- which text belongs together -------------------------------------------------------------

    def _holders(self) -> Ints:
        """For each node the nearest block that it is in, itself included."""
        page = self.page
        inline = page.values("display", lambda text: text in ("inline", "contents"), None)
        by_name = page.named(*INLINE)
        flows = np.where(inline == None, by_name, inline).astype(bool)  # noqa: E711 - of an array
        flows |= page.type == TEXT
        holder = np.append(np.arange(len(page)), -1)
        for nodes in page.levels:
            up = page.parent[nodes]
            holder[nodes] = np.where(flows[nodes] & (up >= 0), holder[up], nodes)
        return holder[:-1]

    def _runs(self) -> list[_Draft]:
        """Passages of text: node, words, linked share, the first text node, all text nodes."""
        page = self.page
        texts = np.flatnonzero((page.type == TEXT) & ~self.silent & ~self._blank)
        if not len(texts):
            return []
        holders = self.holder[texts]
        starts = np.flatnonzero(np.append(True, np.diff(holders) != 0))
        links = page.named("a")
        in_link = page.below(links) | links
        strings = page.nodes["text"].take(texts).to_pylist()
        lengths = np.array([len(string) for string in strings])
        inside = np.add.reduceat(lengths * in_link[texts], starts)
        total = np.add.reduceat(lengths, starts)
        found = []
        for number, (first, last) in enumerate(
            zip(starts.tolist(), [*starts[1:].tolist(), len(texts)], strict=True)
        ):
            text = " ".join("".join(self._spaced(texts, strings, first, last)).split())
            node = int(texts[first])
            self.texts[node] = text
            share = float(inside[number] / total[number])
            members = texts[first:last].tolist()
            found.append((node, _count(text), share, int(holders[first]), members))
        return found

    def _spaced(self, texts: Ints, strings: list[str], first: int, last: int) -> list[str]:
        """The strings of a run; where something stands between two of them, perhaps a line break or
        a space, words are kept apart.
        """
        if last - first == 1:
            return strings[first:last]
        breaks = self._breaks
        spaced = [strings[first]]
        for at in range(first + 1, last):
            if breaks[texts[at]] != breaks[texts[at - 1]]:
                spaced.append(" ")
            spaced.append(strings[at])
        return spaced

    @cached_property
    def _blank(self) -> Bools:
        """Which nodes have no text but spaces."""
        trimmed = pc.utf8_trim_whitespace(self.page.nodes["text"])
        said = pc.fill_null(pc.greater(pc.utf8_length(trimmed), 0), False)
        blank: Bools = np.logical_not(said.to_numpy())
        return blank

    @cached_property
    def _breaks(self) -> list[int]:
        """How many line breaks, spaces and pictures there are up to each node."""
        spaces = (self.page.type == TEXT) & self._blank
        apart = self.page.named("br", "img", "hr", "input", "svg") | spaces
        found: list[int] = np.cumsum(apart).tolist()
        return found

    def _pictures(self) -> list[_Draft]:
        page = self.page
        box = page.boxes
        large = (box[:, 2] > _SMALL) & (box[:, 3] > _SMALL)
        nodes = np.flatnonzero(page.named(*_PICTURES) & large & self.visible)
        return [(node, 0, 0.0, -1, []) for node in nodes.tolist()]

    def _bits(self) -> list[int]:
        bits = np.zeros(len(self.page), np.int64)
        self.marked = marks(self.page)
        for number, name in enumerate(MARKS):
            bits |= self.marked[name].astype(np.int64) << number
        return bits.tolist()

    def _boilerplate(self) -> Bools:
        marked = self.marked
        return (
            marked["menu"]
            | marked["footer"]
            | marked["consent"]
            | marked["overlay"]
            | marked["ad"]
            | marked["sidebar"] & ~marked["main"]
        )

    # --- one passage -----------------------------------------------------------------------------

    def _passage(self, draft: _Draft, within: int, *, early: bool) -> Passage:
        node, words, linked, holder, members = draft
        picture = holder < 0
        above = node if picture else holder
        return Passage(
            text=self._picture_text(node) if picture else self.texts[node],
            words=words,
            node=above,
            tag=self.names[above],
            box=self._box([node] if picture else members),
            seen=picture or bool(self.visible[members].any()),
            linked=linked,
            targets=self._targets(members),
            style=self._styles[node],
            size=float(self.sizes[node]),
            path=self.paths[above],
            marks=self.marks[node],
            within=within,
            early=early,
            picture=picture,
        )

    @property
    def names(self) -> list[str]:
        return self.page.names

    @cached_property
    def paths(self) -> list[int]:
        """How each node is nested: a number made of the names above it and its own, the same on
        every page and in every process.
        """
        known = {name: crc32(name.encode()) for name in set(self.names)}
        found: list[int] = []
        for up, name in zip(self.page.parent.tolist(), self.names, strict=True):
            above = found[up] if up >= 0 else 0
            found.append((above * 1_000_003 ^ known[name]) & 0x7FFFFFFF)
        return found

    def _box(self, members: list[int]) -> tuple[float, float, float, float]:
        boxes = [self.seen[node].tolist() for node in members if self.visible[node]]
        return _around(boxes)

    def _targets(self, members: list[int]) -> tuple[str, ...]:
        found = dict.fromkeys(self._link[node] for node in members)
        return tuple(self._hrefs[link] for link in found if link in self._hrefs)

    @cached_property
    def _hrefs(self) -> dict[int, str]:
        return attribute(self.page, "href")

    @cached_property
    def _link(self) -> list[int]:
        """The link that each node is in, or -1."""
        page = self.page
        is_link = page.named("a")
        link = np.full(len(page) + 1, -1, np.int64)
        for nodes in page.levels:
            link[nodes] = np.where(is_link[nodes], nodes, link[page.parent[nodes]])
        found: list[int] = link[:-1].tolist()
        return found

    @cached_property
    def _styles(self) -> list[tuple[str, ...]]:
        columns = [self.page.values(name, str, "") for name in _LOOKS]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def _picture_text(self, node: int) -> str:
        source = self._sources.get(node, "").partition("?")[0].partition("#")[0]
        name = "" if source.startswith("data:") else source.rpartition("/")[2]
        return f"[{self.names[node]} {name} {self._alternatives.get(node, '').strip()}]"

    @cached_property
    def _sources(self) -> dict[int, str]:
        return attribute(self.page, "src")

    @cached_property
    def _alternatives(self) -> dict[int, str]:
        return attribute(self.page, "alt")

    def _usual_size(self, passages: tuple[Passage, ...]) -> float:
        amounts: dict[float, int] = {}
        for each in passages:
            amounts[each.size] = amounts.get(each.size, 0) + len(each.text)
        return max(amounts, key=lambda size: amounts[size]) if amounts else 16.0


_LOOKS = ("font-size", "font-weight", "color", "font-family", "font-style")


def _around(
    boxes: list[tuple[float, float, float, float]] | list[list[float]],
) -> tuple[float, float, float, float]:
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _count(text: str) -> int:
    """Words; of ideographs, each is one."""
    return len(text.split()) + sum("\u3040" <= char <= "\u9fff" for char in text)


def _pixels(text: str) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return 0.0
