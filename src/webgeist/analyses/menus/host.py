"""All pages that are looked at together, with everything numbered.

Pages come first among the targets: a number below `len(host)` is a page that is there, others are
addresses that pages link to and nobody has brought.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.segments import segments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from webgeist.analyses.menus.segments import Segment
    from webgeist.analyses.menus.tree import LinkTree, Path


@dataclass(frozen=True, slots=True)
class _Raw:
    """A segment before pages have their final numbers."""

    path: int
    targets: tuple[int, ...]
    texts: tuple[str, ...]
    order: array[int]
    head: int | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A segment of a page. `targets` are numbers in document order, each once and never the page
    itself; `texts` and `order`, their places in the page, belong to them. `own` is the text of a
    link to the page itself and its place among them. `head` is what a submenu hangs below.
    """

    page: int
    path: int
    targets: tuple[int, ...]
    texts: tuple[str, ...]
    own: tuple[int, str] | None = None
    head: int | None = None
    order: Sequence[int] = ()

    def shown(self) -> list[tuple[float, int]]:
        """The targets with their places in the page, the page itself among them."""
        found: list[tuple[float, int]] = list(zip(self.order, self.targets, strict=True))
        if self.own is not None:
            before = self.order[self.own[0] - 1] if self.own[0] else -1
            found.insert(self.own[0], (before + 0.5, self.page))
        return found


@dataclass(eq=False)
class Host:
    """Pages by number, their segments, and what they have in common."""

    urls: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    segments: list[Placed] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    aliases: dict[int, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.urls)

    def of_page(self, page: int) -> range:
        """The numbers of a page's segments, in document order."""
        return range(self.starts[page], self.starts[page + 1])

    def leads(self, page: int) -> Iterator[int]:
        """Where the links of a page lead to."""
        for segment in self.of_page(page):
            yield from self.segments[segment].targets

    def links_of(self, page: int, place_of: Sequence[int]) -> set[tuple[int, int]]:
        """The links of a page, by the place of their list and their target."""
        return {
            (place_of[segment.path], target)
            for segment in self.segments[self.starts[page] : self.starts[page + 1]]
            for target in segment.targets
        }

    def mutual(self) -> list[NDArray[np.int64]]:
        """For each page those that it links to and that link to it."""
        codes = _codes(self)
        both = np.intersect1d(codes, _turned(codes, len(self)), assume_unique=True)
        return _by_page(both, len(self))

    def incoming(self) -> list[NDArray[np.int64]]:
        """For each page those that link to it."""
        return _by_page(np.sort(_turned(_codes(self), len(self))), len(self))


class Gathering:
    """Makes a host of pages that come one at a time; their trees need not be kept."""

    def __init__(self) -> None:
        self._pages: dict[str, int] = {}
        self._targets: dict[str, int] = {}  # by address as linked, to save making keys
        self._keys: dict[str, int] = {}
        self._names: list[str] = []
        self._paths: dict[Path, int] = {}
        self._texts: dict[str, str] = {}
        self._raw: list[list[_Raw]] = []
        self._urls: list[str] = []
        self._aliases: dict[int, list[str]] = {}

    def add(self, tree: LinkTree) -> None:
        """One more page. A second one under another name of the same address only adds the name."""
        key = page_key(tree.url)
        known = self._pages.get(key)
        if known is not None:
            self._aliases.setdefault(known, []).append(tree.url)
            return
        self._pages[key] = len(self._urls)
        self._urls.append(tree.url)
        self._raw.append([self._numbered(each) for each in segments(tree)])

    def _numbered(self, segment: Segment) -> _Raw:
        number = self._paths.setdefault(segment.path, len(self._paths))
        seen: dict[int, str] = {}
        order = array("L")
        for link, place in zip(segment.links, segment.order, strict=True):
            if link.url is None:
                continue
            target = self._target(link.url)
            if target not in seen:
                order.append(place)
            if not seen.get(target):
                seen[target] = self._texts.setdefault(link.text, link.text)
        head = segment.head.url if segment.head else None
        above = self._target(head) if head else None
        return _Raw(number, tuple(seen), tuple(seen.values()), order, above)

    def _target(self, url: str) -> int:
        known = self._targets.get(url)
        if known is not None:
            return known
        key = page_key(url)
        number = self._keys.setdefault(key, len(self._keys))
        if number == len(self._names):
            self._names.append(url.partition("#")[0])
        self._targets[url] = number
        return number

    def host(self) -> Host:
        """All pages that were added."""
        place = self._places()
        found = Host(urls=self._urls, paths=list(self._paths), aliases=self._aliases)
        found.targets = self._urls + [
            name for name, at in zip(self._names, place, strict=True) if at >= len(self._urls)
        ]
        for page, raw in enumerate(self._raw):
            found.segments.extend(_placed(page, each, place) for each in raw)
            found.starts.append(len(found.segments))
        return found

    def _places(self) -> list[int]:
        """The final number of each target: its page's, also where only the case differs."""
        folded = _folded(self._pages)
        place, more = [], len(self._urls)
        for key in self._keys:
            page = self._pages.get(key)
            if page is None:
                page = folded.get(key.casefold())
            if page is None:
                page, more = more, more + 1
            place.append(page)
        return place


def _folded(pages: dict[str, int]) -> dict[str, int]:
    """Pages by their key in lower case, where that names one page alone."""
    found: dict[str, int] = {}
    for key, page in pages.items():
        folded = key.casefold()
        found[folded] = -1 if folded in found else page
    return {key: page for key, page in found.items() if page >= 0}


def _placed(page: int, raw: _Raw, place: Sequence[int]) -> Placed:
    own: tuple[int, str] | None = None
    kept: dict[int, str] = {}
    order = array("L")
    for number, text, at in zip(raw.targets, raw.texts, raw.order, strict=True):
        target = place[number]
        if target == page:
            own = own or (len(kept), text)
        elif target not in kept:
            kept[target] = text
            order.append(at)
    head = None if raw.head is None else place[raw.head]
    return Placed(page, raw.path, tuple(kept), tuple(kept.values()), own, head, order)


def _codes(host: Host) -> NDArray[np.int64]:
    """All links from page to page, each as one number, in order."""
    size = len(host)
    sources = np.fromiter((each.page for each in host.segments for _ in each.targets), np.int64)
    targets = np.fromiter((t for each in host.segments for t in each.targets), np.int64)
    known = targets < size
    return np.unique(sources[known] * size + targets[known])


def _turned(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The links in the other direction."""
    return (codes % size) * size + codes // size


def _by_page(codes: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    bounds = np.searchsorted(codes, np.arange(size + 1) * size)
    return [codes[a:b] % size for a, b in pairwise(bounds.tolist())]
