"""All pages that are looked at together, with everything numbered.

Pages come first among the targets: a number below `len(host)` is a page that is there, others are
addresses that pages link to and nobody has brought.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.segments import segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from webgeist.analyses.menus.tree import Link, LinkTree, Path


@dataclass(frozen=True, slots=True)
class Placed:
    """A segment of a page. `targets` are numbers in document order, each once and never the page
    itself; `texts` belongs to them. `own` is the text of a link to the page itself and its place.
    """

    page: int
    path: int
    targets: tuple[int, ...]
    texts: tuple[str, ...]
    own: tuple[int, str] | None = None


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

    def mutual(self) -> list[NDArray[np.int64]]:
        """For each page those that it links to and that link to it."""
        return _mutual(self)


class Gathering:
    """Makes a host of pages that come one at a time; their trees need not be kept."""

    def __init__(self) -> None:
        self._pages: dict[str, int] = {}
        self._targets: dict[str, int] = {}  # by address as linked, to save making keys
        self._keys: dict[str, int] = {}
        self._names: list[str] = []
        self._paths: dict[Path, int] = {}
        self._texts: dict[str, str] = {}
        self._raw: list[list[tuple[int, tuple[int, ...], tuple[str, ...]]]] = []
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
        self._raw.append([self._numbered(each.links, each.path) for each in segments(tree)])

    def _numbered(
        self, links: Iterable[Link], path: Path
    ) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        number = self._paths.setdefault(path, len(self._paths))
        seen: dict[int, str] = {}
        for link in links:
            if link.url is None:
                continue
            target = self._targets.get(link.url)
            if target is None:
                target = self._target(link.url)
            if target not in seen or not seen[target]:
                seen[target] = self._texts.setdefault(link.text, link.text)
        return number, tuple(seen), tuple(seen.values())

    def _target(self, url: str) -> int:
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
            for path, targets, texts in raw:
                found.segments.append(_placed(page, path, [place[t] for t in targets], texts))
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


def _placed(page: int, path: int, targets: list[int], texts: tuple[str, ...]) -> Placed:
    own: tuple[int, str] | None = None
    kept: dict[int, str] = {}
    for target, text in zip(targets, texts, strict=True):
        if target == page:
            own = own or (len(kept), text)
        else:
            kept.setdefault(target, text)
    return Placed(page, path, tuple(kept), tuple(kept.values()), own)


def _mutual(host: Host) -> list[NDArray[np.int64]]:
    size = len(host)
    sources = np.fromiter((each.page for each in host.segments for _ in each.targets), np.int64)
    targets = np.fromiter((t for each in host.segments for t in each.targets), np.int64)
    known = targets < size
    codes = np.unique(sources[known] * size + targets[known])
    back = (codes % size) * size + codes // size
    both = np.intersect1d(codes, back, assume_unique=True)
    bounds = np.searchsorted(both, np.arange(size + 1) * size)
    return [both[a:b] % size for a, b in pairwise(bounds.tolist())]
